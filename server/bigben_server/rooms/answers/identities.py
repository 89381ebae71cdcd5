"""Ties guests to their players, and logs players out on all their devices."""

from dataclasses import dataclass

import bigben_protocol as wire
from bigben_protocol.sentence import sentence
from bigben_server.leaderboards.tying import Tying
from bigben_server.race.events import TIES, Player, Refusal
from bigben_server.rooms.requests import Request
from bigben_server.rooms.services import Services
from bigben_server.scoring.results import is_bot, is_guest
from bigben_server.storage.admin.directives import DirectiveStore


@dataclass(slots=True, eq=False)
class Identities:
    services: Services
    tying: Tying
    directives: DirectiveStore

    def answer(self, request: Request, message: wire.Tie | wire.LogOut) -> None:
        """Raises Refusal."""
        now = self.services.clock()
        self.services.quotas.logins.check(request, now)
        match message:
            case wire.Tie(token):
                guest = self._guest(request.player, token, now)
                self.services.policy.check(request.session.address, guest.id)
                self.services.answer_later(request, lambda: self._tie(request, guest, token))
            case wire.LogOut():
                self.services.answer_later(request, lambda: self._log_out(request))

    def _guest(self, player: Player, token: str, now: int) -> Player:
        """The guest of a token. Raises Refusal."""
        if is_guest(player.id) or player.bot or is_bot(player.id):
            raise Refusal("seat", sentence("tie.guest_asks"))
        if self.services.data_version() < TIES:
            raise Refusal("busy", sentence("race.updating"))
        guest, once = self.services.issuers.check(token, now)
        if once or not is_guest(guest.id):
            raise Refusal("token", sentence("tie.no_guest"))
        guest = guest._replace(marks=self.services.issuers.marks(guest.id))
        issued_at = self.services.issuers.issued_at
        self.services.policy.check_token(guest, lambda: issued_at(token))
        return guest

    async def _tie(self, request: Request, guest: Player, token: str) -> None:
        """Raises Refusal, and StoreLost."""
        services, player = self.services, request.player
        known = await services.people.known(guest.id)
        if known.account != player.id:
            token_at = services.issuers.issued_latest(token)
            if refusal := services.policy.gone(guest.id, token_at, known):
                raise refusal
            await self.tying.tie(guest.id, player)
        request.session.player = services.policy.called(player.with_guest(guest.id))
        await self.directives.tied(guest.id, player.id, player.name, services.clock())
        request.session.tell(wire.Tied(guest.id, request.ref))

    async def _log_out(self, request: Request) -> None:
        """Raises StoreLost."""
        player, at = request.player.id, self.services.clock() + 1
        request.session.token_at = at  # this connection stays
        await self.services.people.log_out(player, at)
        await self.directives.log_out(player, at)
        request.session.tell(wire.LoggedOut(request.ref))

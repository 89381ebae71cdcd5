"""Ties players to one another who are one person, and logs them out on all their devices."""

from dataclasses import dataclass

import bigben_protocol as wire
from bigben_protocol.sentence import sentence
from bigben_server.leaderboards.tying import Tying
from bigben_server.race.events import TIED_ACCOUNTS, TIES, Player, Refusal
from bigben_server.rooms.admin.policy import tied_guest
from bigben_server.rooms.requests import Request
from bigben_server.rooms.services import Services
from bigben_server.scoring.results import is_bot, is_guest
from bigben_server.storage.admin.directives import DirectiveStore
from bigben_server.storage.players import Known


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
                other, once = self._other(request.player, token, now)
                self.services.policy.check(request.session.address, other.id)
                self.services.answer_later(request, lambda: self._tie(request, other, token, once))
            case wire.LogOut():
                self.services.answer_later(request, lambda: self._log_out(request))

    def _other(self, player: Player, token: str, now: int) -> tuple[Player, str]:
        """The player of a token, and its number if it is a one-time link. Raises Refusal."""
        if is_guest(player.id) or player.bot or is_bot(player.id):
            raise Refusal("seat", sentence("tie.guest_asks"))
        issuers, version = self.services.issuers, self.services.data_version()
        if version < TIES:
            raise Refusal("busy", sentence("race.updating"))
        other, once = issuers.check(token, now)
        if once and version < TIED_ACCOUNTS:
            raise Refusal("busy", sentence("race.updating"))
        # In what is stored of the ids of one account, a space stands between two of them.
        if not (once or is_guest(other.id)) or other.bot or is_bot(other.id) or " " in other.id:
            raise Refusal("token", sentence("tie.no_guest"))
        other = other._replace(marks=issuers.marks(other.id))
        self.services.policy.check_token(other, lambda: issuers.issued_at(token))
        return other, once

    async def _tie(self, request: Request, other: Player, token: str, once: str) -> None:
        """Raises Refusal, and StoreLost."""
        services, player = self.services, request.player
        known = await services.people.known(other.id)
        if known.account != player.id:
            await self._check(request, other, token, known)
            await self.tying.tie(other, player, once=once)
        tied = (other.id, *known.tied)
        request.session.player = services.policy.called(player.with_tied(*tied))
        await self.directives.tied(tied, player.id, player.name, services.clock())
        request.session.tell(wire.Tied(other.id, request.ref))

    async def _check(self, request: Request, other: Player, token: str, known: Known) -> None:
        """Raises Refusal for who can't be tied to anybody, or not to this player."""
        services = self.services
        if other.id == request.player.id:
            raise Refusal("token", sentence("tie.self"))
        if known.account and is_guest(other.id):
            (name,) = await services.people.names([known.account])
            raise tied_guest(name or known.account)
        if known.account or known.is_bot:
            raise Refusal("token", sentence("tie.other" if known.account else "tie.no_guest"))
        services.policy.check(request.session.address, *known.tied)
        token_at = services.issuers.issued_latest(token)
        if refusal := services.policy.gone(other.id, token_at, known.out_at):
            raise refusal

    async def _log_out(self, request: Request) -> None:
        """Raises StoreLost."""
        player, at = request.player.id, self.services.clock() + 1
        request.session.token_at = at  # this connection stays
        await self.services.people.log_out(player, at)
        await self.directives.log_out(player, at)
        request.session.tell(wire.LoggedOut(request.ref))

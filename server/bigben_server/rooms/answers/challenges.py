"""Challenges of one player to another: sends them, answers them, and tells both at once.

The room of an accepted challenge has a code that follows from the challenge, and is there before
the challenge is accepted. So there is one room, however often and wherever it is accepted.
"""

from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import PlayerId, RaceId
from bigben_protocol.sentence import sentence
from bigben_server.race import lobby, views
from bigben_server.race.daily import rules_named
from bigben_server.race.events import Opened, Player, Refusal, RoomAppend, check_version
from bigben_server.race.state import IDLE_MS
from bigben_server.rooms.registry import Rooms
from bigben_server.rooms.requests import Request
from bigben_server.rooms.services import Services
from bigben_server.scoring.results import DELETED_PREFIX, is_bot, is_guest
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.challenges import DAY_MS, Challenge, ChallengeStore
from bigben_server.tasks import not_cancelled

MOST_SENT: Final = 20
"""How many players one may challenge within a day."""
MOST_RECEIVED: Final = 20
"""How many challenges may wait for a player."""
_TRIES: Final = 5
"""How often what is stored is read again because something else was stored meanwhile."""
_ID_LENGTH: Final = 12

ChallengeMessage = wire.Challenge | wire.AnswerChallenge | wire.GetChallenges


@dataclass(slots=True, eq=False)
class Challenges:
    services: Services
    rooms: Rooms
    kept: ChallengeStore

    def answer(self, request: Request, message: ChallengeMessage) -> None:
        """Answer with all challenges of the player, once this one is stored. Raises Refusal."""
        now = self.services.clock()
        match message:
            case wire.Challenge(_, game, rules):
                self.services.quotas.challenges.check(request, now)
                rules_named(game, rules, "rules")
            case wire.AnswerChallenge(accept=True):
                self.services.policy.check_begin()
            case wire.AnswerChallenge() | wire.GetChallenges():
                pass
        self.services.read_later(request, lambda: self._answer(request, message))

    async def tell(self) -> None:
        """Tell the connections of this process, endlessly, whose challenges have changed."""
        quotas = self.services.quotas
        while not_cancelled():
            player = await self.rooms.pubsub.challenged.get()
            if player in quotas.players():
                shown = [one for one in quotas.sessions if one.challenges]
                for session in shown:
                    if session.player and session.player.id == player:
                        session.tell(await self.of(session.player))

    async def of(self, player: Player, ref: int = 0) -> wire.Challenges:
        """The challenges of a player, also under ids that were tied to them. Raises StoreLost."""
        now, me = self.services.clock(), (player.id, *player.tied)
        received = await self.kept.received(me, now)
        open_ = [one for one in received if one.state(now) in ("waiting", "accepted")]
        sent = await self.kept.sent(me, now)
        others = {one.by for one in open_} | {one.to for one in sent}
        names = await self._names(sorted(others))
        return wire.Challenges(
            tuple(_named(one.info(now, received=True), names) for one in open_),
            tuple(_named(one.info(now, received=False), names) for one in sent),
            ref,
        )

    async def _names(self, players: list[PlayerId]) -> dict[PlayerId, str]:
        """What these players are called by now, as far as the server knows."""
        if not players:
            return {}
        known = await self.services.people.names(players)
        by_operator = self.services.policy.names
        called = zip(players, known, strict=True)
        return {one: by_operator.get(one, name) for one, name in called}

    async def _answer(self, request: Request, message: ChallengeMessage) -> None:
        """Raises Refusal, StoreLost and Damaged."""
        for _ in range(_TRIES):
            if await self._done(request, message):
                request.session.tell(await self.of(request.player, request.ref))
                return
        raise Refusal("busy", views.READ_AGAIN)

    async def _done(self, request: Request, message: ChallengeMessage) -> bool:
        """Do what is asked; False if something else was stored meanwhile."""
        match message:
            case wire.Challenge():
                return await self._challenge(request.player, message)
            case wire.AnswerChallenge():
                return await self._reply(request, message)
            case wire.GetChallenges():
                return True

    # Sending

    async def _challenge(self, player: Player, wanted: wire.Challenge) -> bool:
        """Store a challenge; False if another was stored meanwhile. Idempotent. Raises Refusal."""
        now, me = self.services.clock(), (player.id, *player.tied)
        to = await self._account(PlayerId(wanted.player))
        self._check_player(to, me, now)
        theirs = await self.kept.received([to], now)
        before = next((one for one in theirs if one.by in me), None)
        if before and before.state(now) == "waiting":
            if (before.game, before.rules) == (wanted.game, wanted.rules):
                return True  # a client sends it again after a lost connection
            raise Refusal("conflict", sentence("challenge.already"))
        if before and before.state(now) == "declined":
            raise Refusal("limit", sentence("challenge.declined"))
        await self._check_many(to, me, theirs, now)
        names = await self._names([to])
        id_ = lobby.letters(self.services.random_bytes, _ID_LENGTH)
        both = (player.id, player.name, to, names[to])
        new = Challenge(id_, *both, wanted.game, wanted.rules, now)
        own = next((one for one in theirs if one.by == player.id), None)
        if not await self.kept.send(new, own):
            return False
        await self.kept.tell(to, player.id)
        return True

    async def _check_many(
        self, to: PlayerId, me: tuple[PlayerId, ...], theirs: list[Challenge], now: int
    ) -> None:
        """Raises Refusal if enough wait already."""
        mine = await self.kept.received(me, now)
        if any(one.by == to and one.state(now) == "waiting" for one in mine):
            raise Refusal("conflict", sentence("challenge.theirs"))
        if sum(one.state(now) == "waiting" for one in theirs) >= MOST_RECEIVED:
            raise Refusal("limit", sentence("challenge.most_received"))
        sent = await self.kept.sent(me, now)
        if sum(one.at > now - DAY_MS for one in sent) >= MOST_SENT:
            raise Refusal("limit", sentence("challenge.most_sent", most=MOST_SENT))

    async def _account(self, player: PlayerId) -> PlayerId:
        """The account of a tied player, or the player."""
        (alias,) = await Aliases(self.rooms.store).of([player])
        return alias.account if alias else player

    def _check_player(self, to: PlayerId, me: tuple[PlayerId, ...], now: int) -> None:
        """Raises Refusal if a player can't be challenged, whether they exist or not."""
        policy = self.services.policy
        if to in me:
            raise Refusal("conflict", sentence("challenge.self"))
        marks = self.services.issuers.marks(to)
        times = [policy.deleted[mark] for mark in marks if mark in policy.deleted]
        is_deleted = bool(times) and (0 in times or is_guest(to))
        nobody = ":" not in to or not to.isprintable() or to.startswith(DELETED_PREFIX)
        if nobody or is_bot(to) or is_deleted or policy.bans.of_player(to, now):
            raise Refusal("unknown", sentence("challenge.nobody"))

    # Answering

    async def _reply(self, request: Request, reply: wire.AnswerChallenge) -> bool:
        """Store the answer; False if another was stored meanwhile. Idempotent. Raises Refusal."""
        now, player = self.services.clock(), request.player
        received = await self.kept.received((player.id, *player.tied), now)
        before = next((one for one in received if one.id == reply.challenge), None)
        state = before.state(now) if before else "expired"
        if state == ("accepted" if reply.accept else "declined"):
            return True  # a client sends it again after a lost connection
        if before is None or state != "waiting":
            raise Refusal("phase", sentence("challenge.gone"))
        race = await self._open(request, before, now) if reply.accept else ""
        if not await self.kept.write(replace(before, answered_at=now, race=race), before):
            return False
        await self.kept.tell(await self._account(before.by), player.id)
        return True

    async def _open(self, request: Request, challenge: Challenge, now: int) -> RaceId:
        """Open the room of a challenge, or find it. Raises Refusal, StoreLost and Damaged."""
        store, both = self.rooms.store, (challenge.by, challenge.to)
        opened = lobby.challenged(
            challenge.game, challenge.rules, both, now, self.services.random_bytes
        )
        check_version(opened, store.version)
        self.services.quotas.rooms.check(request, now)
        for code in lobby.challenge_codes(challenge.id):
            if not await store.events(code, most=1):
                # Refused if another process is first.
                await store.append([RoomAppend(code, 1, opened)], {code: now + IDLE_MS})
            (first, *_) = await store.events(code, most=1)
            if isinstance(first, Opened) and first.invited == both:
                return code
        raise AssertionError("there is always another code")


def _named(info: wire.ChallengeInfo, names: dict[PlayerId, str]) -> wire.ChallengeInfo:
    return replace(info, name=names.get(info.player) or info.name)

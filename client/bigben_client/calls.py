"""All that a front end can ask, one method a question. Waits for answers; sends nothing itself."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from bigben_client.errors import ClientClosed, RefusedError
from bigben_client.fairness import Finding, check
from bigben_client.session import Request
from bigben_client.uplink import Uplink
from bigben_protocol import (
    By,
    Create,
    CreateGroup,
    Diff,
    GetGroups,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRecord,
    GetStandings,
    Groups,
    Join,
    JoinGroup,
    Leaderboard,
    Leave,
    LeaveGroup,
    Left,
    Link,
    Period,
    Pong,
    Profile,
    Ready,
    Record,
    Rematch,
    Reveal,
    Room,
    Standings,
    Start,
    Unready,
    Watch,
)

Answered = TypeVar("Answered", Room, Left, Standings, Record, Leaderboard, Profile, Groups, Link)

NONCE_BYTES: Final = 32

MOST_NONCES: Final = 100
"""Beyond these the one that was used longest ago is forgotten. A race that goes on keeps its
own: no player is in so many live races at once.
"""


class Calls:
    """The questions. Each raises RefusedError, and ClientClosed; none minds a lost connection."""

    def __init__(self, uplink: Uplink, nonce_source: Callable[[int], bytes]) -> None:
        self._uplink = uplink
        self._nonce_source = nonce_source
        self._nonces: dict[str, str] = {}

    @property
    def nonces(self) -> Mapping[str, str]:
        """What this side mixed into the seeds of the last live races, in hex: a Reveal must repeat
        it.
        """
        return self._nonces

    # Races, by ``Room.race``

    async def create(
        self,
        *,
        game: str = "bigben",
        rules: str = "standard",
        limit_ms: int = 3_600_000,
        undo: bool = False,
        invite_only: bool = False,
        practice: bool = False,
        seed: str = "",
    ) -> Room:
        """Open a room, or a practice game alone. Called into a breaking connection, it may leave
        an empty room behind.
        """
        create = Create(game, rules, limit_ms, undo, invite_only, practice, seed)
        return await self._ask(create, Room)

    async def join(self, race: str) -> Room:
        """Take a seat, or come back to it; ``daily`` is today's."""
        return await self._ask(Join(race), Room)

    async def watch(self, race: str) -> Room:
        """Follow a race without a seat."""
        return await self._ask(Watch(race), Room)

    async def leave(self, race: str) -> None:
        """Give the seat up before the start, or follow no longer."""
        await self._ask(Leave(race), Left)

    async def ready(self, race: str) -> Room:
        """Live: ready for the countdown. Daily and practice: show the cards, start the clock."""
        room = self._uplink.session.rooms.get(race)
        nonce = "" if room and room.kind != "live" else self._nonce(race)
        return await self._ask(Ready(race, nonce), Room)

    async def unready(self, race: str) -> Room:
        """Take ``ready`` back, before the countdown."""
        return await self._ask(Unready(race), Room)

    async def start(self, race: str) -> Room:
        """As the host: start with those who are ready."""
        return await self._ask(Start(race), Room)

    async def rematch(self, race: str) -> Room:
        """The room that follows this closed race, opened if it is not yet."""
        return await self._ask(Rematch(race), Room)

    async def move(self, race: str, text: str) -> Diff:
        """Play, once every earlier move of this race is answered. Durable when it returns.

        Cancelled, it may still be played.
        """
        self._uplink.check_open()
        ticket = self._uplink.session.ticket()
        answer = await self._uplink.answer(ticket, self._uplink.session.move(ticket, race, text))
        assert isinstance(answer, Diff), "a move is answered by Diff"
        return answer

    # What has been

    async def standings(self, race: str, *, start: int = 0, only: Sequence[str] = ()) -> Standings:
        """Up to a hundred places as they are, from ``start`` on, or of these players only."""
        return await self._ask(GetStandings(race, start=start, only=tuple(only)), Standings)

    async def standings_and_own(self, race: str) -> Standings:
        """The best hundred, and after them one's own place where it is not among theirs."""
        best, me = await self.standings(race), self._uplink.session.player
        if len(best.rows) == best.players or any(row.player == me for row in best.rows):
            return best
        own = await self.standings(race, only=[me])
        return msgspec.structs.replace(best, rows=best.rows + own.rows)

    async def all_standings(self, race: str) -> Standings:
        """Every place of a race that is closed, however many they are."""
        page = await self.standings(race)
        rows = page.rows
        while page.rows and len(rows) < page.players:
            page = await self.standings(race, start=len(rows))
            rows += page.rows
        return msgspec.structs.replace(page, rows=rows)

    async def record(self, race: str, player: str = "") -> Record:
        """Every move of a seat, one's own if ``player`` is empty."""
        return await self._ask(GetRecord(race, player), Record)

    async def check(self, race: str, *, patience: float = 10.0) -> tuple[Finding, ...]:
        """Whether a closed race ended as what was kept of it says. Empty if nothing was kept.

        ``patience``: seconds to wait for the deal, which the server tells unasked. Raises
        RefusedError while the race is not closed.
        """
        session = self._uplink.session
        kept = session.kept.get(race)
        if kept is None or kept.player != session.player:
            return ()
        followed = race in session.rooms
        room = session.rooms[race] if followed else await self.watch(race)
        try:
            if room.phase != "closed":
                text = "This race is not closed yet; the deal is revealed and checked when it is."
                raise RefusedError("phase", text, race)
            async with asyncio.timeout(patience):
                reveal = await self._reveal(race)
            return check(kept, room, reveal, await self.record(race))
        except TimeoutError:
            text = "The server has not revealed the deal of this race, though it is closed."
            return (Finding("server seed", None, text),)
        finally:
            if not followed:
                await self.leave(race)

    async def leaderboard(
        self,
        *,
        date: str = "",
        game: str = "bigben",
        rules: str = "standard",
        start: int = 0,
        count: int = 20,
        period: Period = "daily",
        by: By = "points",
        group: str = "",
        around: bool = False,
    ) -> Leaderboard:
        """A page of a board; the fields are those of GetLeaderboard."""
        wanted = GetLeaderboard(
            date, game, rules, start, count, period=period, by=by, group=group, around=around
        )
        return await self._ask(wanted, Leaderboard)

    async def profile(self, player: str = "", *, against: str = "") -> Profile:
        """Streaks, records and ratings, one's own if ``player`` is empty."""
        return await self._ask(GetProfile(player, against), Profile)

    # Groups of friends

    async def groups(self) -> Groups:
        """Those one belongs to."""
        return await self._ask(GetGroups(), Groups)

    async def create_group(self, name: str) -> Groups:
        """A new one; its code is in the answer."""
        return await self._ask(CreateGroup(name), Groups)

    async def join_group(self, code: str) -> Groups:
        """Belong to it from now on."""
        return await self._ask(JoinGroup(code), Groups)

    async def leave_group(self, group: str) -> Groups:
        """Belong to it no longer."""
        return await self._ask(LeaveGroup(group), Groups)

    # Other front ends

    async def link(self) -> Link:
        """A token that carries this player to another front end, once."""
        return await self._ask(GetLink(), Link)

    # The clock

    async def ping(self) -> int:
        """Measure the way there and back, in ms; makes ``now_at`` more exact."""
        self._uplink.check_open()
        ticket, sent = self._uplink.session.ticket(), self._uplink.dialling.clock_ms()
        pong = await self._uplink.answer(ticket, self._uplink.session.ping(ticket))
        assert isinstance(pong, Pong), "a ping is answered by Pong"
        received = self._uplink.dialling.clock_ms()
        self._uplink.clock.sample(sent=sent, received=received, now_at=pong.now_at)
        return received - sent

    # How

    async def _reveal(self, race: str) -> Reveal:
        """The deal, which comes by itself to all who follow a closed race."""
        self._uplink.check_open()
        ticket = self._uplink.session.ticket()
        reveal = await self._uplink.answer(ticket, self._uplink.session.reveal(ticket, race))
        assert isinstance(reveal, Reveal), "a Reveal was awaited"
        return reveal

    async def _ask(self, request: Request, kind: type[Answered]) -> Answered:
        self._uplink.check_open()
        ticket = self._uplink.session.ticket()
        answer = await self._uplink.answer(ticket, self._uplink.session.ask(ticket, request))
        if not isinstance(answer, kind):
            raise ClientClosed(
                f"The server answered with {type(answer).__name__} where {kind.__name__} was due: "
                "this client or the server is out of date."
            )
        return answer

    def _nonce(self, race: str) -> str:
        """One nonce for each race, as long as this client lives or its evidence is kept."""
        kept = self._uplink.session.kept.get(race)
        if kept and kept.nonce and kept.player == self._uplink.session.player:
            nonce = kept.nonce
        else:
            nonce = self._nonces.get(race) or self._nonce_source(NONCE_BYTES).hex()
        self._nonces.pop(race, None)
        self._nonces[race] = nonce  # as the last one
        if len(self._nonces) > MOST_NONCES:
            del self._nonces[next(iter(self._nonces))]
        return nonce

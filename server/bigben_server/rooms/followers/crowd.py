"""The followers of one room, if they are many: they hear of others' moves some at a time.

Nobody waits for them, and a move costs the same however many follow it.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from bigben_protocol import PlayerId, Progress
from bigben_server.accounts.tokens import GUEST
from bigben_server.race.broadcasts.visible import SMALL_FIELD, Changes, who_see
from bigben_server.race.events import SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.transitions import OVER
from bigben_server.rooms.session import EncodedOnce, Session
from bigben_server.supervisor import Supervisor

CROWD: Final = 50
"""The most followers that hear of every move at once."""
PERIOD_S: Final = 0.25
EACH_PERIOD: Final = 25
"""Followers of a crowd that hear of moves in one period."""
LARGE_CROWD: Final = 250
"""If there are more, they hear of moves when they are pinged, in the same write, so that a move
costs no more for them. See docs/performance.md."""
AT_ONCE: Final = 200
"""Followers that are written to in one turn of the event loop, a few ms."""


class Crowd:
    """Tells followers what need not be told at once. All that it tells is durable."""

    def __init__(
        self,
        race: Race,
        followers: Mapping[PlayerId, dict[Session, int]],
        announced: Mapping[PlayerId, SeatStatus],
    ) -> None:
        """``followers``: their sessions, with the last change that each has heard of.

        ``announced``: the statuses that may be told; those of the race may be newer.
        """
        self.race = race
        """Set it when the race was read again."""
        self.changes = Changes()
        self._followers = followers
        self._announced = announced
        self._unflushed: list[Session] = []
        self._ended: list[PlayerId] = []
        self._frames: dict[tuple[PlayerId, ...], EncodedOnce] = {}
        """Progress of these seats: in a quiet race many followers hear the same."""
        self._untold: list[PlayerId] = []
        """The followers who were not told in this round."""
        self._round = 0
        """The last change when this round began."""
        self._telling = False

    @property
    def is_one(self) -> bool:
        """Whether progress must be told by this crowd, and not to all followers at once."""
        many = len(self._followers) > CROWD or len(self.race.seats) > SMALL_FIELD
        return many or self._has_untold

    @property
    def _has_untold(self) -> bool:
        return bool(self._untold) or self._round < self.changes.number

    @property
    def _waits(self) -> bool:
        """Whether there is something to tell or write before the next pings."""
        if self._unflushed or self._ended:
            return True
        return len(self._followers) <= LARGE_CROWD and self._has_untold

    def hear(self, progress: Progress) -> None:
        """Tell of this progress later; if a seat is over, within a period."""
        self._frames.clear()
        for seat in progress.seats:
            self.changes.add(seat.player)
            if seat.state in OVER:
                self._ended.append(seat.player)

    def forget_progress(self) -> None:
        """Tell no more progress: the race is closed, and the standings say it all."""
        self.changes.forget()
        self._ended, self._untold, self._round = [], [], self.changes.number

    def flush_soon(self, sessions: Iterable[Session]) -> None:
        """Write what was put for these sessions."""
        self._unflushed += sessions

    def start(self, supervisor: Supervisor) -> None:
        """Tell what waits, as a task; calling it again changes nothing."""
        if not self._telling and self._waits:
            self._telling = True
            supervisor.start("telling the followers of a race", self._tell_all)

    def tell(self, session: Session) -> None:
        """Write to a session what it has not heard of, if it follows the race."""
        assert session.player is not None, "only players follow"
        player, number = session.player.id, self.changes.number
        sessions = self._followers.get(player, {})
        since = sessions.get(session, number)
        if since == number:
            return
        sessions[session] = number
        if len(self.race.seats) <= SMALL_FIELD or self._is_front_end(player):
            seen = self.changes.since(since)
        else:
            seen = self.changes.visible(player, since, self.race.ranking)
        if seen:
            if seen not in self._frames:
                self._frames[seen] = EncodedOnce(self._progress(seen))
            self._frames[seen].put(session)
            session.flush()

    async def _tell_all(self) -> None:
        try:
            while self._waits:
                await self._flush()
                await asyncio.sleep(PERIOD_S)
                await self._tell_ends()
                if len(self._followers) <= LARGE_CROWD:
                    self._tell_some()
        finally:
            self._telling = False

    async def _flush(self) -> None:
        while self._unflushed:
            some, self._unflushed = self._unflushed[:AT_ONCE], self._unflushed[AT_ONCE:]
            for session in some:
                session.flush()
            await asyncio.sleep(0)

    async def _tell_ends(self) -> None:
        """Tell everybody who sees a seat that is over."""
        ended, self._ended = self._ended, []
        if not ended:
            return
        seeing = who_see(ended, self.race.ranking, len(self.race.seats))
        followers = [
            player
            for player in self._followers
            if seeing is None or player in seeing or self._is_front_end(player)
        ]
        for start in range(0, len(followers), AT_ONCE):
            self._tell_sessions(followers[start : start + AT_ONCE])
            await asyncio.sleep(0)

    def _tell_some(self) -> None:
        """Continue the round, or begin the next one."""
        if not self._untold:
            self._untold, self._round = list(self._followers), self.changes.number
        some, self._untold = self._untold[:EACH_PERIOD], self._untold[EACH_PERIOD:]
        self._tell_sessions(some)

    def _tell_sessions(self, players: Iterable[PlayerId]) -> None:
        for player in players:
            for session in self._followers.get(player, ()):  # none if they have left
                self.tell(session)

    def _progress(self, players: Iterable[PlayerId]) -> Progress:
        """These seats as they were last announced."""
        seats, statuses = self.race.seats, self._announced
        known = (player for player in players if player in seats and player in statuses)
        rows = (seats[one].shown(statuses[one]) for one in known)
        return Progress(self.race.id, tuple(rows))

    def _is_front_end(self, player: PlayerId) -> bool:
        """Whether it follows for players of its own, as a chat platform's bot does."""
        return player not in self.race.seats and not player.startswith(f"{GUEST}:")

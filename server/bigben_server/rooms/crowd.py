"""The followers of one room, if they are many: they hear of others' moves some at a time.

Nobody waits for them, and a move costs the same however many follow it.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from bigben_protocol import PlayerId, Progress, Standing
from bigben_server.accounts.tokens import GUEST
from bigben_server.race.events import SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.transitions import OVER
from bigben_server.race.visible import SMALL_FIELD, Visible, visible
from bigben_server.rooms.session import EncodedOnce, Session
from bigben_server.supervisor import Supervisor

CROWD: Final = 50
"""Up to so many followers hear of every move at once."""
PERIOD_S: Final = 0.25
EACH_PERIOD: Final = 25
"""Followers of a crowd that hear of moves in one period. Of two moves a second, one that 1,000
follow then costs 50 writes instead of 1,000: 2 ms of CPU instead of 20 on the same machine."""
AT_ONCE: Final = 200
"""Followers that are written to in one turn of the event loop, a few ms."""


class Crowd:
    """Tells followers what need not be told at once. All that it tells is durable."""

    def __init__(
        self,
        race: Race,
        followers: Mapping[PlayerId, Mapping[Session, None]],
        announced: Mapping[PlayerId, SeatStatus],
    ) -> None:
        """``announced``: the statuses that may be told; those of the race may be newer."""
        self.race = race
        """Set it when the race was read again."""
        self._followers = followers
        self._announced = announced
        self._unflushed: list[Session] = []
        self._moved: dict[PlayerId, None] = {}
        self._ended: dict[PlayerId, None] = {}
        self._round: Visible = Visible((), (), {})
        """What followers are told now; what changes meanwhile is for the next round."""
        self._untold: list[PlayerId] = []
        """The followers who have not been told of this round."""
        self._telling = False

    @property
    def is_one(self) -> bool:
        """Whether progress must be told by this crowd, and not to all followers at once."""
        many = len(self._followers) > CROWD or len(self.race.seats) > SMALL_FIELD
        return many or self.waits

    @property
    def waits(self) -> bool:
        """Whether there is something to tell. Then call ``start``."""
        return bool(self._unflushed or self._moved or self._ended or self._untold)

    def hear(self, progress: Progress) -> None:
        """Tell of this progress within the next rounds; if a seat is over, within a period."""
        for seat in progress.seats:
            self._moved.pop(seat.player, None)
            (self._ended if seat.state in OVER else self._moved)[seat.player] = None

    def forget_progress(self) -> None:
        """Tell no more progress: the race is closed, and the standings say it all."""
        self._moved, self._ended, self._untold = {}, {}, []

    def flush_soon(self, sessions: Iterable[Session]) -> None:
        """Write what was put for these sessions."""
        self._unflushed += sessions

    def start(self, supervisor: Supervisor) -> None:
        """Tell what waits, as a task; calling it again changes nothing."""
        if self.waits and not self._telling:
            self._telling = True
            supervisor.start("telling the followers of a race", self._tell)

    async def _tell(self) -> None:
        try:
            while self.waits:
                await self._flush()
                await asyncio.sleep(PERIOD_S)
                await self._tell_ends()
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
        """Tell everybody who sees them of the seats that are over."""
        ended, self._ended = self._ended, {}
        seen = self._seen(ended)
        followers = self._who_see(seen)
        for start in range(0, len(followers), AT_ONCE):
            self._send(seen, followers[start : start + AT_ONCE])
            await asyncio.sleep(0)

    def _tell_some(self) -> None:
        """Continue the round, or begin the next one."""
        if not self._untold:
            moved, self._moved = self._moved, {}
            self._round = self._seen(moved)
            self._untold = self._who_see(self._round)
        some, self._untold = self._untold[:EACH_PERIOD], self._untold[EACH_PERIOD:]
        self._send(self._round, some)

    def _seen(self, moved: Iterable[PlayerId]) -> Visible:
        return visible(moved, self.race.ranking, len(self.race.seats))

    def _progress(self, players: Iterable[PlayerId]) -> Progress:
        """These seats as they were last announced."""
        seats, statuses = self.race.seats, self._announced
        known = (player for player in players if player in seats and player in statuses)
        rows = (Standing(one, seats[one].name, *statuses[one][:5]) for one in known)
        return Progress(self.race.id, tuple(rows))

    def _who_see(self, seen: Visible) -> list[PlayerId]:
        if not seen.moved:
            return []
        if seen.by_all:
            return list(self._followers)
        here = [player for player in seen.by_player if player in self._followers]
        seatless = self._followers.keys() - self.race.seats.keys()
        return here + [player for player in seatless if self._is_front_end(player)]

    def _is_front_end(self, player: PlayerId) -> bool:
        """Whether it follows for players of its own, as a chat platform's bot does."""
        return player not in self.race.seats and not player.startswith(f"{GUEST}:")

    def _send(self, seen: Visible, followers: Iterable[PlayerId]) -> None:
        """Send these followers the seats that they see."""
        shared = EncodedOnce(self._progress(seen.by_all))
        for player in followers:
            message = shared
            if self._is_front_end(player):
                message = EncodedOnce(self._progress(seen.moved))
            elif more := seen.by_player.get(player):
                message = EncodedOnce(self._progress((*seen.by_all, *more)))
            for session in self._followers.get(player, ()):  # none if they have left
                session.put_frame(message.frame(session))
                session.flush()

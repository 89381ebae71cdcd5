"""Dailies of yesterday and today with chosen deals, written beside a running server. No tests."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from tests.fairness.races import Racing, sit_down
from tests.support.server_process import UNHURRIED, ServerProcess, serving

from bigben_protocol import Chosen, RaceId
from bigben_server.race import timers
from bigben_server.race.daily import Daily, opened
from bigben_server.race.deciding import decide
from bigben_server.race.decisions import Request
from bigben_server.race.events import Append, Player, RoomAppend
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store
from bigben_solver.choosing import shorter, tried

DEAL: Final = 1
SEED: Final = bytes.fromhex(
    opened(Daily(date(2026, 11, 21), "bigben", "standard"), b"").server_seed
)
"""Of which this deal can be won, always in the same way."""


class Written(Racing):
    """A daily whose log is kept, so that it can be written."""

    def __init__(self, days_ago: int, chosen: Chosen, rules: str = "standard") -> None:
        which = Daily(datetime.now(UTC).date() - timedelta(days_ago), "bigben", rules)
        seed = SEED.hex() if days_ago else opened(which, b"").server_seed
        first = replace(opened(which, b""), server_seed=seed, chosen=chosen)
        super().__init__(Race(which.id, [first]), first.at)
        self.appends: list[Append] = [RoomAppend(which.id, 1, first)]

    def say(self, player: Player, message: RaceMessage) -> None:
        self.appends += decide(self.race, Request(message, player), self.now).appends

    def end(self) -> None:
        """Let the day end."""
        self.now = self.race.closes_at
        while due := timers.tick(self.race, self.now):
            self.appends += due


class Graded:
    """A server whose daily of yesterday is hard, and today's of the book; today's is not graded."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        line = tried(SEED, DEAL, "bigben", "standard")
        assert line is not None
        self.line = line.line
        self.par_line = shorter(SEED, DEAL, "bigben", "standard", line.line, 0)
        self.par, self.moves = len(self.par_line), len(self.line)
        assert self.par < self.moves, "they can be told apart"
        self._write(Written(0, Chosen(DEAL, "hard", ("turn",)), "book"))

    def close_yesterday(self, winner: Player, *others: Player) -> RaceId:
        """Yesterday's daily: the winner needed more moves than par, and the others gave up.

        Call it once, before anybody asks for that daily.
        """
        daily = Written(1, Chosen(DEAL, "hard", self.par_line))
        start = daily.now + 1000
        for player in (winner, *others):
            sit_down(daily, player, start)
        daily.play(winner, *self.line)
        for player in others:
            daily.play(player, "resign")
        daily.end()
        self._write(daily)
        return daily.race.id

    def _write(self, daily: Written) -> None:
        async def written() -> None:
            async with client_of(self.server.redis_url) as client:
                agenda = {daily.race.id: daily.race.closes_at}
                refused = await Store(client).append(daily.appends, agenda)
                assert not refused, "somebody has asked for this daily already"

        # Another event loop may run in this thread.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, written()).result()


@contextmanager
def serving_graded(folder: Path, **settings: str) -> Iterator[Graded]:
    """Such a server. It chooses no deals itself."""
    with serving(folder, {**UNHURRIED, "BIGBEN_THINKERS": "0", **settings}) as server:
        yield Graded(server)

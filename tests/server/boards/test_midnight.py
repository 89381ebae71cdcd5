"""A whole server over midnight: the day closes, and only then points and ratings are given."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest

from bigben_protocol import (
    CODECS,
    JSON,
    ClientMessage,
    GetLeaderboard,
    GetProfile,
    Hello,
    Join,
    Leaderboard,
    Move,
    Profile,
    Ready,
    Reveal,
    ServerMessage,
    Snapshot,
    Standings,
    Streak,
    Welcome,
)
from bigben_server.app import App
from bigben_server.config import Limits
from bigben_server.identity import Issuers
from bigben_server.redis_client import Client
from bigben_server.redis_news import NewsWire
from bigben_server.redis_store import Store
from bigben_server.session import Session

MIDNIGHT = 1_795_305_600_000
"""Between 21 and 22 November 2026, UTC."""
PATIENCE_S = 20
SECRET = b"a secret of at least thirty-two bytes"
_Kind = TypeVar("_Kind", bound=ServerMessage)


class Clock:
    """A clock that the test sets."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class Guest:
    """A player without a socket."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._codec = CODECS[JSON]
        self._heard: asyncio.Queue[ServerMessage] = asyncio.Queue()
        self._session = Session(self._codec, self._hear, lambda code, reason: None)

    def say(self, *messages: ClientMessage) -> None:
        for message in messages:
            self._app.receive(self._session, message)

    async def until(
        self, kind: type[_Kind], wanted: Callable[[_Kind], bool] = lambda _: True
    ) -> _Kind:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = await self._heard.get()
                if isinstance(message, kind) and wanted(message):
                    return message

    async def ask(self, message: ClientMessage, kind: type[_Kind]) -> _Kind:
        self.say(message)
        return await self.until(kind)

    def _hear(self, frames: list[bytes]) -> None:
        for frame in frames:
            self._heard.put_nowait(self._codec.decode_server(frame.decode()))


@asynccontextmanager
async def running(client: Client, clock: Clock) -> AsyncIterator[App]:
    wire = NewsWire(client, "test")
    app = App(
        Store(client),
        wire,
        Issuers.of(SECRET, {}),
        SECRET,
        Limits(),
        clock=clock,
        random_bytes=secrets.token_bytes,
        revive=_never,
    )
    started = asyncio.Event()
    task = asyncio.create_task(app.run(started.set))
    await started.wait()
    try:
        yield app
    finally:
        task.cancel()
        await asyncio.wait([task])
        await wire.close()


async def _never() -> None:
    raise AssertionError("Redis was never lost")


@pytest.mark.usefixtures("store")
async def test_the_day_is_settled_at_its_close_and_counts_for_itself(client: Client) -> None:
    # So short before midnight that the server looks at the clock again and again.
    clock = Clock(MIDNIGHT - 50)
    async with running(client, clock) as app:
        ada, bob = Guest(app), Guest(app)
        for guest, name in ((ada, "Ada"), (bob, "Bob")):
            await guest.ask(Hello(name), Welcome)
            guest.say(Join("daily"), Ready("daily"))
        race = (await ada.until(Snapshot)).race
        await bob.until(Snapshot)
        ada.say(Move(race, 1, "resign"))
        await ada.until(Reveal)
        # Ada's result is there; Bob still plays, and nobody has points.
        day = GetLeaderboard(date="2026-11-21")
        week = GetLeaderboard(period="weekly", date="2026-11-21")
        assert [row.name for row in (await ada.ask(day, Leaderboard)).rows] == ["Ada"]
        assert (await ada.ask(week, Leaderboard)).total == 0

        clock.now = MIDNIGHT + 1
        final = await bob.until(Standings, lambda standings: standings.final)
        # Equal keys: neither brought a card home.
        assert {row.state: row.place for row in final.rows} == {"resigned": 1, "timed out": 1}
        board = await bob.ask(week, Leaderboard)
        async with asyncio.timeout(PATIENCE_S):
            while not board.total:
                board = await bob.ask(week, Leaderboard)
        assert [(row.place, row.points) for row in board.ranked] == [(1, 50), (1, 50)]
        daily = await bob.ask(day, Leaderboard)
        assert [row.place for row in daily.rows] == [1, 1]
        assert daily.mine is not None
        assert daily.mine.state == "timed out"
        # Recorded after midnight, it counts for its own day.
        (tally,) = (await bob.ask(GetProfile(), Profile)).tallies
        async with asyncio.timeout(PATIENCE_S):
            while not tally.rated:  # which comes after the points
                (tally,) = (await bob.ask(GetProfile(), Profile)).tallies
        assert (tally.played, tally.rated, tally.days_played) == (1, 1, Streak(1, 1))
        clock.now = MIDNIGHT + 86_400_000
        (tally,) = (await bob.ask(GetProfile(), Profile)).tallies
        assert tally.days_played == Streak(0, 1)

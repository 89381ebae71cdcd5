"""Everything that players do, for as long as it must go on."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from typing import Any, Final
from urllib.request import urlopen

from benchmarks.soak.lines import Lines
from bigben_client import Backoff, Client, RefusedError

TABLES: Final = 8
"""Live rooms at a time, each of four new guests and a spectator."""
LONERS: Final = 4
"""Guests with one practice game after another."""
REGULARS: Final = 6
"""Players of the daily races, who stay: such a race keeps everybody who has joined it."""
_MOVE_S: Final = 0.05
_CUT_S: Final = 0.4
"""How often a connection breaks."""
_ASK_S: Final = 0.1
"""How often somebody asks for a page or for a board."""
_GAMES: Final = ("bigben", "grandfathersclock", "watch")
_PATHS: Final = ("/", "/api/games", "/api/leaderboard", "/api/leaderboard?period=week", "/health")


class Load:
    """The players of a server, who come, play, lose their connections, watch, ask and leave."""

    def __init__(self, port: int, draw: random.Random, *, tables: int = TABLES) -> None:
        self.done: Counter[str] = Counter()
        """What was done, and how often."""
        self._tables = tables
        self._stopping = asyncio.Event()
        self._port = port
        self._draw = draw
        self._lines = Lines(port)

    async def run(self) -> None:
        """Go on until ``stop``, and return when everybody has left."""
        async with self._lines, asyncio.TaskGroup() as group:
            for number in range(self._tables):
                group.create_task(self._repeat(self._live_races, number))
            for number in range(LONERS):
                group.create_task(self._repeat(self._practice, number))
            for number in range(REGULARS):
                group.create_task(self._daily(number))
            group.create_task(self._repeat(self._cut, 0))
            group.create_task(self._repeat(self._ask, 0))

    def stop(self) -> None:
        self._stopping.set()

    # Any: what a coroutine is sent and what it returns do not matter.
    async def _repeat(self, what: Callable[[int], Coroutine[Any, Any, None]], number: int) -> None:
        while not self._stopping.is_set():
            with suppress(RefusedError):  # a move under way while its connection broke
                await what(number)

    async def _live_races(self, number: int) -> None:
        """A race of new guests, watched by another, and often a rematch."""
        async with AsyncExitStack() as stack:
            players = [await stack.enter_async_context(self._client(f"P{i}")) for i in range(4)]
            watcher = await stack.enter_async_context(self._client("Eve"))
            host = players[0]
            race = (await host.create(limit_ms=600_000)).race
            while True:
                await asyncio.gather(*(one.join(race) for one in players[1:]))
                await watcher.watch(race)
                await asyncio.gather(*(one.ready(race) for one in players))
                await asyncio.gather(*(self._play(one, race) for one in players))
                await watcher.leave(race)
                self.done["live races"] += 1
                if self._stopping.is_set() or self._draw.random() < 0.5:
                    return
                race = (await host.rematch(race)).race

    async def _practice(self, number: int) -> None:
        async with self._client("Lone") as one:
            race = (await one.create(practice=True, game=self._draw.choice(_GAMES))).race
            await one.ready(race)
            await self._play(one, race)
            self.done["practice games"] += 1

    async def _daily(self, number: int) -> None:
        """Play the daily of one game slowly, and watch that of another now and then."""
        games = [f"daily.{game}" for game in _GAMES]
        mine, other = games[number % len(games)], games[(number + 1) % len(games)]
        async with self._client(f"R{number}") as one:
            race = (await one.join(mine)).race
            await one.ready(race)
            while not self._stopping.is_set():
                view = one.views.get(race)
                with suppress(RefusedError):
                    if view and view.state == "playing" and view.legal:
                        await one.move(race, self._draw.choice(view.legal))
                        self.done["moves"] += 1
                    watched = (await one.watch(other)).race
                    await one.leave(watched)
                    await one.races()
                    await one.profile()
                await self._pause(1.0)

    async def _play(self, one: Client, race: str) -> None:
        """Some moves, and the end of the game."""
        while race not in one.views:  # noqa: ASYNC110
            await asyncio.sleep(_MOVE_S)
        for _ in range(self._draw.randrange(20, 120)):
            view = one.views[race]
            if view.state != "playing" or not view.legal or self._stopping.is_set():
                break
            await one.move(race, self._draw.choice(view.legal))
            self.done["moves"] += 1
            await asyncio.sleep(_MOVE_S)
        if one.views[race].state == "playing":
            await one.move(race, "resign")
        self.done["games"] += 1

    async def _cut(self, number: int) -> None:
        self.done["broken connections"] += self._lines.cut(self._draw)
        await self._pause(_CUT_S)

    async def _ask(self, number: int) -> None:
        url = f"http://127.0.0.1:{self._port}{self._draw.choice(_PATHS)}"
        with suppress(OSError):
            await asyncio.to_thread(lambda: urlopen(url).read())
        self.done["HTTP requests"] += 1
        await self._pause(_ASK_S)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    def _client(self, name: str) -> Client:
        self.done["players"] += 1
        return Client(self._lines.url, name=name, backoff=Backoff(first=0.05, longest=0.5))

"""Kills a worker under load with kill -9, and measures when the players of its races play on.

    python -m benchmarks.homes --races 50 --workers 3 --kills 5

The players of a race come to its home, because their addresses name the race. When that worker dies
they reconnect as every client does, and come to another. The time runs until each of them has had a
move acknowledged that was chosen after the kill. At the end the server's records are compared with
the acknowledged moves.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.chaos_checks import Acknowledged, forgotten
from benchmarks.servers import PATIENCE_S, UNLIMITED, ServerProcess
from bigben_client import Back, Client, Lost

AT_A_TABLE: Final = 4
PAUSE_S: Final = 0.25
"""Between two moves of a player."""
LASTED_S: Final = 21
"""How long a connection must last before its client is sure that the server is well."""


class Player:
    """One who plays one race, without end."""

    def __init__(self, client: Client, race: str, draw: random.Random) -> None:
        self.client = client
        self.race = race
        self.games: dict[str, Acknowledged] = {race: []}
        self.was_away = False
        """Whether the connection was lost since the last ``moved_since``."""
        self._draw = draw
        self._chosen_after = 0.0
        self._acknowledged = asyncio.Event()

    async def play(self) -> None:
        """Move again and again, until cancelled."""
        move = "undo"
        while True:
            chosen, view = time.monotonic(), self.client.views[self.race]
            # Back and forth, so that the game never ends.
            move = "undo" if move != "undo" else self._draw.choice(view.legal)
            diff = await self.client.move(self.race, move)
            self.games[self.race].append((diff.n, diff.move))
            if chosen >= self._chosen_after:
                self._acknowledged.set()
            await asyncio.sleep(PAUSE_S * 2 * self._draw.random())

    async def listen(self) -> None:
        """Handle all events, until cancelled."""
        async for event in self.client.events():
            self.was_away = self.was_away or isinstance(event, Lost | Back)

    async def moved_since(self, moment: float) -> float:
        """How many seconds after this moment a move was acknowledged that was chosen after it."""
        self.was_away = False
        self._acknowledged.clear()
        self._chosen_after = moment
        async with asyncio.timeout(PATIENCE_S):
            await self._acknowledged.wait()
        return time.monotonic() - moment


@asynccontextmanager
async def playing(
    url: str, races: int, draw: random.Random, lost: list[str]
) -> AsyncIterator[list[Player]]:
    """So many races of four, all under way. At the end ``lost`` has the games that lost moves."""
    players: list[Player] = []
    async with AsyncExitStack() as stack:

        async def enters(name: str, race: str = "") -> Client:
            return await stack.enter_async_context(Client(url, name=name, race=race))

        for _ in range(races):
            host = await enters("Host")
            race = (await host.create(game="grandfathersclock", undo=True)).race
            table = [host, *[await enters("Guest", race) for _ in range(AT_A_TABLE - 1)]]
            for guest in table[1:]:
                await guest.join(race)
            await asyncio.gather(*(client.ready(race) for client in table))
            players += [Player(one, race, random.Random(draw.random())) for one in table]
        async with asyncio.TaskGroup() as group:
            for player in players:
                while player.race not in player.client.views:  # noqa: ASYNC110  # the countdown
                    await asyncio.sleep(0.05)
            tasks = [group.create_task(player.play()) for player in players]
            tasks += [group.create_task(player.listen()) for player in players]
            yield players
            for task in tasks:
                task.cancel()
        for player in players:
            lost += await forgotten(player.client, player.games)


async def kill_worker(pid: int, players: list[Player]) -> list[float]:
    """Kill it; return how long each of its players waited until a move was acknowledged.

    It returns when everybody has moved again.
    """
    os.kill(pid, signal.SIGKILL)
    killed = time.monotonic()
    waited = await asyncio.gather(*(player.moved_since(killed) for player in players))
    return [seconds for player, seconds in zip(players, waited, strict=True) if player.was_away]


async def _run(options: argparse.Namespace) -> int:
    draw, workers, lost = random.Random(options.seed), options.workers, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "data", "--workers", f"{workers}", env=UNLIMITED)
        await server.start()
        try:
            async with playing(server.url, options.races, draw, lost) as players:
                for _ in range(options.kills):
                    before, began = _moves(players), time.monotonic()
                    # The oldest worker is killed, because nobody is on a new one yet. Clients whose
                    # connections have lasted reconnect soonest.
                    await asyncio.sleep(LASTED_S)
                    rate = (_moves(players) - before) / (time.monotonic() - began)
                    waited = await kill_worker(server.workers()[0], players)
                    print(
                        f"{len(waited)} of {len(players)} players, {rate:.0f} moves a second: all"
                        f" play on after {max(waited):.2f} s, half of them after"
                        f" {median(waited):.2f} s"
                    )
        finally:
            await server.stop()
    print(f"{_moves(players)} acknowledged moves, games with lost ones: {len(lost)}")
    return len(lost)


def _moves(players: list[Player]) -> int:
    return sum(len(moves) for player in players for moves in player.games.values())


def main() -> int:
    """Run the command. The exit code is 1 if anything was lost."""
    parser = argparse.ArgumentParser("python -m benchmarks.homes", description=__doc__)
    parser.add_argument("--races", type=int, default=50)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    return bool(asyncio.run(_run(parser.parse_args())))


if __name__ == "__main__":
    sys.exit(main())

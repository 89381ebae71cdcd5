"""Kill -9 the server or its Redis in the middle of play, again and again, and count what is lost.

    python -m benchmarks.chaos --kills 100 --clients 20
    python -m benchmarks.chaos --servers 2
    python -m benchmarks.chaos --workers 3

Twenty clients play one practice game after another. At a random moment a process is killed;
a dead server is started again, a dead Redis by the server itself. The next kill comes when every
client has had a move acknowledged since. At the end each game is read back and compared with
what was acknowledged: nothing may be missing, doubled or different.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.servers import ServerProcess, reserved_port
from bigben_client import Client
from bigben_client.backoff import Backoff

Acknowledged = list[tuple[int, str]]
"""Numbers and moves of one game, in the order in which their diffs came."""


@dataclass
class Tally:
    """What came of it."""

    kills: dict[str, int] = field(default_factory=dict)
    games: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kills = ", ".join(f"{n} of {what}" for what, n in self.kills.items())
        return (
            f"kills: {kills}; games: {self.games}; acknowledged moves: {self.acknowledged}; "
            f"lost, doubled or forked: {len(self.faults)}"
        )


class Player:
    """One client that plays for ever, and remembers what was acknowledged."""

    def __init__(self, client: Client, draw: random.Random) -> None:
        self._client = client
        self._draw = draw
        self.games: dict[str, Acknowledged] = {}
        self._moved = asyncio.Event()

    async def play(self) -> None:
        """Play one game after another until cancelled."""
        while True:
            room = await self._client.create(practice=True)
            acknowledged = self.games[room.race] = []
            await self._begin(room.race)
            while self._client.views[room.race].state == "playing":
                view = self._client.views[room.race]
                diff = await self._client.move(
                    room.race, self._draw.choice(view.legal or ("undo",))
                )
                acknowledged.append((diff.n, diff.move))
                self._moved.set()
                if len(acknowledged) == 120 and diff.state == "playing":
                    await self._client.move(room.race, "resign")
                    acknowledged.append((121, "resign"))
            await self._client.leave(room.race)

    async def _begin(self, race: str) -> None:
        """Ready, until the cards are there."""
        news = self._client.events()
        await self._client.ready(race)
        while race not in self._client.views:
            await anext(news)

    async def move_again(self) -> None:
        """Wait for the next acknowledged move."""
        self._moved.clear()
        await self._moved.wait()

    async def faults(self) -> list[str]:
        """What the server remembers otherwise than it acknowledged."""
        found: list[str] = []
        for race, acknowledged in self.games.items():
            record = await self._client.record(race)
            logged = [(n, move) for n, (_, move) in enumerate(record.moves, start=1)]
            # One move may be durable and its acknowledgement under way when all stops.
            if logged[: len(acknowledged)] != acknowledged or len(logged) > len(acknowledged) + 1:
                found.append(f"{race}: acknowledged {acknowledged}, logged {logged}")
        return found


@asynccontextmanager
async def playing(
    servers: Sequence[ServerProcess], clients: int, draw: random.Random, tally: Tally
) -> AsyncIterator[list[Player]]:
    """Clients that play on these servers, each on one of them. At the end ``tally`` is complete."""
    async with AsyncExitStack() as stack:
        players = [
            Player(
                await stack.enter_async_context(_client(servers[i % len(servers)], i)),
                random.Random(draw.random()),
            )
            for i in range(clients)
        ]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(player.play()) for player in players]
            await all_move(players)
            yield players
            await all_move(players)
            for task in tasks:
                task.cancel()
        for player in players:
            tally.faults += await player.faults()
            tally.games += len(player.games)
            tally.acknowledged += sum(map(len, player.games.values()))


async def all_move(players: Sequence[Player]) -> None:
    """Until everyone is back and has moved."""
    await asyncio.gather(*(player.move_again() for player in players))


async def chaos(
    servers: Sequence[ServerProcess], kills: int, clients: int, draw: random.Random
) -> Tally:
    """Play on started servers with one data folder and kill ``kills`` times. They are left running.

    Of a server with workers only these are killed.
    """
    tally = Tally()
    async with playing(servers, clients, draw, tally) as players:
        for _ in range(kills):
            await asyncio.sleep(draw.random() * 0.1)  # the random moment
            victim = draw.choice(["worker" if servers[0].workers() else "server", "Redis"])
            await _kill(draw.choice(servers), victim, draw)
            tally.kills[victim] = tally.kills.get(victim, 0) + 1
            print(f"\rkilled {sum(tally.kills.values())} of {kills}", end="", file=sys.stderr)
            await all_move(players)
    print(file=sys.stderr)
    return tally


def _client(server: ServerProcess, i: int) -> Client:
    return Client(server.url, name=f"Player {i}", backoff=Backoff(first=0.05, longest=0.5))


async def _kill(server: ServerProcess, victim: str, draw: random.Random) -> None:
    if victim == "server":
        await server.kill()
        await server.start()
        return
    if victim == "worker":
        os.kill(draw.choice(server.workers()), signal.SIGKILL)
        return
    # Moves that were durable before the last kill may have been acknowledged only after it.
    while (pid := redis_pid(server.data)) is None:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    os.kill(pid, signal.SIGKILL)


def redis_pid(data: Path) -> int | None:
    """The process that works in the data folder; None while there is none."""
    for process in Path("/proc").iterdir():
        with suppress(OSError):  # it ended while it was looked at
            name = (process / "comm").read_text() if process.name.isdigit() else ""
            if name.strip() == "redis-server" and (process / "cwd").readlink() == data.resolve():
                return int(process.name)
    return None


def main() -> int:
    """The command; exit code 1 when anything was lost."""
    parser = argparse.ArgumentParser("python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--servers", type=int, default=1, help="processes on one Redis")
    parser.add_argument("--workers", type=int, default=1, help="processes on one port")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    tally = asyncio.run(_run(options))
    print(f"{tally} (seed {options.seed})")
    for fault in tally.faults:
        print(fault, file=sys.stderr)
    return bool(tally.faults)


async def _run(options: argparse.Namespace) -> Tally:
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        servers: list[ServerProcess] = []
        async with AsyncExitStack() as stack:
            for _ in range(options.servers):
                port = stack.enter_context(reserved_port())
                workers = ("--workers", str(options.workers))
                servers.append(ServerProcess(Path(folder) / "data", *workers, port=port))
                stack.push_async_callback(servers[-1].stop)
                await servers[-1].start()
            return await chaos(servers, options.kills, options.clients, draw)


if __name__ == "__main__":
    sys.exit(main())

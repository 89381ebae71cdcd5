"""Kills the server or its Redis during play with kill -9, and counts what is lost.

    python -m benchmarks.chaos --kills 100 --clients 20
    python -m benchmarks.chaos --servers 2
    python -m benchmarks.chaos --workers 3
    python -m benchmarks.chaos --workers 3 --beside ../bigben-0.2.0

Twenty clients play live races at tables of four, the daily, a race with a deadline, and practice,
all at once. At a random moment a process is killed. A dead server is started again, the server
restarts a dead Redis, and a parent restarts a dead worker. Workers are also told to end, one after
another, as in an update. Closed races are packed and unpacked all the time. The next kill comes
when every client has had a move acknowledged since. At the end each game is read back and compared
with the acknowledged moves: none may be missing, repeated or different. The receipts of the closed
races must hold, boards and ratings must count each result once, and no client may have received
messages that contradict earlier ones.

``--beside``: servers of an older version run on the same Redis, from a checkout that has a .venv,
until they are updated at the end.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.chaos_packing import packing
from benchmarks.chaos_players import Tally, all_move, patience, playing
from benchmarks.servers import RACE_SERVER, ServerProcess, reserved_port

SERVER: Final = "server"
REDIS: Final = "Redis"
PARENT: Final = "parent of workers"
WORKER: Final = "worker"
EACH_WORKER: Final = "each worker in turn"
PACKER: Final = "packer"


async def chaos(
    servers: Sequence[ServerProcess],
    kills: int,
    clients: int,
    draw: random.Random,
    *,
    older: Sequence[ServerProcess] = (),
) -> Tally:
    """Play on running servers with one data folder, and kill ``kills`` times.

    Each kind of victim has its turn before any has another. The servers keep running; the older
    ones are updated at the end.
    """
    tally = Tally()
    kinds = [(victim, server) for server in servers for victim in _victims(server)]
    victims: list[tuple[str, ServerProcess]] = []
    with packing(servers[0].redis_url) as packer:
        async with playing([server.url for server in servers], clients, draw, tally) as players:
            for _ in range(kills):
                await asyncio.sleep(draw.random() * 0.1)  # the random moment
                victims = victims or draw.sample(kinds, len(kinds))
                victim, server = victims.pop()
                tally.finished.append(sum(len(player.finished) for player in players))
                if victim == PACKER:
                    packer.kill()
                else:
                    await _kill(server, victim, draw, partial(all_move, players))
                tally.kills[victim] = tally.kills.get(victim, 0) + 1
                print(f"\rkilled {sum(tally.kills.values())} of {kills}", end="", file=sys.stderr)
                await all_move(players)
            for server in older:
                await server.update()
                await all_move(players)
            async with patience(players):
                while "packed" not in packer.said:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            tally.packed = packer.said.count("packed")
            tally.faults += [said for said in packer.said if said.startswith("kept")]
    print(file=sys.stderr)
    return tally


def _victims(server: ServerProcess) -> Sequence[str]:
    of_server = (WORKER, EACH_WORKER, PARENT) if server.workers() else (SERVER,)
    return *of_server, REDIS, PACKER


async def _kill(
    server: ServerProcess,
    victim: str,
    draw: random.Random,
    meanwhile: Callable[[], Awaitable[None]],
) -> None:
    if victim in (SERVER, PARENT):
        await server.kill()
        await server.start()
    elif victim == WORKER:
        os.kill(draw.choice(server.workers()), signal.SIGKILL)
    elif victim == EACH_WORKER:
        for worker in server.workers():
            with suppress(ProcessLookupError):  # Redis was away, and it has ended by itself
                os.kill(worker, signal.SIGTERM)
            await meanwhile()
    else:
        # Moves that were durable before the last kill may have been acknowledged only after it.
        while (pid := redis_pid(server.data)) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        os.kill(pid, signal.SIGKILL)


def redis_pid(data: Path) -> int | None:
    """The process of the embedded store in the data folder; None if there is none."""
    for process in Path("/proc").iterdir():
        with suppress(OSError):  # it has just ended
            name = (process / "comm").read_text() if process.name.isdigit() else ""
            ours = name.strip() in ("valkey-server", "redis-server")
            if ours and (process / "cwd").readlink() == data.resolve():
                return int(process.name)
    return None


def main() -> int:
    """Run the command. The exit code is 1 if anything was lost."""
    parser = argparse.ArgumentParser("python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--servers", type=int, default=1, help="processes on one Redis")
    parser.add_argument("--workers", type=int, default=1, help="processes on one port")
    parser.add_argument("--beside", help="a checkout of an older version that serves too")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    tally = asyncio.run(_run(options))
    print(f"{tally} (seed {options.seed})")
    for fault in tally.faults:
        print(fault, file=sys.stderr)
    return bool(tally.faults)


async def _run(options: argparse.Namespace) -> Tally:
    draw = random.Random(options.seed)
    workers = ("--workers", str(options.workers))
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:

            async def started(command: Sequence[str], *more: str) -> ServerProcess:
                port = stack.enter_context(reserved_port())
                server = ServerProcess(Path(folder) / "data", *more, port=port, command=command)
                stack.push_async_callback(server.stop)
                await server.start()
                return server

            older: list[ServerProcess] = []
            if options.beside:
                command = (f"{options.beside}/.venv/bin/python", *RACE_SERVER[1:])
                # Once no older one is left, none can come back: one of them is never killed.
                older = [await started(command), await started(command, *workers)]
            newer = [await started(RACE_SERVER, *workers) for _ in range(options.servers)]
            servers = [*older[1:], *newer]
            return await chaos(servers, options.kills, options.clients, draw, older=older)


if __name__ == "__main__":
    sys.exit(main())

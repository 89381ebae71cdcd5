"""Measures what honest players notice of peers that flood a server. Linux only.

    python -m benchmarks.floods [--peers 10] [--mbit 8] [--seconds 5] [--rounds 3]

from the root of the project. Players move as fast as people who tap, on one server process with its
default limits. Then they play while ten peers each send one kind of bytes at a fixed rate and
reconnect at once whenever they are closed. Every peer and every player has its own address
(127.x.x.x). Calm rounds and floods alternate in one run. The output is the p99 of the moves in the
best round of each, its ratio to the best calm round, and the CPU of the server.

A flood is measured half a minute after it began, when the peers have used up the connections that a
new address may make at once; ``--after 0`` measures from the first moment. On a busy machine ``chrt
-r 5`` before the command gives server and players CPU time, and TMPDIR=/dev/shm keeps the data in
memory.
"""

import argparse
import asyncio
import os
import random
import select
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.processes import cpu_ns
from benchmarks.servers import TIRELESS, ServerProcess
from bigben_protocol import (
    CODECS,
    JSON,
    ClientMessage,
    Create,
    Diff,
    Hello,
    Move,
    Ready,
    Refused,
    Room,
    ServerMessage,
    Snapshot,
    Welcome,
)

CODEC: Final = CODECS[JSON]
PLAYERS: Final = 4
PACE_S: Final = 0.04
"""The pause between two moves of a player: 25 a second, half of the allowed rate."""
_CHUNK: Final = 65_536
_HEAD: Final = b"GET / HTTP/1.1\r\nHost: x\r\n"
_UPGRADE: Final = (
    _HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Protocol: " + JSON.encode() + b"\r\n\r\n"
)


def _frames(first: int, payload: bytes = b"") -> bytes:
    """A chunk of masked frames."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    one = bytes([first]) + length + bytes(4) + payload
    return one * max(_CHUNK // len(one), 1)


PING: Final = b'{"type":"ping","sent":1}'
FLOODS: Final[dict[str, tuple[bytes, bytes]]] = {
    "empty pings": (_UPGRADE, _frames(0x89)),
    "full pings": (_UPGRADE, _frames(0x89, b"x" * 125)),
    "pongs": (_UPGRADE, _frames(0x8A)),
    "empty fragments": (_UPGRADE + _frames(0x01)[:6], _frames(0x00)),
    "messages": (_UPGRADE, _frames(0x81, PING)),
    "large messages": (_UPGRADE, _frames(0x81, PING + b" " * 16_000)),
    "frames too large": (_UPGRADE, _frames(0x82, b"x" * 60_000)),
    "upgrades": (_UPGRADE, b""),
    "requests": (_HEAD + b"\r\n", b""),
    "header lines": (_HEAD, b"X: y\r\n" * (_CHUNK // 6)),
}
"""What each connection sends once, and then repeatedly. If the latter is empty, it reconnects."""

_Answer = TypeVar("_Answer", Welcome, Room, Snapshot, Diff)


# The players


async def ask(ws: ClientConnection, message: ClientMessage, kind: type[_Answer]) -> _Answer:
    """The answer of this kind; a refusal ends the benchmark."""
    await ws.send(CODEC.encode(message), text=True)
    while True:
        answer: ServerMessage = CODEC.decode_server(await ws.recv())
        if isinstance(answer, Refused):
            sys.exit(f"The server refused something: {answer.text}")
        if isinstance(answer, kind):
            return answer


async def play(url: str, address: str, seconds: float) -> list[float]:
    """Play, and return how long each move waited for its acknowledgement, in s."""
    waits: list[float] = []
    chance = random.Random(address)
    async with connect(
        url, subprotocols=[Subprotocol(JSON)], compression=None, local_addr=(address, 0)
    ) as ws:
        await ask(ws, Hello("Bench"), Welcome)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            room = await ask(ws, Create(practice=True), Room)
            at: Snapshot | Diff = await ask(ws, Ready(room.race), Snapshot)
            while at.legal and time.perf_counter() < end:
                await asyncio.sleep(PACE_S * chance.uniform(0.5, 1.5))
                begun = time.perf_counter()
                at = await ask(ws, Move(room.race, at.n + 1, chance.choice(at.legal)), Diff)
                waits.append(time.perf_counter() - begun)
    return waits


class Figures(NamedTuple):
    """The figures of one round."""

    p99_ms: float
    """The p99 of the moves of all players."""
    cpu: float
    """The CPU of the server's process, as a fraction of one core."""


def best(rounds: Sequence[Figures]) -> Figures:
    """The smallest value of each figure, which other processes have disturbed the least."""
    return Figures(*map(min, zip(*rounds, strict=True)))


async def played(server: ServerProcess, seconds: float) -> Figures:
    """Let all players play for this long."""
    cpu, begun = cpu_ns(server.pid), time.perf_counter()
    async with asyncio.timeout(20 * seconds):
        each = await asyncio.gather(
            *(play(server.url, f"127.2.0.{i + 1}", seconds) for i in range(PLAYERS))
        )
    spent, took = (cpu_ns(server.pid) - cpu) / 1e9, time.perf_counter() - begun
    waits = sorted(wait for waits in each for wait in waits)
    return Figures(waits[len(waits) * 99 // 100] * 1000, spent / took)


# The peers, in a process of their own


def flood(options: argparse.Namespace) -> None:
    """Flood until killed."""
    # A real-time priority is only for the benchmark's server and players.
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    port = urlsplit(options.url).port
    assert port, "a server's own URL has one"
    for i in range(options.peers):
        peer = (port, f"127.1.0.{i + 1}", *FLOODS[options.flood], options.mbit)
        threading.Thread(target=_flood_from, args=peer).start()


def _flood_from(port: int, address: str, first: bytes, then: bytes, mbit: float) -> None:
    pause_s = (len(then) or len(first)) * 8 / (mbit * 1e6)
    while True:
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", port), source_address=(address, 0)) as line,
        ):
            line.sendall(first)
            line.setblocking(False)
            while not _is_over(line, then):
                time.sleep(pause_s)
        if not then:
            time.sleep(pause_s)


def _is_over(line: socket.socket, then: bytes) -> bool:
    """Write a chunk. Return True if the server has closed, or there is nothing to write."""
    rest = memoryview(then)
    while True:
        readable, writable, _ = select.select([line], [line] if rest else [], [])
        if readable:
            heard = line.recv(_CHUNK)
            if not heard or b"\x88" in heard or not then:
                return True
        if writable:
            rest = rest[line.send(rest) :]
            if not rest:
                return False


# Both


async def measure(options: argparse.Namespace) -> None:
    """Print a line for each kind of flood."""
    for kind in options.kinds or FLOODS:
        rounds = [await _round(kind, options) for _ in range(options.rounds)]
        calm, flooded = (best(each) for each in zip(*rounds, strict=True))
        print(
            f"{kind:<20}{calm.p99_ms:>10.2f}{flooded.p99_ms:>10.2f}"
            f"{flooded.p99_ms / calm.p99_ms:>8.1f}{calm.cpu:>10.0%}{flooded.cpu:>10.0%}",
            flush=True,
        )


async def _round(kind: str, options: argparse.Namespace) -> tuple[Figures, Figures]:
    """A calm and a flooded round, on a new server."""
    with tempfile.TemporaryDirectory() as folder:
        # The default limit: ServerProcess allows more connections.
        server = ServerProcess(
            Path(folder) / "data", env={**TIRELESS, "BIGBEN_CONNECTS_PER_SECOND": ""}
        )
        await server.start()
        try:
            await played(server, 1)  # warms up
            calm = await played(server, options.seconds)
            return calm, await _flooded(server, kind, options)
        finally:
            await server.stop()


async def _flooded(server: ServerProcess, kind: str, options: argparse.Namespace) -> Figures:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.floods", "--flood", kind, "--url", server.url),
        *("--peers", str(options.peers), "--mbit", str(options.mbit)),
    )
    try:
        await asyncio.sleep(options.after)
        return await played(server, options.seconds)
    finally:
        process.kill()
        await process.wait()


def main(argv: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.floods")
    options.add_argument("--peers", type=int, default=10, help="that flood (%(default)s)")
    options.add_argument("--mbit", type=float, default=8, help="a second, of each (%(default)s)")
    options.add_argument("--seconds", type=float, default=5, help="of a round (%(default)s)")
    options.add_argument("--rounds", type=int, default=3, help="of each kind (%(default)s)")
    options.add_argument("--after", type=float, default=30, help="s of flood (%(default)s)")
    options.add_argument("--flood", choices=FLOODS, help=argparse.SUPPRESS)
    options.add_argument("--url", help=argparse.SUPPRESS)
    options.add_argument("kinds", nargs="*", help=f"some of: {', '.join(FLOODS)}")
    given = options.parse_args(argv)
    if given.flood:
        flood(given)
    else:
        print(f"{given.peers} peers, {given.mbit} Mbit/s each, {PLAYERS} players; p99 in ms")
        print(f"{'':<20}{'calm p99':>10}{'flooded':>10}{'times':>8}{'calm CPU':>10}{'flooded':>10}")
        asyncio.run(measure(given))


if __name__ == "__main__":
    main()

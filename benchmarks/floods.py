"""Measures what honest players notice of peers that flood a server. Linux only.

    python -m benchmarks.floods [--peers 10] [--mbit 8] [--seconds 5] [--rounds 3]

from the root of the project. Players move as fast as people who tap, and others look at boards,
profiles, groups and rooms, on one server process with its default limits. Then they do so while ten
peers each send one kind of bytes at a fixed rate and reconnect at once whenever they are closed.
Every peer and every player has its own address (127.x.x.x).

The other floods are of one type of message each, such as ``get-profile``: ``--sockets`` connections
of a single address send ``--rate`` of them a second each, within the limits of a connection, and
``mixed`` sends all types. ``python -m benchmarks.floods messages`` measures all of these.

Calm rounds and floods alternate in one run. The output is the p99 of the moves and of the reads in
the best round of each, the ratio of the moves to the best calm round, and CPU and memory of the
server.

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
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import chain, cycle, product
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
    AddHouse,
    AnswerChallenge,
    Challenge,
    ChangeSeason,
    Cheer,
    ClientMessage,
    Create,
    CreateGroup,
    DeleteSeason,
    Diff,
    Explain,
    GetAlike,
    GetAnalysis,
    GetChallenges,
    GetCurves,
    GetGames,
    GetGroups,
    GetHint,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRaces,
    GetRecord,
    GetSeason,
    GetSeasons,
    GetStandings,
    Groups,
    Hello,
    Join,
    JoinGroup,
    Leaderboard,
    Leave,
    LeaveGroup,
    LogOut,
    MakeSeason,
    Move,
    Ping,
    Plan,
    Profile,
    Ready,
    Refused,
    Rematch,
    RemoveHouse,
    Resume,
    Room,
    SendNonce,
    ServerMessage,
    SetWebhook,
    Snapshot,
    Start,
    Tie,
    Unready,
    Watch,
    Welcome,
)
from bigben_protocol.seasons import LeaveSeason

CODEC: Final = CODECS[JSON]
PLAYERS: Final = 4
READERS: Final = 2
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

SEATS: Final = 60
"""Players of today's race; every third has finished it."""
LETTERS: Final = "23456789"
"""Some of those of which codes of rooms are made."""
_CODES: Final = [f"ZZ{''.join(letters)}" for letters in product(LETTERS, repeat=4)]
_SEASONS: Final = [f"ZZ{code}" for code in _CODES]
_PLAYERS: Final = [f"guest:{n:024x}" for n in range(999)]
MESSAGES: Final[Mapping[str, Sequence[ClientMessage]]] = {
    "hello": [Hello("Flood")],
    "create": [Create(practice=True), Create()],
    "join": [Join("daily")],
    "watch": [Watch("daily")],
    "watch no room": [*map(Watch, _CODES)],
    "leave": [Leave("daily"), Join("daily")],
    "ready": [Ready("daily")],
    "nonce": [SendNonce("daily", "5e" * 32)],
    "unready": [Unready("daily")],
    "start": [Start("daily")],
    "rematch": [Rematch("daily")],
    "move": [Move("daily", 1, "turn")],
    "next moves": [Move("daily", n, "turn") for n in range(1, 40)],
    "resume": [Resume("daily")],
    "get-standings": [GetStandings("daily")],
    "get-record": [GetRecord("daily")],
    "get-leaderboard": [GetLeaderboard(start=n) for n in range(999)],
    "get-profile": [GetProfile(), *(GetProfile(player) for player in _PLAYERS)],
    "create-group": [CreateGroup(f"Flood {n}") for n in range(999)],
    "join-group": [*map(JoinGroup, _CODES)],
    "leave-group": [LeaveGroup("nobody")],
    "get-groups": [GetGroups()],
    "get-games": [GetGames()],
    "get-races": [GetRaces()],
    "get-curves": [GetCurves("daily")],
    "explain": [Explain("daily", "1", "f1")],
    "get-link": [GetLink()],
    "ping": [Ping(1)],
    "add-house": [AddHouse("daily", "tick")],
    "remove-house": [RemoveHouse("daily", "tick")],
    "get-hint": [GetHint("daily", n) for n in range(99)],
    "get-analysis": [GetAnalysis("daily")],
    "cheer": [Cheer("daily", "well")],
    "tie": [Tie("no token")],
    "log-out": [LogOut()],
    "make-season": [MakeSeason("nobody", Plan("Flood", "2099-01-01"))],
    "change-season": [ChangeSeason(name, LeaveSeason()) for name in _SEASONS],
    "get-season": [*map(GetSeason, _SEASONS)],
    "get-seasons": [GetSeasons()],
    "delete-season": [*map(DeleteSeason, _SEASONS)],
    "get-alike": [*map(GetAlike, _SEASONS)],
    "set-webhook": [*map(SetWebhook, _SEASONS)],
    "challenge": [*map(Challenge, _PLAYERS)],
    "answer-challenge": [AnswerChallenge("no challenge", accept=True)],
    "get-challenges": [GetChallenges()],
}
"""What each connection of a single address sends again and again, once it plays today's race."""
MIXED: Final = "mixed"

_Answer = TypeVar("_Answer", bound=ServerMessage)


# The players


async def ask(ws: ClientConnection, message: ClientMessage, kind: type[_Answer]) -> _Answer:
    """The answer of this kind; a refusal ends the benchmark."""
    await ws.send(CODEC.encode(message), text=True)
    while True:
        answer: ServerMessage = CODEC.decode_server(await ws.recv())
        if isinstance(answer, kind):
            return answer
        if isinstance(answer, Refused):
            sys.exit(f"The server refused something: {answer.text}")


@asynccontextmanager
async def player(url: str, address: str, name: str) -> AsyncIterator[ClientConnection]:
    """A new player's connection from this address."""
    async with connect(
        url, subprotocols=[Subprotocol(JSON)], compression=None, local_addr=(address, 0)
    ) as ws:
        await ask(ws, Hello(name), Welcome)
        yield ws


async def play(url: str, address: str, seconds: float) -> list[float]:
    """Play, and return how long each move waited for its acknowledgement, in s."""
    waits: list[float] = []
    chance = random.Random(address)
    async with player(url, address, "Bench") as ws:
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


async def look(url: str, address: str, seconds: float) -> list[float]:
    """Look at what the store must be asked for; return how long each answer took, in s."""
    waits: list[float] = []
    chance = random.Random(address)
    async with player(url, address, "Bench") as ws:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for message, kind in (
                (GetLeaderboard(start=chance.randrange(10_000)), Leaderboard),
                (GetProfile(), Profile),
                (GetGroups(), Groups),
                (Watch(chance.choice(_CODES)), Refused),
            ):
                await asyncio.sleep(PACE_S * chance.uniform(0.5, 1.5))
                begun = time.perf_counter()
                await ask(ws, message, kind)
                waits.append(time.perf_counter() - begun)
    return waits


async def fill(url: str) -> None:
    """Let players join today's race, and some of them finish it."""
    for n in range(SEATS):
        async with player(url, "127.3.0.1", f"Player {n}") as ws:
            await ask(ws, Join("daily"), Room)
            await ask(ws, Ready("daily"), Snapshot)
            if n % 3 == 0:
                await ask(ws, Move("daily", 1, "resign"), Diff)


class Figures(NamedTuple):
    """The figures of one round."""

    p99_ms: float
    """The p99 of the moves of all players."""
    read_ms: float
    """The p99 of what others looked at."""
    cpu: float
    """The CPU of the server's process, as a fraction of one core."""
    memory_mib: float
    """Its resident memory at the end."""


def best(rounds: Sequence[Figures]) -> Figures:
    """The smallest value of each figure, which other processes have disturbed the least."""
    return Figures(*map(min, zip(*rounds, strict=True)))


async def played(server: ServerProcess, seconds: float) -> Figures:
    """Let all players play for this long."""
    cpu, begun = cpu_ns(server.pid), time.perf_counter()
    async with asyncio.timeout(20 * seconds):
        each = await asyncio.gather(
            *(play(server.url, f"127.2.0.{i + 1}", seconds) for i in range(PLAYERS)),
            *(look(server.url, f"127.2.1.{i + 1}", seconds) for i in range(READERS)),
        )
    spent, took = (cpu_ns(server.pid) - cpu) / 1e9, time.perf_counter() - begun
    moves, reads = _p99_ms(each[:PLAYERS]), _p99_ms(each[PLAYERS:])
    return Figures(moves, reads, spent / took, server.memory() / 1024)


def _p99_ms(each: Sequence[Sequence[float]]) -> float:
    waits = sorted(chain.from_iterable(each))
    return waits[len(waits) * 99 // 100] * 1000


# The peers, in a process of their own


def flood(options: argparse.Namespace) -> None:
    """Flood until killed."""
    # A real-time priority is only for the benchmark's server and players.
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    port = urlsplit(options.url).port
    assert port, "a server's own URL has one"
    if options.flood not in FLOODS:
        _flood_with_messages(port, options)
    for i in range(options.peers):
        peer = (port, f"127.1.0.{i + 1}", *FLOODS[options.flood], options.mbit)
        threading.Thread(target=_flood_from, args=peer).start()


def _flood_with_messages(port: int, options: argparse.Namespace) -> None:
    """From one address, with several connections that are opened again whenever they are closed."""
    kinds = MESSAGES.values() if options.flood == MIXED else [MESSAGES[options.flood]]
    messages = [cycle([_masked(CODEC.encode(one)) for one in kind]) for kind in kinds]
    start: list[ClientMessage] = [
        Hello("Flood"),
        Join("daily"),
        Ready("daily"),
        Move("daily", 1, "turn"),
    ]
    first = _UPGRADE + b"".join(_masked(CODEC.encode(message)) for message in start)
    lines: list[socket.socket | None] = [None] * options.sockets
    for turn in cycle(range(len(messages))):
        begun = time.perf_counter()
        for i, line in enumerate(lines):
            with suppress(OSError):
                if line is None:
                    address = ("127.1.0.1", 0)
                    lines[i] = line = socket.create_connection(
                        ("127.0.0.1", port), timeout=5, source_address=address
                    )
                    line.sendall(first)
                    line.setblocking(False)
                if not _is_drained(line):
                    line.close()
                    lines[i] = None
                    continue
                line.send(next(messages[(turn + i) % len(messages)]))
        time.sleep(max(1 / options.rate - (time.perf_counter() - begun), 0))


def _is_drained(line: socket.socket) -> bool:
    """Drop what has come. False if the server has closed."""
    try:
        while heard := line.recv(_CHUNK):
            if len(heard) < _CHUNK:
                return True
        return False
    except BlockingIOError:
        return True


def _masked(payload: bytes) -> bytes:
    """A text frame with one message."""
    return bytes([0x81, 0x80 | len(payload)]) + bytes(4) + payload


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
    kinds = [*MESSAGES, MIXED] if options.kinds == ["messages"] else options.kinds or FLOODS
    for kind in kinds:
        rounds = [await _round(kind, options) for _ in range(options.rounds)]
        calm, flooded = (best(each) for each in zip(*rounds, strict=True))
        print(
            f"{kind:<20}{calm.p99_ms:>10.2f}{flooded.p99_ms:>10.2f}"
            f"{flooded.p99_ms / calm.p99_ms:>8.1f}{calm.read_ms:>10.2f}{flooded.read_ms:>10.2f}"
            f"{calm.cpu:>10.0%}{flooded.cpu:>10.0%}"
            f"{calm.memory_mib:>10.0f}{flooded.memory_mib:>10.0f}",
            flush=True,
        )


async def _round(kind: str, options: argparse.Namespace) -> tuple[Figures, Figures]:
    """A calm and a flooded round, on a new server."""
    with tempfile.TemporaryDirectory() as folder:
        # The default limit: ServerProcess allows more connections.
        server = ServerProcess(
            Path(folder) / "data",
            env={**TIRELESS, "BIGBEN_CONNECTS_PER_SECOND": "", "BIGBEN_WORK_PER_SECOND": ""},
        )
        await server.start()
        try:
            await fill(server.url)
            await played(server, 1)  # warms up
            calm = await played(server, options.seconds)
            return calm, await _flooded(server, kind, options)
        finally:
            await server.stop()


async def _flooded(server: ServerProcess, kind: str, options: argparse.Namespace) -> Figures:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.floods", "--flood", kind, "--url", server.url),
        *("--peers", str(options.peers), "--mbit", str(options.mbit)),
        *("--sockets", str(options.sockets), "--rate", str(options.rate)),
    )
    try:
        await asyncio.sleep(options.after)
        return await played(server, options.seconds)
    finally:
        process.kill()
        await process.wait()


def main(argv: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.floods")
    kinds = (*FLOODS, "messages", *MESSAGES, MIXED)
    options.add_argument("--peers", type=int, default=10, help="that flood (%(default)s)")
    options.add_argument("--mbit", type=float, default=8, help="a second, of each (%(default)s)")
    options.add_argument("--seconds", type=float, default=5, help="of a round (%(default)s)")
    options.add_argument("--rounds", type=int, default=3, help="of each kind (%(default)s)")
    options.add_argument("--after", type=float, default=30, help="s of flood (%(default)s)")
    options.add_argument("--sockets", type=int, default=60, help="of messages (%(default)s)")
    options.add_argument("--rate", type=float, default=45, help="messages a second (%(default)s)")
    options.add_argument("--flood", help=argparse.SUPPRESS)
    options.add_argument("--url", help=argparse.SUPPRESS)
    options.add_argument("kinds", nargs="*", help=f"some of: {', '.join(kinds)}")
    given = options.parse_args(argv)
    if unknown := {*given.kinds} - {*kinds}:
        options.error(f"there is no flood {', '.join(sorted(unknown))}")
    if given.flood:
        flood(given)
    else:
        print(f"{given.peers} peers, {given.mbit} Mbit/s each, {PLAYERS} players; p99 in ms")
        print(
            f"{'':<20}{'calm p99':>10}{'flooded':>10}{'times':>8}"
            f"{'calm read':>10}{'flooded':>10}{'calm CPU':>10}{'flooded':>10}"
            f"{'calm MiB':>10}{'flooded':>10}"
        )
        asyncio.run(measure(given))


if __name__ == "__main__":
    main()

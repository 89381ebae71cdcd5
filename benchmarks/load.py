"""The clients of a benchmark, in their own process so that their CPU is not the server's.

    python -m benchmarks.load ws://127.0.0.1:8765 race --clients 50 --each 80

Every client has one message under way, and sends the next when the last is answered. The process
prints ``ready`` when all clients have their cards, waits for a line of input, plays, and prints the
figures.
"""

import argparse
import asyncio
import random
import secrets
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Protocol, TypeVar

import msgspec

from benchmarks.line import Line
from bigben_protocol import (
    CODECS,
    JSON,
    ClientMessage,
    Codec,
    Create,
    Diff,
    Hello,
    Join,
    Move,
    Ready,
    Refused,
    Room,
    ServerMessage,
    Snapshot,
    Welcome,
)

KINDS = ("practice", "race", "echo")
STOCK = frozenset({"refill", "turn"})
"""Played only if nothing else is legal, because games that use the stock late last longer."""

_Answer = TypeVar("_Answer", Welcome, Room, Snapshot)


class Load(msgspec.Struct, frozen=True):
    """The figures. The bytes are means for one frame."""

    answered: int
    seconds: float
    p50_ms: float
    p99_ms: float
    asked_bytes: int
    answer_bytes: int


class Talk(Protocol):
    """What one client sends."""

    def next(self) -> bytes | None:
        """The next frame; None at the end."""
        ...

    def answers(self, frame: bytes) -> bool:
        """Whether this frame is the answer to the last one."""
        ...


class Echo:
    """Frames of one size, answered by any frame."""

    def __init__(self, size: int) -> None:
        self._frame = b"x" * size

    def next(self) -> bytes:
        return self._frame

    def answers(self, frame: bytes) -> bool:
        return True


class Game:
    """A player who moves at random."""

    def __init__(self, codec: Codec, snapshot: Snapshot) -> None:
        self._codec = codec
        self._at: Snapshot | Diff = snapshot
        self._chance = random.Random(1)

    def next(self) -> bytes | None:
        if not self._at.legal:
            return None
        others = [move for move in self._at.legal if move not in STOCK]
        move = self._chance.choice(others or self._at.legal)
        return self._codec.encode(Move(self._at.race, self._at.n + 1, move))

    def answers(self, frame: bytes) -> bool:
        message = decoded(self._codec, frame)
        if isinstance(message, Diff):
            self._at = message
        return isinstance(message, Diff)


class Client:
    """One connection, and how long it waited for each answer."""

    def __init__(self, line: Line, talk: Talk, each: int) -> None:
        self.waits: list[float] = []
        self.asked_bytes = self.answer_bytes = 0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line = line
        self._talk = talk
        self._each = each
        self._sent_at = 0.0
        line.heard = self._heard

    def send(self) -> None:
        """Send the next frame, or be done."""
        frame = self._talk.next() if len(self.waits) < self._each else None
        if frame is None:
            self.done.set_result(None)
            return
        self.asked_bytes += len(frame)
        self._sent_at = perf_counter()
        self._line.send(frame)

    def _heard(self, frame: bytes) -> None:
        heard_at = perf_counter()
        if self._talk.answers(frame):
            self.waits.append(heard_at - self._sent_at)
            self.answer_bytes += len(frame)
            self.send()


def decoded(codec: Codec, frame: bytes) -> ServerMessage:
    """The message; a refusal ends the benchmark."""
    message = codec.decode_server(frame.decode() if codec.text else frame)
    if isinstance(message, Refused):
        sys.exit(f"The server refused something: {message.text}")
    return message


def hear(line: Line, codec: Codec, kind: type[_Answer]) -> asyncio.Future[_Answer]:
    """The next message of this kind; others are skipped."""
    came: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()

    def heard(frame: bytes) -> None:
        message = decoded(codec, frame)
        if isinstance(message, kind) and not came.done():
            came.set_result(message)

    line.heard = heard
    return came


async def ask(line: Line, codec: Codec, message: ClientMessage, kind: type[_Answer]) -> _Answer:
    """Send a message and wait for its answer."""
    answer = hear(line, codec, kind)
    line.send(codec.encode(message))
    return await answer


async def games(lines: Sequence[Line], codec: Codec, kind: str) -> list[Game]:
    """A started game for every line: each has its own, or all are in one live race."""
    for line in lines:
        await ask(line, codec, Hello(name="Bench"), Welcome)
    host, *others = lines
    room = await ask(host, codec, Create(practice=kind == "practice"), Room)
    rooms = [room] + [
        await ask(
            line, codec, Create(practice=True) if kind == "practice" else Join(room.race), Room
        )
        for line in others
    ]
    snapshots = [hear(line, codec, Snapshot) for line in lines]
    for line, room in zip(lines, rooms, strict=True):
        nonce = "" if kind == "practice" else secrets.token_hex(32)
        line.send(codec.encode(Ready(room.race, nonce)))
    return [Game(codec, snapshot) for snapshot in await asyncio.gather(*snapshots)]


def summed(clients: Sequence[Client], seconds: float) -> Load:
    """The figures of all clients together."""
    waits = sorted(wait for client in clients for wait in client.waits)
    return Load(
        len(waits),
        seconds,
        waits[len(waits) // 2] * 1000,
        waits[len(waits) * 99 // 100] * 1000,
        sum(client.asked_bytes for client in clients) // len(waits),
        sum(client.answer_bytes for client in clients) // len(waits),
    )


async def run(options: argparse.Namespace) -> None:
    """Connect, print ``ready``, wait for a line, play, and print the figures."""
    codec = CODECS[options.subprotocol]
    lines = [
        await Line.open(options.url, options.subprotocol, text=codec.text)
        for _ in range(options.clients)
    ]
    talks: Sequence[Talk]
    if options.kind == "echo":
        talks = [Echo(options.bytes) for _ in lines]
    else:
        talks = await games(lines, codec, options.kind)
    clients = [Client(line, talk, options.each) for line, talk in zip(lines, talks, strict=True)]
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    begun_at = perf_counter()
    for client in clients:
        client.send()
    await asyncio.gather(*(client.done for client in clients))
    load = summed(clients, perf_counter() - begun_at)
    print(msgspec.json.encode(load).decode(), flush=True)
    for line in lines:
        line.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("url", help="where the server listens: ws://…")
    parser.add_argument("kind", choices=KINDS, help="own practice games, one live race, or an echo")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--each", type=int, default=80, help="messages of each client")
    parser.add_argument("--bytes", type=int, default=50, help="size of a message to be echoed")
    parser.add_argument("--subprotocol", choices=CODECS, default=JSON)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()

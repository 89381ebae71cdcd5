"""Strangers at a real server: likely and unlikely messages, then an unlikely end.

They check only that every request has its answer and every close its reason.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Final

from tests.wire.hostile import CLIENT, as_frame, damaged, message, written
from tests.wire.peer import Peer, peer

from bigben_protocol import (
    CODECS,
    ClientMessage,
    Codec,
    Diff,
    FrameError,
    Hello,
    Move,
    Ping,
    Pong,
    Refused,
    Room,
    ServerMessage,
    Snapshot,
)
from bigben_protocol.conversation import ANSWERS

AT_ONCE: Final = 16
MESSAGES: Final = 40
NOT_UTF_8: Final = "A text in the message is not UTF-8"
Key = tuple[str, int]
NAMES: Final = ("Ada", "Bob \N{BLACK HEART SUIT}", "Ünal", "x" * 32, "日本語")
_FIELDS: Final = {
    kind.__struct_config__.tag: kind.__struct_fields__  # type: ignore[attr-defined]  # structs
    for kind in CLIENT
}
_KINDS: Final = tuple(kind for kind in CLIENT if kind is not Hello)


async def storm(url: str, seed: int, strangers: int) -> int:
    """Send strangers, some at a time, and return the frames they sent.

    A seed gives the same strangers, except for the codes of rooms and the order of events.
    """
    races = ["daily", "daily.open", "daily.2026-01-01.bigben.standard"]
    turn = asyncio.Semaphore(AT_ONCE)

    async def come(number: int) -> int:
        async with turn:
            return await Stranger(random.Random(f"{seed} {number}"), races).visit(url)

    return sum(await asyncio.gather(*(come(number) for number in range(strangers))))


class Stranger:
    """One connection, its requests, and the answers that it still expects."""

    def __init__(self, rng: random.Random, races: list[str]) -> None:
        self._rng = rng
        self._races = races
        self._sent = 0
        self._asked: dict[Key, type[ClientMessage]] = {}
        self._unanswered: Counter[Key] = Counter()
        self._view: Snapshot | Diff | None = None

    async def visit(self, url: str) -> int:
        """Connect, send requests, receive answers, and leave in one of several ways."""
        rng = self._rng
        codec, name, keeps_rules = rng.choice(tuple(CODECS)), rng.choice(NAMES), rng.random() < 0.3
        async with peer(url, codec, name=name, keeps_rules=keeps_rules) as one:
            for _ in range(rng.randrange(MESSAGES)):
                await self._ask(one)
                if self._unanswered.total() > rng.randrange(8):
                    self._hear(await self._next(one))
            while self._unanswered:
                self._hear(await self._next(one))
            await rng.choice((_leave, _vanish, _say_nonsense, _mistake_the_kind, _send_noise))(
                one, rng
            )
        return self._sent + 2

    async def _ask(self, one: Peer) -> None:
        fields = self._likely(message(self._rng, _KINDS, oddity=0.02))
        encoded = written(one.codec, fields, self._rng)
        if _problem(one.codec, encoded):
            return  # That would be the end; ``_say_nonsense`` makes it.
        self._expect(one.codec.decode_client(as_frame(one.codec, encoded)))
        self._sent += 1
        if self._rng.random() < 0.1:
            await one.socket.send(_fragments(as_frame(one.codec, encoded), one, self._rng))
        else:
            await one.send(encoded)

    async def _next(self, one: Peer) -> ServerMessage:
        try:
            return await one.hear()
        except TimeoutError:
            asked = [(key, self._asked[key].__name__) for key in self._unanswered]
            raise AssertionError(f"no answer to {asked} after {one.heard}") from None

    def _likely(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The same message about an existing race, and with a plausible move."""
        if "race" in fields and self._rng.random() < 0.9:
            fields["race"] = self._rng.choice(self._races)
        if (
            fields["type"] == "move"
            and self._view
            and self._view.legal
            and self._rng.random() < 0.8
        ):
            fields["race"] = self._view.race
            fields["n"] = self._view.n + 1
            fields["move"] = self._rng.choice(self._view.legal)
        if "ref" in _FIELDS[fields["type"]]:
            fields["ref"] = 1_000_000 + self._sent
        return fields

    def _expect(self, asked: ClientMessage) -> None:
        self._asked[_key(asked)] = type(asked)
        self._unanswered[_key(asked)] += 1

    def _hear(self, said: ServerMessage) -> None:
        match said:
            case Refused(text=text, ref=ref):
                assert 10 < len(text) < 200, text
                assert text.isprintable(), text
                self._answered(("ref", ref) if ("ref", ref) in self._asked else ("move", ref))
            case Diff(n=n):
                self._view = said
                # A diff that Resume brings is not an answer.
                if ("move", n) in self._asked:
                    self._answered(("move", n))
            case Pong(sent):
                self._answered(("ping", sent))
            case _:
                if isinstance(said, Snapshot):
                    self._view = said
                if isinstance(said, Room) and said.race not in self._races:
                    self._races.append(said.race)
                if ref := getattr(said, "ref", 0):
                    assert isinstance(said, ANSWERS[self._asked["ref", ref]])
                    self._answered(("ref", ref))

    def _answered(self, key: Key) -> None:
        assert key in self._asked, f"nobody asked {key}"
        self._unanswered -= Counter([key])


def _key(asked: ClientMessage) -> Key:
    """The key by which to recognize the answer to this."""
    match asked:
        case Hello():
            raise AssertionError("strangers say hello once")
        case Move(n=n):
            return "move", n
        case Ping(sent):
            return "ping", sent
        case _:
            return "ref", asked.ref


async def _fragments(
    frame: bytes | str, one: Peer, rng: random.Random
) -> AsyncIterator[bytes | str]:
    """The frame in pieces, with pings between them, as the RFC allows."""
    at = 0
    while at < len(frame):
        size = rng.randint(0, 20)
        yield frame[at : at + size]
        at += size
        if rng.random() < 0.3:
            _ = await one.socket.ping()


async def _leave(one: Peer, rng: random.Random) -> None:
    await one.socket.close()
    assert one.socket.close_code == 1000


async def _vanish(one: Peer, rng: random.Random) -> None:
    """Break the connection, perhaps in the middle of a frame."""
    if rng.random() < 0.5:
        one.socket.transport.write(b"\x81\xfe\x01")
    one.socket.transport.abort()


async def _say_nonsense(one: Peer, rng: random.Random) -> None:
    """Send an invalid frame; it closes with the decoder's reason."""
    while True:
        encoded = damaged(written(one.codec, message(rng, CLIENT, oddity=0.3), rng), rng)
        problem = _problem(one.codec, encoded)
        if problem and len(encoded) < 16_384:
            break
    await one.send(encoded)
    code, reason = await one.closed()
    if problem == NOT_UTF_8 and one.codec.text:
        # The library finds it first, and has its own reason.
        assert code == 1007
    else:
        assert (code, reason) == (1007, problem)


async def _mistake_the_kind(one: Peer, rng: random.Random) -> None:
    kind = "text" if one.codec.text else "binary"
    await one.socket.send(b"{}", text=not one.codec.text)
    assert await one.closed() == (1007, f"{one.codec.subprotocol} frames are {kind}")


async def _send_noise(one: Peer, rng: random.Random) -> None:
    """Send bytes that are not WebSocket frames."""
    one.socket.transport.write(b"\xff\xff" + rng.randbytes(rng.randrange(200)))
    assert (await one.closed())[0] == 1002


def _problem(codec: Codec, encoded: bytes) -> str:
    """What the decoder finds wrong with this frame; empty if it is valid."""
    try:
        codec.decode_client(as_frame(codec, encoded))
    except FrameError as error:
        return str(error)
    return ""

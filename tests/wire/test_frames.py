"""However a peer cuts its frames into reads, its messages are those that websockets would read."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.support.patience import PATIENCE_S
from tests.support.torture import examples
from tests.wire.in_process import server_here
from tests.wire.peer import peer
from tests.wire.raw import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    frame,
    line,
    request,
    upgraded,
)
from websockets import Frame, Opcode, Request, State
from websockets.asyncio.messages import MAX_FRAGMENTS
from websockets.asyncio.server import Server, ServerConnection
from websockets.client import ClientProtocol
from websockets.datastructures import Headers
from websockets.protocol import Event
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from bigben_protocol import CODECS, JSON, MSGPACK, Ping, Pong
from bigben_server.config import Limits, Settings
from bigben_server.rooms.session import Session
from bigben_server.transport import websocket
from bigben_server.transport.admission import Admission
from bigben_server.transport.connection import MeteredConnection
from bigben_server.transport.frames import framed, small_message

Read = tuple[list[bytes | str], int]
"""Messages, and the code of the server's close; 0 without one."""

LONGEST = 600
UNLIMITED = Limits(
    frame_bytes=LONGEST, messages_per_second=10**9, burst=10**9, work_per_second=10**9
)


class Wire(asyncio.Transport):
    """A socket that remembers whether it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = asyncio.Event()
        self.reading.set()

    def get_extra_info(self, name: str, default: object = None) -> object:
        return ("127.0.0.1", 1) if name == "peername" else default

    def pause_reading(self) -> None:
        self.reading.clear()

    def resume_reading(self) -> None:
        self.reading.set()

    def write(self, data: "bytes | bytearray | memoryview[Any]") -> None: ...
    def can_write_eof(self) -> bool:
        return False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...
    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def close(self) -> None: ...
    def abort(self) -> None: ...


class Heard(Session):
    """Records messages, and the code of a close."""

    def __init__(self) -> None:
        super().__init__(CODECS[JSON])
        self.messages: list[bytes | str] = []
        self.code = 0

    def framed(self, encoded: bytes) -> bytes:
        raise AssertionError(f"nobody sends {encoded!r}")

    def write(self, frames: list[bytes]) -> None:
        raise AssertionError("nothing is sent")

    def receive(self, message: bytes | str) -> None:
        if not self.code:
            self.messages.append(message)

    def close(self, code: int, reason: str) -> None:
        self.code = self.code or code


def protocol() -> ServerProtocol:
    one = ServerProtocol(state=State.OPEN, max_size=LONGEST)
    one.subprotocol = Subprotocol(JSON)
    return one


async def read_here(reads: list[bytes], begin: int) -> Read:
    """What is read if the handler begins after ``begin`` reads."""

    class Handlers:
        handler_tasks: set[asyncio.Task[None]] = set()  # noqa: RUF012  # as websockets has it

        async def handler(self, _: ServerConnection) -> None: ...

    admission = Admission(Settings(limits=UNLIMITED))
    server = cast(Server, Handlers())
    socket = MeteredConnection(protocol(), server, admission=admission)
    socket.request = Request("/", Headers())
    wire = Wire()
    socket.connection_made(wire)
    session = Heard()
    for turn, data in enumerate([*reads, b""]):
        if turn == begin:
            socket.begin(session, session.receive)
        if data and turn >= begin:
            async with asyncio.timeout(PATIENCE_S):
                await wire.reading.wait()
        if data:
            socket.data_received(data)
    if begin > len(reads):
        socket.begin(session, session.receive)
    async with asyncio.timeout(PATIENCE_S):
        await wire.reading.wait()
    close = socket.protocol.close_sent
    return session.messages, session.code or (close.code if close else 0)


def read_by_websockets(stream: bytes) -> Read:
    one = protocol()
    one.receive_data(stream)
    messages: list[bytes | str] = []
    parts: list[Frame] = []
    for event in one.events_received():
        assert isinstance(event, Frame)
        if event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            parts.append(event)
            if not event.fin:
                continue
            data = b"".join(part.data for part in parts)
            try:
                messages.append(data.decode() if parts[0].opcode is Opcode.TEXT else data)
            except UnicodeDecodeError:
                return messages, 1007
            parts = []
    return messages, one.close_sent.code if one.close_sent else 0


PAYLOADS = st.one_of(
    st.text(max_size=40).map(str.encode), st.binary(max_size=140), st.just(b"x" * LONGEST)
)
FRAMES = st.one_of(
    st.builds(frame, st.sampled_from([TEXT, BINARY]), st.text(max_size=40).map(str.encode)),
    st.builds(frame, st.sampled_from([PING, PONG]), st.binary(max_size=20)),
    st.builds(
        frame,
        st.sampled_from([TEXT, BINARY, CONTINUATION]),
        PAYLOADS,
        fin=st.booleans(),
        bits=st.sampled_from([0, 0, 0, 0, 0x40]),
    ),
    st.builds(
        lambda parts: b"".join(
            frame(CONTINUATION if k else BINARY, part, fin=k == len(parts) - 1)
            for k, part in enumerate(parts)
        ),
        st.lists(st.binary(max_size=60), min_size=2, max_size=5),
    ),
    st.just(frame(CLOSE, (1000).to_bytes(2, "big"))),
    st.binary(min_size=1, max_size=9),
)


@examples(100)
@given(st.lists(FRAMES, max_size=12), st.data())
def test_any_cut_of_a_stream_gives_the_messages_that_websockets_reads(
    frames: list[bytes], data: st.DataObject
) -> None:
    """The peer may cut at its frames, so that each is alone in a read, or anywhere."""
    stream = b"".join(frames)
    if data.draw(st.booleans(), "at frames"):
        reads = frames
    else:
        cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=20), "cuts"))
        reads = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    reads = [read for read in reads if read]
    begin = data.draw(st.integers(0, min(3, len(reads))), "begin")
    assert asyncio.run(read_here(reads, begin)) == read_by_websockets(stream)


@pytest.mark.parametrize("cut", range(1, 12))
async def test_a_frame_in_two_reads_is_not_taken_for_two(cut: int) -> None:
    """The rest of the first frame looks like a whole frame."""
    inner = frame(TEXT, b"forged")
    outer = frame(TEXT, inner)
    reads = [frame(TEXT, b"before"), outer[:cut], outer[cut:], frame(TEXT, b"after")]
    assert await read_here(reads, 0) == read_by_websockets(b"".join(reads))


async def test_a_message_has_at_most_as_many_fragments_as_websockets_joins() -> None:
    first, last = frame(TEXT, fin=False), frame(CONTINUATION)
    middle = [frame(CONTINUATION, fin=False)]
    assert await read_here([first, *middle * (MAX_FRAGMENTS - 2), last], 0) == ([""], 0)
    assert await read_here([first, *middle * (MAX_FRAGMENTS - 1), last], 0) == ([], 1009)


async def test_a_small_message_does_not_pass_through_the_parser_of_websockets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a new websockets breaks this, only speed is lost; look at ``awaits_frame``."""
    parsed: list[bytes] = []
    parse: Callable[[ServerConnection, bytes], None] = ServerConnection.data_received

    def parsing(self: ServerConnection, data: bytes) -> None:
        parsed.append(data)
        parse(self, data)

    monkeypatch.setattr(ServerConnection, "data_received", parsing)
    ping = frame(PING)
    reads = [frame(TEXT, b"1"), ping, frame(BINARY, b"2"), frame(TEXT, b"x" * 125)]
    assert await read_here(reads, 0) == (["1", b"2", "x" * 125], 0)
    assert parsed == [ping]


@given(st.binary(max_size=200))
@example(b"x" * 125)
@example(b"x" * 126)
@example(b"x" * 65_535)
@example(b"x" * 65_536)
def test_a_frame_is_as_websockets_writes_it(payload: bytes) -> None:
    for text, opcode in ((True, Opcode.TEXT), (False, Opcode.BINARY)):
        assert framed(payload, text=text) == Frame(opcode, payload).serialize(mask=False)


@given(st.binary(max_size=130) | st.text(max_size=130).map(str.encode))
def test_a_small_message_is_unmasked(payload: bytes) -> None:
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        text = None
    for opcode, message in ((Opcode.TEXT, text), (Opcode.BINARY, payload)):
        data = Frame(opcode, payload).serialize(mask=True)
        one = protocol()
        assert small_message(one, data) == (message if len(payload) <= 125 else None)
        assert small_message(one, data + b"x") is None
        assert small_message(one, data[:-1]) is None
        one.receive_data(data[:1])
        assert small_message(one, data) is None


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_server_answers_in_order_however_its_peer_writes(
    tmp_path: Path, subprotocol: str
) -> None:
    """Also messages that come with the handshake, before there is a session."""
    codec, rng = CODECS[subprotocol], random.Random(7)
    many = Limits(messages_per_second=100_000, burst=100_000, work_per_second=10**6)
    opcode = TEXT if codec.text else BINARY
    pings = [frame(opcode, codec.encode(Ping(number))) for number in range(300)]
    handshake = request(f"Sec-WebSocket-Protocol: {subprotocol}")
    rest = b"".join([handshake, *pings])
    size = len(handshake) + 1_000
    answers: list[Event] = []
    async with (
        server_here(tmp_path / "data", many) as url,
        line(int(url.rpartition(":")[2])) as one,
    ):
        while rest:
            await one.write(rest[:size])
            await asyncio.sleep(0)
            rest, size = rest[size:], rng.choice([1, 3, 20, len(pings[-1]), 300])
        client = ClientProtocol(parse_uri(url), state=State.OPEN)
        async with asyncio.timeout(PATIENCE_S):
            await one.reader.readuntil(b"\r\n\r\n")
            while len(answers) < len(pings):
                client.receive_data(await one.reader.read(65_536))
                answers += client.events_received()
    decoder = msgspec.json if codec.text else msgspec.msgpack
    pongs = [decoder.decode(each.data, type=Pong) for each in answers if isinstance(each, Frame)]
    assert [pong.sent for pong in pongs] == list(range(len(pings)))


async def test_a_peer_that_answers_no_ping_is_closed_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "PING_S", 0.5)
    async with server_here(tmp_path / "data") as url, peer(url) as ada:
        async with upgraded(int(url.rpartition(":")[2])) as one:
            assert await one.closed() == 1011
        assert (await ada.ask(Ping(7), Pong)).sent == 7

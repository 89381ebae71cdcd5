"""Everything that a flooding peer sends counts against its rate; then the server stops reading."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess, serving
from tests.support.torture import long
from tests.wire.in_process import server_here
from tests.wire.peer import peer, race_to_the_end
from tests.wire.raw import (
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    Line,
    frame,
    line,
    request,
    upgraded,
)
from websockets.asyncio.server import ServerConnection

from bigben_protocol import CODECS, JSON, Hello, Ping, Pong
from bigben_server.config import Limits
from bigben_server.transport.admission import FLOOD_COST
from bigben_server.transport.connection import DRIP_S, MeteredConnection
from bigben_server.transport.websocket import GOODBYE_S

BURST = Limits().burst
SLOW = 1
"""New connections a second; a hundred may come at once."""


@pytest.fixture(scope="module", params=[3, long(1)], ids="workers={}".format)
def server(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[ServerProcess]:
    """A server that one address may flood often; at the end it must still work."""
    settings = {"BIGBEN_CONNECTS_PER_SECOND": "1000000"}
    with serving(tmp_path_factory.mktemp("server"), settings, workers=request.param) as one:
        yield one
        asyncio.run(race_to_the_end(one.url))
        assert one.complaints() == []


@asynccontextmanager
async def flooding(one: Line, data: bytes) -> AsyncIterator[None]:
    """Write the bytes again and again, even if nobody reads them."""
    task = asyncio.create_task(one.flood(data))
    try:
        yield
    finally:
        task.cancel()
        one.writer.transport.abort()


HELLO = frame(TEXT, CODECS[JSON].encode(Hello("Ada")))
FLOODS = {
    "empty pings": (b"", frame(PING)),
    "full pings": (b"", frame(PING, b"x" * 125)),
    "pongs that nobody asked for": (b"", frame(PONG)),
    "pings after hello": (HELLO, frame(PING)),
    "empty fragments": (frame(TEXT, fin=False), frame(CONTINUATION, fin=False)),
    "pings between fragments": (frame(TEXT, b"{", fin=False), frame(PING)),
    "messages": (HELLO, frame(TEXT, CODECS[JSON].encode(Ping(1)))),
    "large messages": (
        HELLO,
        frame(TEXT, CODECS[JSON].encode(Ping(1)) + b" " * 16_000),
    ),
}


@pytest.mark.parametrize(("first", "then"), FLOODS.values(), ids=FLOODS)
async def test_anything_that_is_sent_too_fast_closes_with_1008(
    server: ServerProcess, first: bytes, then: bytes
) -> None:
    async with peer(server.url, name="Bob") as bob, upgraded(server.port) as one:
        await one.write(first)
        async with flooding(one, then * (65_536 // len(then))):
            assert await one.closed() == 1008
        assert (await bob.ask(Ping(7), Pong)).sent == 7


async def test_only_a_few_pings_of_a_flood_are_answered(server: ServerProcess) -> None:
    async with upgraded(server.port) as one:
        async with flooding(one, frame(PING) * 10_000):
            answer = await one.rest()
        pongs = answer.partition(bytes([0x80 | TEXT]))[0]
        assert BURST <= len(pongs) // 2 < 10 * BURST


async def test_messages_within_the_rate_are_answered_before_the_refusal(
    server: ServerProcess,
) -> None:
    ping = frame(TEXT, CODECS[JSON].encode(Ping(1)))
    async with upgraded(server.port) as one:
        await one.write(HELLO + ping * (3 * BURST))
        said = re.findall(rb'"type":"([a-z]+)"', await one.rest())
    assert said[0] == b"welcome"
    assert said[-1] == b"refused"
    assert set(said[1:-1]) == {b"pong"}
    assert BURST - 2 <= len(said[1:-1]) < 2 * BURST, "the request and the hello count too"


async def test_fragments_and_pings_within_the_rate_are_answered_and_the_close_too(
    server: ServerProcess,
) -> None:
    parts = [b'{"type":"ping",', b'"sent":', b"1}"]
    async with upgraded(server.port) as one:
        for part in parts:
            opcode = TEXT if part is parts[0] else CONTINUATION
            await one.write(frame(opcode, part, fin=part is parts[-1]) + frame(PING, part))
        async with asyncio.timeout(PATIENCE_S):
            answer = await one.reader.readuntil(b'"type":"pong"')
        await one.write(frame(CLOSE, (1000).to_bytes(2, "big")))
        end = await one.rest()
    assert answer.count(bytes([0x80 | PONG])) == len(parts)
    assert end.endswith(bytes([0x80 | CLOSE, 2]) + (1000).to_bytes(2, "big"))


@pytest.mark.parametrize(
    "sent", [frame(PING), frame(PONG), frame(TEXT, CODECS[JSON].encode(Ping(1)))]
)
async def test_the_server_hardly_reads_from_a_peer_that_was_too_fast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    """It sends until it is closed: TCP slows it down, and the server parses nothing more."""
    reads: list[int] = []
    parsed: list[int] = []
    read = MeteredConnection.data_received
    parse = ServerConnection.data_received

    def reading(self: MeteredConnection, data: bytes) -> None:
        reads.append(len(data))
        read(self, data)

    def parsing(self: ServerConnection, data: bytes) -> None:
        parsed.append(len(data))
        parse(self, data)

    async with (
        server_here(tmp_path / "data") as url,
        upgraded(int(url.rpartition(":")[2])) as one,
    ):
        monkeypatch.setattr(MeteredConnection, "data_received", reading)
        monkeypatch.setattr(ServerConnection, "data_received", parsing)
        async with flooding(one, sent * 10_000):
            assert await one.closed() == 1008
    assert sum(parsed) < 2 * len(sent) * BURST + 1_024
    assert len(reads) < 2 * (2 + GOODBYE_S / DRIP_S), "a busy machine closes late"


async def test_an_address_that_flooded_waits_before_it_connects_again_and_others_do_not(
    tmp_path: Path,
) -> None:
    """Addresses behind a proxy are counted by each worker."""
    settings = {
        "BIGBEN_BEHIND_PROXY": "1",
        "BIGBEN_TRUSTED": "10.0.0.0/8, 127.0.0.1",
        "BIGBEN_CONNECTS_PER_SECOND": str(SLOW),
    }

    async def status(server: ServerProcess, address: str) -> bytes:
        async with line(server.port) as one:
            await one.write(
                f"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                f"X-Forwarded-For: {address}\r\n\r\n".encode()
            )
            return (await one.rest()).split()[1]

    with serving(tmp_path, settings, workers=1) as server:
        assert await status(server, "192.0.2.1") == b"200"
        same = "X-Forwarded-For: 192.0.2.1"
        async with (
            upgraded(server.port, JSON, same) as one,
            upgraded(server.port, JSON, same) as other,
            flooding(one, frame(PING) * 10_000),
            flooding(other, frame(PING) * 10_000),
        ):
            assert await one.closed() == await other.closed() == 1008
        assert FLOOD_COST >= 100 * SLOW, "with two it owes some minutes"
        assert await status(server, "192.0.2.1") == b"429"
        assert await status(server, "192.0.2.2") == b"200"
        assert await status(server, "192.0.2.2, 192.0.2.1") == b"429"
        assert await status(server, "192.0.2.2, unknown") == b"400"


@pytest.mark.parametrize("workers", [3, long(1)])
async def test_the_server_does_not_read_for_a_while_from_an_address_that_connects_endlessly(
    tmp_path: Path, workers: int
) -> None:
    """The last assertion waits for the ten seconds that a handshake may take."""
    settings = {"BIGBEN_CONNECTS_PER_SECOND": str(SLOW)}
    with serving(tmp_path, settings, workers=workers) as server:

        async def asked(address: str) -> bytes:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", server.port, local_addr=(address, 0)
            )
            one = Line(reader, writer)
            await one.write(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            try:
                return await one.rest()
            finally:
                writer.close()

        for many in (50, 30):
            answers = [asyncio.create_task(asked("127.0.0.1")) for _ in range(many)]
            assert all(answer.endswith(b"ok\n") for answer in await asyncio.gather(*answers))
        answers = [asyncio.create_task(asked("127.0.0.1")) for _ in range(60)]
        assert (await asked("127.0.0.2")).endswith(b"ok\n")
        assert b"" in await asyncio.gather(*answers)


async def test_a_request_with_endless_headers_is_closed(server: ServerProcess) -> None:
    async with line(server.port) as one:
        await one.write(request()[:-2])
        async with flooding(one, b"X: y\r\n" * 10_000):
            assert re.match(rb"HTTP/1\.1 431 |$", await one.rest())

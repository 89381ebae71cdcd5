"""Connections to the port that are not Big Ben peers are refused with a sentence."""

import asyncio
import contextlib
import gzip
import re
import zlib
from collections.abc import Iterator

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess, serving
from tests.support.torture import long
from tests.wire.peer import peer, race_to_the_end
from tests.wire.raw import (
    BINARY,
    CONTINUATION,
    GARBAGE,
    PING,
    TEXT,
    UPGRADE,
    Line,
    frame,
    line,
    request,
    upgraded,
)
from websockets.exceptions import WebSocketException

from bigben_protocol import CODECS, JSON, MSGPACK, Ping, Pong
from bigben_server.config import Limits
from bigben_server.transport.admission import SILENT

MIB = 1 << 20


@pytest.fixture(scope="module", params=[1, long(3)], ids="workers={}".format)
def server(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), workers=request.param) as one:
        yield one
        asyncio.run(race_to_the_end(one.url))
        unread = "X-Forwarded-For comes from 127.0.0.1 and is not read"
        assert [line for line in one.complaints() if unread not in line] == []


async def still_serves(server: ServerProcess) -> None:
    async with peer(server.url) as one:
        assert (await one.ask(Ping(7), Pong)).sent == 7


@pytest.mark.parametrize("offered", ["", "chat", "bigben.v2.json, bigben.v1", "BIGBEN.V1.JSON"])
async def test_a_handshake_without_our_subprotocol_is_refused_with_their_names(
    server: ServerProcess, offered: str
) -> None:
    async with line(server.port) as one:
        await one.write(request(*([f"Sec-WebSocket-Protocol: {offered}"] if offered else [])))
        head, _, body = (await one.rest()).decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 400 ")
    assert JSON in body
    assert MSGPACK in body


@pytest.mark.parametrize(
    "path", ["/?codec={}", "/?race=K7QPXM&codec={}", "/?codec={}&race=daily", "//[?codec={}"]
)
async def test_the_address_names_the_codec_where_no_subprotocol_is_offered(
    server: ServerProcess, path: str
) -> None:
    async with line(server.port) as one:
        asked = request().replace(b"GET /", f"GET {path.format(JSON)}".encode())
        await one.write(asked + frame(TEXT, CODECS[JSON].encode(Ping(7))))
        head = (await one.reader.readuntil(b"\r\n\r\n")).decode()
        assert head.startswith("HTTP/1.1 101 ")
        assert "Sec-WebSocket-Protocol" not in head
        pong = await one.reader.readuntil(b"}")
        assert isinstance(CODECS[JSON].decode_server(pong[2:].decode()), Pong)
    for other in ("chat", "", JSON.upper(), f"{JSON}x"):
        async with line(server.port) as one:
            await one.write(request().replace(b"GET /", f"GET {path.format(other)}".encode()))
            answer = (await one.rest()).decode()
        assert answer.startswith("HTTP/1.1 400 ")
        assert f"/?codec={JSON}" in answer


async def test_a_browser_gets_the_page(server: ServerProcess) -> None:
    async with line(server.port) as one:
        await one.write(request(upgrade=["Host: x", "Connection: close"]))
        head, _, body = (await one.rest()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"Content-Security-Policy: default-src 'none';" in head
    assert b'<script type="module" src="/bundle.js"></script>' in body


async def plainly(server: ServerProcess, method: str, path: str, *headers: str) -> tuple[str, str]:
    """The head and the body of an answer to plain HTTP."""
    async with line(server.port) as one:
        closes = [] if any("Connection" in line for line in headers) else ["Connection: close"]
        asked = [f"{method} {path} HTTP/1.1", "Host: x", *closes, *headers]
        await one.write("".join(f"{text}\r\n" for text in [*asked, ""]).encode())
        head, _, body = (await one.rest()).decode().partition("\r\n\r\n")
        return head, body


async def test_head_has_the_headers_of_get_and_no_body(server: ServerProcess) -> None:
    for path in ("/", "/main.js", "/health", "/api/openapi.json", "/nothing"):
        got, body = await plainly(server, "GET", path)
        head, nothing = await plainly(server, "HEAD", path)
        assert sorted(head.splitlines()) == sorted(got.splitlines())
        assert body
        assert not nothing


async def ask_on(one: Line, path: str, *headers: str) -> tuple[str, bytes]:
    """The head and the body of an answer, on a connection that may stay open."""
    asked = [f"GET {path} HTTP/1.1", "Host: x", *headers, "", ""]
    await one.write("\r\n".join(asked).encode())
    async with asyncio.timeout(PATIENCE_S):
        head = (await one.reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"^Content-Length: (\d+)\r$", head, re.MULTILINE)
        return head, await one.reader.readexactly(int(length[1]) if length else 0)


async def test_a_connection_takes_one_request_after_another(server: ServerProcess) -> None:
    async with line(server.port) as one:
        _, plain = await ask_on(one, "/bundle.js")
        head, packed = await ask_on(one, "/bundle.js", "Accept-Encoding: gzip")
        assert gzip.decompress(packed) == plain
        tag = re.search(r"^ETag: (.*)\r$", head, re.MULTILINE)
        assert tag
        again = f"If-None-Match: {tag[1]}"
        head, body = await ask_on(one, "/bundle.js", "Accept-Encoding: gzip", again)
        assert (head.split()[1], body) == ("304", b"")
        assert (await ask_on(one, "/health"))[1] == b"ok\n"
        await one.write(request(f"Sec-WebSocket-Protocol: {JSON}"))
        assert (await one.reader.readline()).startswith(b"HTTP/1.1 101 ")
    await still_serves(server)


async def test_a_connection_is_closed_when_no_other_request_comes(server: ServerProcess) -> None:
    async with line(server.port) as one:
        await ask_on(one, "/health")
        assert await one.rest() == b""
    async with line(server.port) as one:
        await ask_on(one, "/health")
        await one.write(b"GET / HT")
        assert await one.rest() == b""
    await still_serves(server)


async def test_a_refusal_closes_its_connection(server: ServerProcess) -> None:
    async with line(server.port) as one:
        head, _ = await ask_on(one, "/nothing")
        assert "Connection: close" in head
        assert await one.rest() == b""


@pytest.mark.parametrize(
    "more",
    [
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x81\x80\0\0\0\0",
        b"\x81",  # a part of a frame: one that is whole may never come
        b"G",
        b"\0" * 5_000,
    ],
)
async def test_bytes_before_the_answer_harm_nobody(server: ServerProcess, more: bytes) -> None:
    async with line(server.port) as one:
        await one.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" + more)
        assert (await one.rest()).count(b"HTTP/1.1 ") <= 1
    await still_serves(server)


async def test_a_file_that_the_browser_has_is_not_sent_again(server: ServerProcess) -> None:
    head, _ = await plainly(server, "GET", "/main.js")
    tag = re.search(r"^ETag: (.*)$", head, re.MULTILINE)
    assert tag
    again, body = await plainly(server, "GET", "/main.js", f"If-None-Match: {tag[1].strip()}")
    assert again.startswith("HTTP/1.1 304 ")
    assert not body


async def test_the_server_refuses_other_methods_over_plain_http(server: ServerProcess) -> None:
    head, body = await plainly(server, "DELETE", "/")
    assert head.startswith("HTTP/1.1 405 ")
    assert "Allow: GET, HEAD" in head
    assert "GET and HEAD" in body


async def test_an_unknown_path_gets_404_with_the_address_of_the_game(server: ServerProcess) -> None:
    head, body = await plainly(server, "GET", "/favicon.ico")
    assert head.startswith("HTTP/1.1 404 ")
    assert body.startswith("There is nothing here; the game is at /")


ODD_RACES = ["", "K7QPXM", "k7qpxm", "daily", "%4b7", "a" * 4_000, "A&race=B&race=", "..%2f", "{x}"]
PATHS = [
    *("/", "/index.html", "/health", "/api/leaderboard", "/api/", "/race/K7QPXM", "/a?b=c", "*"),
    *(f"/?race={race}" for race in ODD_RACES),
    *("/?Race=K7QPXM", "/?race", "/?embrace=K7QPXM", "/??race=K7QPXM#race=?", "?race=K7QPXM"),
]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:20])
async def test_every_path_accepts_websockets(server: ServerProcess, path: str) -> None:
    handshake = request(f"Sec-WebSocket-Protocol: {JSON}").replace(b"GET /", f"GET {path}".encode())
    async with line(server.port) as one:
        await one.write(handshake)
        assert (await one.reader.readline()).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/main.js", 200), ("/api/leaderboard", 200), ("/health", 200), ("/race", 404)],
)
@pytest.mark.parametrize(
    "headers",
    [
        ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
        ["Connection: Upgrade", "Upgrade: h2c, TLS/1.0"],
        ["Connection: Upgrade", "Upgrade: websocket2"],
        ["Connection: Upgrade", "Upgrade:"],
        ["Connection: Upgrade", "Upgrade: \x80,,"],
    ],
)
async def test_an_upgrade_to_something_else_is_ignored(
    server: ServerProcess, path: str, status: int, headers: list[str]
) -> None:
    head, body = await plainly(server, "GET", path, *headers)
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert body


async def test_any_upgrade_in_http_1_0_is_ignored(server: ServerProcess) -> None:
    handshake = request(f"Sec-WebSocket-Protocol: {JSON}").replace(b"HTTP/1.1", b"HTTP/1.0")
    async with line(server.port) as one:
        await one.write(handshake)
        assert (await one.rest()).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("version", ["8", "0", "14", "13, 8", "thirteen", ""])
async def test_a_websocket_of_another_version_is_refused_with_the_supported_one(
    server: ServerProcess, version: str
) -> None:
    upgrade = [*UPGRADE[:-1], f"Sec-WebSocket-Version: {version}"]
    async with line(server.port) as one:
        await one.write(request(f"Sec-WebSocket-Protocol: {JSON}", upgrade=upgrade))
        head, _, body = (await one.rest()).decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 426 ")
    assert "\r\nSec-WebSocket-Version: 13" in head
    assert "\r\nUpgrade: websocket" in head
    assert "version 13" in body


@pytest.mark.parametrize(
    ("left_out", "instead", "status"),
    [
        ("Upgrade: websocket", "Upgrade: h2c, websocket", 426),
        ("Connection: Upgrade", "Connection: close", 426),
        ("Connection: Upgrade", "Connection: \x80", 400),
        ("Sec-WebSocket-Version: 13", "X: y", 400),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Key: short", 400),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "X: y", 400),
    ],
)
async def test_an_incomplete_handshake_is_refused(
    server: ServerProcess, left_out: str, instead: str, status: int
) -> None:
    upgrade = [instead if header == left_out else header for header in UPGRADE]
    async with line(server.port) as one:
        await one.write(request(f"Sec-WebSocket-Protocol: {JSON}", upgrade=upgrade))
        head = (await one.rest()).decode()
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert ("\r\nUpgrade: websocket" in head) is (status == 426)


@pytest.mark.parametrize("method", ["POST", "PUT", "CONNECT", "OPTIONS"])
async def test_a_websocket_begins_with_get(server: ServerProcess, method: str) -> None:
    handshake = request(f"Sec-WebSocket-Protocol: {JSON}").replace(b"GET", method.encode())
    async with line(server.port) as one:
        await one.write(handshake)
        head = (await one.rest()).decode()
    assert head.startswith("HTTP/1.1 405 ")
    assert "\r\nAllow: GET" in head


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Origin: http://127.0.0.1", "Origin: http://a.example"], 403),
        (["Origin: http://["], 403),
        (["Host: a.example", "Origin: http://a.example"], 403),
        (["X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2"], 101),
    ],
)
async def test_repeated_or_senseless_headers_do_not_fail_the_server(
    server: ServerProcess, headers: list[str], status: int
) -> None:
    async with line(server.port) as one:
        await one.write(request(f"Sec-WebSocket-Protocol: {JSON}", *headers))
        assert (await one.reader.readline()).split()[1] == str(status).encode()


async def test_etags_may_come_in_two_headers(
    server: ServerProcess,
) -> None:
    async with line(server.port) as one:
        headers = 'Connection: close\r\nIf-None-Match: "a"\r\nIf-None-Match: "b"\r\n'
        await one.write(f"GET /api/leaderboard HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())
        assert (await one.rest()).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_is_answered_with_an_error_or_not_at_all(
    server: ServerProcess, garbage: bytes
) -> None:
    async with line(server.port) as one:
        await one.write(garbage)
        one.writer.write_eof()
        answer = await one.rest()
    assert re.match(rb"HTTP/1\.1 4\d\d |$", answer), answer[:200]
    assert b"Traceback" not in answer
    await still_serves(server)


async def test_half_open_handshakes_delay_nobody_and_are_closed(server: ServerProcess) -> None:
    """The last assertion waits for the ten seconds that a handshake may take."""
    async with asyncio.TaskGroup() as tasks:
        for part in (b"", b"G", b"GET / HTTP/1.1\r\nHost:", request()[:-2]) * 10:
            tasks.create_task(hang(server.port, part))
        await race_to_the_end(server.url)


async def test_silent_connections_of_one_address_are_limited(
    server: ServerProcess,
) -> None:
    """The server closes them without an answer, so that others can connect."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(SILENT * Limits().connections_per_address):
            silent = await stack.enter_async_context(line(server.port))
            await silent.write(b"G")
        async with line(server.port) as one:
            with contextlib.suppress(OSError):
                await one.write(request(f"Sec-WebSocket-Protocol: {JSON}"))
            assert await one.rest() == b""
    async with asyncio.timeout(PATIENCE_S):
        while True:  # it notices after a moment that they have gone
            with contextlib.suppress(OSError, WebSocketException):
                await still_serves(server)
                break


async def hang(port: int, part: bytes) -> None:
    async with line(port) as one:
        await one.write(part)
        answer = await one.rest()
    assert re.match(rb"HTTP/1\.1 4\d\d |$", answer), answer


async def test_compression_is_declined_and_a_compression_bomb_is_harmless(
    server: ServerProcess,
) -> None:
    """A megabyte of zeros in a kilobyte; a real bomb would be much bigger."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = deflater.compress(bytes(MIB)) + deflater.flush(zlib.Z_SYNC_FLUSH)
    offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    async with upgraded(server.port, JSON, offer) as one:
        await one.write(frame(TEXT, bomb[:-4], bits=0x40))
        assert await one.closed() == 1002
    await still_serves(server)


PROTOCOL_ERRORS = {
    "not masked": bytes([0x81, 5]) + b"hello",
    "reserved bits": frame(TEXT, b"{}", bits=0x70),
    "an unknown opcode": frame(0x3, b"{}"),
    "a continuation of nothing": frame(CONTINUATION, b"{}"),
    "a message within a message": frame(TEXT, b"{", fin=False) + frame(TEXT, b"}"),
    "a ping in fragments": frame(PING, b"", fin=False),
    "a ping too long": frame(PING, b"x" * 126),
    "all ones": b"\xff" * 64,
}


@pytest.mark.parametrize("data", PROTOCOL_ERRORS.values(), ids=PROTOCOL_ERRORS)
async def test_bytes_that_are_not_a_websocket_frame_close_with_1002(
    server: ServerProcess, data: bytes
) -> None:
    async with upgraded(server.port) as one:
        await one.write(data)
        assert await one.closed() == 1002
    await still_serves(server)


async def test_a_frame_that_only_announces_too_many_bytes_closes_with_1009(
    server: ServerProcess,
) -> None:
    async with upgraded(server.port, MSGPACK) as one:
        await one.write(bytes([0x82, 0xFF]) + b"\x7f" + b"\xff" * 7)
        assert await one.closed() == 1009


@pytest.mark.parametrize("size", [16_385, 10 * MIB])
async def test_a_frame_that_is_too_big_closes_with_1009_and_is_not_kept(
    server: ServerProcess, size: int
) -> None:
    before = server.memory()
    for opcode, subprotocol in ((TEXT, JSON), (BINARY, MSGPACK)):
        async with upgraded(server.port, subprotocol) as one:
            sending = asyncio.create_task(one.write(frame(opcode, b"x" * size)))
            assert await one.closed() == 1009
            _ = await asyncio.gather(sending, return_exceptions=True)
    assert server.memory() - before < 8 * 1024
    await still_serves(server)


async def test_a_message_whose_fragments_are_too_big_together_closes_with_1009(
    server: ServerProcess,
) -> None:
    async with upgraded(server.port) as one:
        await one.write(frame(TEXT, b"x" * 10_000, fin=False))
        await one.write(frame(CONTINUATION, b"x" * 10_000))
        assert await one.closed() == 1009


async def test_endless_empty_fragments_are_not_collected(
    server: ServerProcess,
) -> None:
    before = server.memory()
    async with upgraded(server.port) as one:
        await one.write(frame(TEXT, b"", fin=False))
        await one.write(frame(CONTINUATION, b"", fin=False) * 20_000)
        assert await one.closed() == 1008
    assert server.memory() - before < 8 * 1024
    await still_serves(server)


async def test_a_peer_that_never_reads_its_pongs_is_dropped(server: ServerProcess) -> None:
    """The websockets library answers pings itself, into an unlimited buffer."""
    before = server.memory()
    async with upgraded(server.port) as one:
        one.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a socket's has it
        await one.flood(frame(PING, b"x" * 125) * 500)
    assert server.memory() - before < 8 * 1024
    await still_serves(server)

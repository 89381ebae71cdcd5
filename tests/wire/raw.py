"""TCP to a server without a WebSocket library, for bytes that no library would send."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from tests.support.patience import PATIENCE_S

from bigben_protocol import JSON

_MASK = b"\0\0\0\0"

UPGRADE = (
    "Host: 127.0.0.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


class Line(NamedTuple):
    """A TCP connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def write(self, data: bytes) -> None:
        """Write all the bytes. Raises OSError if the other side has closed."""
        async with asyncio.timeout(PATIENCE_S):
            self.writer.write(data)
            await self.writer.drain()

    async def flood(self, data: bytes) -> None:
        """Write the bytes again and again, until the other side has closed."""
        with contextlib.suppress(OSError):
            while True:
                await self.write(data)

    async def rest(self) -> bytes:
        """Everything until the other side closes, cleanly or not."""
        answer = b""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while more := await self.reader.read(65_536):
                    answer += more
        except ConnectionError:
            pass  # It closed with unread bytes.
        return answer

    async def closed(self) -> int:
        """The code of the server's close frame; 0 without one."""
        answer = await self.rest()
        at = answer.rfind(bytes([0x80 | CLOSE]))
        return int.from_bytes(answer[at + 2 : at + 4], "big") if at >= 0 else 0


@asynccontextmanager
async def line(port: int) -> AsyncIterator[Line]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()


@asynccontextmanager
async def upgraded(port: int, subprotocol: str = JSON, *headers: str) -> AsyncIterator[Line]:
    """A WebSocket connection after its handshake; the test makes its frames."""
    async with line(port) as one:
        await one.write(request(f"Sec-WebSocket-Protocol: {subprotocol}", *headers))
        async with asyncio.timeout(PATIENCE_S):
            answer = await one.reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        yield one


def request(*headers: str, upgrade: Sequence[str] = UPGRADE) -> bytes:
    return "\r\n".join(("GET / HTTP/1.1", *upgrade, *headers, "", "")).encode()


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True, bits: int = 0) -> bytes:
    """A masked frame; ``bits`` are the reserved ones, 0x40 for a compressed message."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65_536:
        length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
    return bytes([(0x80 if fin else 0) | bits | opcode]) + length + _MASK + payload


GARBAGE = {
    "noise": bytes(random.Random(1).randbytes(4096)),
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "Redis": b"*1\r\n$8\r\nFLUSHALL\r\n" * 10,
    "a long line": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10_000 + b"\r\n",
    "another method": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
    "an old version": b"GET / HTTP/0.9\r\n\r\n",
    "a bad key": request("Sec-WebSocket-Key: twice", f"Sec-WebSocket-Protocol: {JSON}"),
    "bad bytes in a header": request(f"Sec-WebSocket-Protocol: {JSON}\0\x7f\x1b[31m"),
    "bare line feeds": b"GET / HTTP/1.1\nHost: x\n\n",
}
"""What is no request of a WebSocket, or a bad one."""

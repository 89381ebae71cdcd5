"""One WebSocket of the driver, on a blocking socket."""

import socket
from typing import Final
from urllib.parse import urlsplit

from benchmarks.driver.frames import BINARY, CLOSE, PING, PONG, TEXT, framed, split

_READ: Final = 65_536
_HANDSHAKE: Final = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
)


class HungUp(RuntimeError):
    """The server refused or closed a connection; the text says how."""


class Connection:
    """A WebSocket. Call ``opened`` before anything else, so that many can open at once."""

    def __init__(self, url: str, *, subprotocol: str = "", text: bool = True) -> None:
        """Connect and ask for the WebSocket. Raises OSError."""
        parts = urlsplit(url)
        assert parts.hostname, url
        self._opcode = TEXT if text else BINARY
        self._rest = b""
        self._socket = socket.create_connection((parts.hostname, parts.port or 80))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sent_bytes = self.received_bytes = 0
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        head = _HANDSHAKE.format(path=path, host=parts.netloc)
        if subprotocol:
            head += f"Sec-WebSocket-Protocol: {subprotocol}\r\n"
        self._socket.sendall(f"{head}\r\n".encode())

    def opened(self) -> None:
        """Wait for the WebSocket. Raises HungUp."""
        answer = b""
        while b"\r\n\r\n" not in answer:
            if not (data := self._socket.recv(_READ)):
                raise HungUp(f"the handshake ended after {answer!r}")
            answer += data
        head, _, self._rest = answer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise HungUp(answer.decode(errors="replace"))

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, payload: bytes) -> None:
        frame = framed(self._opcode, payload)
        self.sent_bytes += len(frame)
        self._socket.sendall(frame)

    def read(self) -> list[bytes]:
        """The payloads that have come; waits for bytes if there are none. Raises HungUp."""
        frames, self._rest = split(self._rest)
        if not frames:
            data = self._socket.recv(_READ)
            if not data:
                raise HungUp("the connection broke")
            self.received_bytes += len(data)
            frames, self._rest = split(self._rest + data)
        payloads = []
        for opcode, payload in frames:
            if opcode == self._opcode:
                payloads.append(payload)
            elif opcode == PING:
                self._socket.sendall(framed(PONG, payload))
            elif opcode == CLOSE:
                raise HungUp(f"{int.from_bytes(payload[:2])} {payload[2:].decode()}")
        return payloads

    def close(self) -> None:
        """Close the connection without a close frame."""
        self._socket.close()

"""WebSocket frames as a client writes and reads them."""

import struct
from typing import Final, NamedTuple

TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
PONG: Final = 10

_MASK: Final = bytes(4)
"""Zeros leave the payload as it is. The server unmasks as usual, and the driver saves the work."""


class Frame(NamedTuple):
    opcode: int
    payload: bytes


def framed(opcode: int, payload: bytes) -> bytes:
    """One frame from a client, of less than 64 KiB."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | opcode, 0x80 | size)) + _MASK + payload
    return struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size) + _MASK + payload


def split(data: bytes) -> tuple[list[Frame], bytes]:
    """The whole frames from a server at the start of ``data``, and the bytes after them."""
    frames = []
    at, end = 0, len(data)
    while end - at >= 2:
        start, size = at + 2, data[at + 1]
        if size >= 126:
            start += 2 if size == 126 else 8
            if start > end:
                break
            size = int.from_bytes(data[at + 2 : start])
        if start + size > end:
            break
        frames.append(Frame(data[at] & 15, data[start : start + size]))
        at = start + size
    return frames, data[at:]

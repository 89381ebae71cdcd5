"""Frames of RFC 6455 without websockets: the header of ours, and a client's small message."""

from struct import Struct
from typing import Any, Final

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # it chooses C or Python
from websockets.protocol import Protocol
from websockets.streams import StreamReader

# Section 5.2. The first byte says what a message is and that the frame is its last; the second is
# the mask bit and the length, if it is small.
_TEXT: Final = 0x81
_BINARY: Final = 0x82
_MASKED: Final = 0x80
_SMALL: Final = 125
_HEADER: Final = 6
"""Bytes before the payload of a client's small frame; the last four are the mask."""
_SHORT: Final = Struct("!BB")
_MEDIUM: Final = Struct("!BBH")
_LONG: Final = Struct("!BBQ")
_AT_EOF: Final = StreamReader.at_eof.__code__
PING: Final = b"\x89\x00"
NO_PONG: Final = "keepalive ping timeout"
"""Why a connection is closed whose peer does not answer pings."""


def framed(payload: bytes, *, text: bool) -> bytes:
    """A message of the server in one frame."""
    first, size = _TEXT if text else _BINARY, len(payload)
    if size <= _SMALL:
        return _SHORT.pack(first, size) + payload
    if size <= 0xFFFF:
        return _MEDIUM.pack(first, 126, size) + payload
    return _LONG.pack(first, 127, size) + payload


def small_message(protocol: Protocol, data: bytes) -> bytes | str | None:
    """The message if ``data`` is a client's small one in one frame, and nothing more.

    Every move is such a message. Read here, it does not pass through the parser of websockets, a
    chain of generators. None if that must read it, or is in the middle of something.
    """
    size = len(data) - _HEADER
    if not (0 <= size <= _SMALL and data[1] == _MASKED + size):
        return None
    if awaits_frame(protocol):
        if data[0] == _BINARY:
            return apply_mask(data[_HEADER:], data[2:_HEADER])
        if data[0] == _TEXT:
            try:
                return apply_mask(data[_HEADER:], data[2:_HEADER]).decode()
            except UnicodeDecodeError:
                return None
    return None


def awaits_frame(protocol: Protocol) -> bool:
    """Whether the parser has read all of a message, and nothing of the next frame.

    The third generator of a server's parser tells: ``parse`` of its own, that of all protocols, and
    what that waits for. False if a version of websockets parses in another way.
    """
    parser: Any = protocol.parser  # a generator of any kind, for websockets' types
    parsing = parser.gi_yieldfrom
    waiting = parsing and parsing.gi_yieldfrom
    if not waiting or waiting.gi_code is not _AT_EOF:
        return False
    return protocol.current_size is None

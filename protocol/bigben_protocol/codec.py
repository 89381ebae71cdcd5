"""Encodes messages to frames and decodes them, as JSON text or binary MessagePack."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from bigben_protocol.client_messages import ClientMessage
from bigben_protocol.server_messages import ServerMessage

JSON: Final = "bigben.v1.json"
MSGPACK: Final = "bigben.v1.msgpack"


_LONGEST_PROBLEM: Final = 76
_LONGEST_FIELD: Final = 40
"""Together, with `` - at ``, they fit the 123 bytes of a close reason."""


class FrameError(ValueError):
    """The frame is not a message: the peer is broken.

    The text names the field and fits a close reason: whatever the peer sent, it has at most 123
    characters, all of them printable ASCII.
    """


@dataclass(frozen=True, slots=True)
class Codec:
    """Encodes and decodes the frames of one subprotocol."""

    subprotocol: str
    text: bool
    """Frames are text, else binary."""
    encode: Callable[[ClientMessage | ServerMessage], bytes]
    _decode_client: Callable[[bytes | str], ClientMessage]
    _decode_server: Callable[[bytes | str], ServerMessage]

    def decode_client(self, frame: bytes | str) -> ClientMessage:
        """The message in a client's frame. Raises FrameError."""
        self._check_kind(frame)
        try:
            return self._decode_client(frame)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise FrameError(_problem(error)) from None

    def decode_server(self, frame: bytes | str) -> ServerMessage:
        """The message in a server's frame. Raises FrameError."""
        self._check_kind(frame)
        try:
            return self._decode_server(frame)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise FrameError(_problem(error)) from None

    def _check_kind(self, frame: bytes | str) -> None:
        if isinstance(frame, str) is not self.text:
            kind = "text" if self.text else "binary"
            raise FrameError(f"{self.subprotocol} frames are {kind}")


def _problem(error: Exception) -> str:
    """What is wrong with a frame. msgspec's text may quote the frame, so it is cut to a length."""
    match error:
        case RecursionError():
            return "The message is nested too deeply"
        case UnicodeError():
            return "A text in the message is not UTF-8"
        case _:
            # "Invalid value 'whatever the peer sent' - at `$.type`": the field comes last.
            problem, _, field = _printable(str(error)).rpartition(" - at ")
            if not problem:
                return field[:_LONGEST_PROBLEM]
            return f"{problem[:_LONGEST_PROBLEM]} - at {field[:_LONGEST_FIELD]}"


def _printable(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)


_json_encoder = msgspec.json.Encoder()
_msgpack_encoder = msgspec.msgpack.Encoder()

CODECS: Final = {
    JSON: Codec(
        JSON,
        True,
        _json_encoder.encode,
        msgspec.json.Decoder(ClientMessage).decode,
        msgspec.json.Decoder(ServerMessage).decode,
    ),
    MSGPACK: Codec(
        MSGPACK,
        False,
        _msgpack_encoder.encode,
        # A text frame never reaches these two: _check_kind has refused it.
        msgspec.msgpack.Decoder(ClientMessage).decode,  # type: ignore[arg-type]
        msgspec.msgpack.Decoder(ServerMessage).decode,  # type: ignore[arg-type]
    ),
}
"""The codecs by subprotocol; both carry the same messages."""

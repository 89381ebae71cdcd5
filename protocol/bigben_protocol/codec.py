"""Messages to frames and back, as JSON text or MessagePack binary. Knows no socket."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from bigben_protocol.client_messages import ClientMessage
from bigben_protocol.server_messages import ServerMessage

JSON: Final = "bigben.v1.json"
MSGPACK: Final = "bigben.v1.msgpack"


class FrameError(ValueError):
    """The frame is no message: the peer is broken. The text names the field, and fits a close."""


@dataclass(frozen=True, slots=True)
class Codec:
    """One subprotocol. Its coders are made once; ``decode`` is strict and raises FrameError."""

    subprotocol: str
    text: bool
    """Frames are text, else binary."""
    encode: Callable[[ClientMessage | ServerMessage], bytes]
    _decode_client: Callable[[bytes | str], ClientMessage]
    _decode_server: Callable[[bytes | str], ServerMessage]

    def decode_client(self, frame: bytes | str) -> ClientMessage:
        """What a client sent. Raises FrameError."""
        self._check_kind(frame)
        try:
            return self._decode_client(frame)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise FrameError(str(error)[:120]) from None

    def decode_server(self, frame: bytes | str) -> ServerMessage:
        """What the server sent. Raises FrameError."""
        self._check_kind(frame)
        try:
            return self._decode_server(frame)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise FrameError(str(error)[:120]) from None

    def _check_kind(self, frame: bytes | str) -> None:
        if isinstance(frame, str) is not self.text:
            kind = "text" if self.text else "binary"
            raise FrameError(f"{self.subprotocol} frames are {kind}")


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
"""By subprotocol; the same messages in both."""

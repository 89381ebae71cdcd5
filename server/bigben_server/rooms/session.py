"""One connection as the application sees it: whose it is, what it follows, what it is sent.

Knows no socket: ``send`` is given by the connection.
"""

from collections.abc import Callable

from bigben_protocol import Codec, ServerMessage
from bigben_server.race.effects import Player
from bigben_server.rooms.subscriptions import Subscriptions

INTERNAL = 1011
MISTAKE = "The server made a mistake; it has been logged."
"""All that others are told of it."""


class Session:
    """Whose connection it is, and the frames of this turn, written to it in one go."""

    def __init__(
        self,
        codec: Codec,
        send: Callable[[list[bytes]], None],
        close: Callable[[int, str], None],
        *,
        address: str = "",
    ) -> None:
        self.codec = codec
        self.address = address
        """Where it comes from."""
        self.player: Player | None = None
        """None before Hello."""
        self.following = Subscriptions()
        self.gone = False
        """The connection is closed; what is put is lost, and Resume brings it."""
        self._send = send
        self._close = close
        self._frames: list[bytes] = []

    def put(self, message: ServerMessage) -> None:
        """Encode a message for this connection, to go out with the next ``flush``."""
        self._frames.append(self.codec.encode(message))

    def put_frame(self, frame: bytes) -> None:
        """The same for a message that is encoded already."""
        self._frames.append(frame)

    def flush(self) -> None:
        """Send what was put."""
        if self._frames:
            frames, self._frames = self._frames, []
            self._send(frames)

    def tell(self, message: ServerMessage) -> None:
        """Put and flush."""
        self.put(message)
        self.flush()

    def fail(self) -> None:
        """Close the connection over a mistake of ours, which was logged."""
        self._close(INTERNAL, MISTAKE)

    def close(self, code: int, reason: str) -> None:
        """Close the connection, after what was sent."""
        self._close(code, reason)

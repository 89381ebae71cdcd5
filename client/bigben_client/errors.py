"""The exceptions that a front end may have to catch. Their texts are safe to show to the player."""

from collections.abc import Mapping

from bigben_protocol import Code, Refused


class ClientError(Exception):
    """The base of all exceptions that the client raises for its front end."""


class RefusedError(ClientError):
    """The server refused a request, and nothing has changed."""

    id = ""
    """Names the sentence in the table ``sentences`` of ``bigben_protocol.texts``, if it has one."""

    def __init__(self, code: Code, text: str, race: str = "") -> None:
        super().__init__(text)
        self.values: Mapping[str, str | int] = {}
        self.code = code
        """For programs; ``text`` is for people."""
        self.text = text
        self.race = race

    @classmethod
    def of(cls, refused: Refused) -> "RefusedError":
        """The refusal as an exception."""
        error = cls(refused.code, refused.text, refused.race)
        error.id, error.values = refused.id, refused.values
        return error


class ClientClosed(ClientError):
    """The client is closed and does not reconnect."""


class ServerUnreachable(ClientClosed):
    """The client could not connect within its tries or its time."""


class BadAddress(ClientError, ValueError):
    """The text is not the address of a server."""


class Hangup(Exception):
    """This side ends the connection, with a close code of RFC 6455 and a reason of at most 123
    bytes.

    It stays inside the package: after 1013 the client reconnects, after other codes it is closed.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason

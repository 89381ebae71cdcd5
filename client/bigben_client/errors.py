"""What a front end may have to catch; every text is fit to be shown. Catches nothing itself."""

from bigben_protocol import Code, Refused


class ClientError(Exception):
    """Anything that the client tells its front end by raising it; ``str`` is fit to be shown."""


class RefusedError(ClientError):
    """The server did not do what was asked, and nothing has changed."""

    def __init__(self, code: Code, text: str, race: str = "") -> None:
        super().__init__(text)
        self.code = code
        """For programs; ``text`` is for people."""
        self.text = text
        self.race = race

    @classmethod
    def of(cls, refused: Refused) -> "RefusedError":
        """The refusal as an exception."""
        return cls(refused.code, refused.text, refused.race)


class ClientClosed(ClientError):
    """The client is closed for good and does not come back by itself."""


class ServerUnreachable(ClientClosed):
    """The client could not connect within the tries or the time that it was given."""


class BadAddress(ClientError, ValueError):
    """The text is not the address of a server."""


class Hangup(Exception):
    """This side ends the connection, with a close code of RFC 6455 and a reason of 123 bytes.

    Never leaves the package: 1013 means that the client comes back, others that it is closed.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason

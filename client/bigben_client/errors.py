"""The exceptions that a front end may have to catch. Their texts are safe to show to the player."""

from bigben_protocol import Code, Refused, texts
from bigben_protocol.sentence import Sentence


class ClientError(Exception):
    """The base of all exceptions that the client raises for its front end."""

    def __init__(self, *said: Sentence) -> None:
        super().__init__(texts.all_said(said))
        self.said = said
        """What it says, for other languages than English."""


class RefusedError(ClientError):
    """The server refused a request, and nothing has changed."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(said_of(refused))
        self.code: Code = refused.code
        """For programs; ``text`` is for people."""
        self.text = refused.text
        self.race = refused.race


class ClientClosed(ClientError):
    """The client is closed and does not reconnect."""


class ServerUnreachable(ClientClosed):
    """The client could not connect within its tries or its time."""


class BadAddress(ClientError, ValueError):
    """The text is not the address of a server."""


def said_of(refused: Refused) -> Sentence:
    """What the server says: as it came if it has no text here, or no id from an older server."""
    sentence = Sentence(refused.id, refused.values)
    try:
        texts.said(sentence)
    except KeyError:
        return texts.plain(refused.text)
    return sentence


def refused_here(code: Code, text_id: str, race: str) -> Refused:
    """The refusal of what the client itself knows to be impossible."""
    return Refused(code, texts.said(Sentence(text_id)), race, id=text_id)


class Hangup(Exception):
    """This side ends the connection, with a close code of RFC 6455 and a reason of at most 123
    bytes.

    It stays inside the package: after 1013 the client reconnects, after other codes it is closed.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason

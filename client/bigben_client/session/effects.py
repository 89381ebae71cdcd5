"""The effects that a session returns; ``reconnector.py`` carries them out."""

from dataclasses import dataclass

from bigben_protocol import ClientMessage, ServerMessage


@dataclass(frozen=True, slots=True)
class Send:
    """Send the message if there is a connection; otherwise ``resume`` sends it later."""

    message: ClientMessage


@dataclass(frozen=True, slots=True)
class Answer:
    """Return the message to the call with this ticket."""

    ticket: int
    message: ServerMessage


@dataclass(frozen=True, slots=True)
class Tell:
    """Give the message to the front end as an event; ``rooms`` and ``views`` already have it."""

    message: ServerMessage


Effect = Send | Answer | Tell

"""What a session wants done, as values. Nothing here does it."""

from dataclasses import dataclass

from bigben_protocol import ClientMessage, ServerMessage


@dataclass(frozen=True, slots=True)
class Send:
    """To be sent if there is a connection; if there is none, ``resume`` sends it again."""

    message: ClientMessage


@dataclass(frozen=True, slots=True)
class Answer:
    """For the caller who holds this ticket."""

    ticket: int
    message: ServerMessage


@dataclass(frozen=True, slots=True)
class Tell:
    """News for the front end, folded in already."""

    message: ServerMessage


Effect = Send | Answer | Tell

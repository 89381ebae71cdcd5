"""The effects that decisions return; ``rooms`` carries them out."""

from typing import NamedTuple

from bigben_protocol import PlayerId, ServerMessage
from bigben_server.race.events import Append


class Player(NamedTuple):
    """The player who makes a request."""

    id: PlayerId
    name: str
    groups: frozenset[str] | None = None
    """The groups of its issuer that their token names; None if it has no such claim."""
    bot: bool = False


class Reply(NamedTuple):
    """Send a message to the connection that made the request."""

    message: ServerMessage


class Tell(NamedTuple):
    """Send a message about a player's own cards to all their sessions that follow the race."""

    player: PlayerId
    message: ServerMessage


class Subscribe(NamedTuple):
    """Subscribe the connection that made the request to the race."""


class Unsubscribe(NamedTuple):
    """Unsubscribe the connection that made the request from the race."""


Effect = Append | Reply | Tell | Subscribe | Unsubscribe

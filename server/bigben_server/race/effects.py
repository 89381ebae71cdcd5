"""What a race wants done, as values. Nothing here does it."""

from typing import NamedTuple

from bigben_protocol import PlayerId, ServerMessage
from bigben_server.race.events import Append


class Player(NamedTuple):
    """Who is asking."""

    id: PlayerId
    name: str
    groups: frozenset[str] | None = None
    """What their token says of its issuer's groups; None where it says nothing."""
    bot: bool = False


class Reply(NamedTuple):
    """For the connection that asked."""

    message: ServerMessage


class Tell(NamedTuple):
    """For every connection of one player that follows the race: their own cards."""

    player: PlayerId
    message: ServerMessage


class Subscribe(NamedTuple):
    """The connection that asked follows the race from now on."""


class Unsubscribe(NamedTuple):
    """The connection that asked no longer follows the race."""


Effect = Append | Reply | Tell | Subscribe | Unsubscribe

"""What is asked of a race, and what is decided: entries of its logs, and what is told of them.

The entries must be durable before anything is told. If the store refuses one, the decision has not
been made: the race must be read again.
"""

from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

import msgspec

from bigben_protocol import Cheered, ClientMessage, Diff, Move, PlayerId, RaceId, ServerMessage
from bigben_server.race.events import Append, Player

NOBODY: Final = Player(PlayerId(""), "")
"""The player of a connection before Hello."""


class Request(msgspec.Struct, eq=False):
    """A message that waits for its answer."""

    message: ClientMessage
    player: Player

    @property
    def ref(self) -> int:
        """The number by which the client recognizes the answer."""
        message = self.message
        return message.n if isinstance(message, Move) else getattr(message, "ref", 0)


Asked = TypeVar("Asked", bound=Request)
"""A request, with what its receiver must know to answer it."""


class Reply(NamedTuple):
    """Send a message to the connection that made the request."""

    message: ServerMessage


class Tell(msgspec.Struct, frozen=True, gc=False):
    """Send a message about a player's own cards to all their sessions that follow the race."""

    player: PlayerId
    message: ServerMessage


class Played(msgspec.Struct, frozen=True, gc=False):
    """Subscribe the connection that made the request, if it has just left the race, and send the
    diff of move ``n`` to all sessions of its player that follow it.

    The diff is made then, because not all clients want the whole of it.
    """

    player: PlayerId
    n: int
    diff: Callable[..., Diff]
    """``Play.diff`` of the seat's play."""


class Subscribe(msgspec.Struct, frozen=True, gc=False):
    """Subscribe the connection that made the request to the race."""


class Unsubscribe(NamedTuple):
    """Unsubscribe the connection that made the request from the race."""


class Broadcast(NamedTuple):
    """Send what a player says to all who follow the race, here and at peers. It is stored nowhere,
    gathered with what others say, and may be lost.
    """

    said: Cheered


Reaction = Reply | Tell | Played | Subscribe | Unsubscribe | Broadcast
"""What is carried out once all appends of the same decision are durable."""
Effects = tuple[Sequence[Append], Sequence[Reaction]]
"""What a decision writes, and what is carried out then."""


class Decision(msgspec.Struct, Generic[Asked], frozen=True, eq=False, gc=False):
    """A decision in a race, which is tentative until it is durable."""

    race: RaceId
    request: Asked | None
    """None if a timer caused it."""
    appends: Sequence[Append] = ()
    """They must be durable before anything is sent."""
    reactions: Sequence[Reaction] = ()
    """What is then carried out, in order."""

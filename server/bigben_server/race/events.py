"""The entries of a race's logs, which are events of its room and moves of each seat; and effects.

A race is the fold of its entries. Decisions return effects, and ``rooms`` carries them out.
"""

from typing import Final, NamedTuple

import msgspec

from bigben_protocol import Code, Kind, PlayerId, RaceId, Rules, ServerMessage, State


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """Always the first entry of a room."""

    kind: Kind
    rules: Rules
    server_seed: str
    """64 hex digits; secret until the race is closed."""
    at: int
    host: PlayerId = PlayerId("")
    closes_at: int = 0
    """The end of a daily's day; 0 if the end depends on the start."""
    invite: str = ""
    """The letters to join an invite-only room with; secret."""
    invited: tuple[PlayerId, ...] = ()
    """Players who need no invitation: those of the race before."""


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """A seat was taken; seats are numbered in this order."""

    player: PlayerId
    name: str
    at: int


class Left(msgspec.Struct, frozen=True, tag="left"):
    player: PlayerId
    at: int


class Readied(msgspec.Struct, frozen=True, tag="readied"):
    player: PlayerId
    nonce: str
    """For the seed."""
    at: int


class Unreadied(msgspec.Struct, frozen=True, tag="unreadied"):
    player: PlayerId
    at: int


class Counted(msgspec.Struct, frozen=True, tag="counted"):
    """The countdown began; seats and seed are now fixed."""

    starts_at: int
    at: int


class Followed(msgspec.Struct, frozen=True, tag="followed"):
    race: RaceId
    """The rematch."""
    at: int


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """Every seat that began is over."""

    at: int


class Cancelled(msgspec.Struct, frozen=True, tag="cancelled"):
    """The room ended before any card was dealt."""

    at: int


RoomEvent = Opened | Joined | Left | Readied | Unreadied | Counted | Followed | Closed | Cancelled


class Entry(NamedTuple):
    """Entry ``n`` of a seat's log, with ms on the seat's clock; ``begin``, entry 0, since 1970."""

    n: int
    ms: int
    move: str


NOTHING: Final = -1
"""The number before the first entry of a seat's log."""
BEGIN: Final = "begin"
UNDO: Final = "undo"
RESIGN: Final = "resign"
TIMEOUT: Final = "timeout"


class SeatStatus(NamedTuple):
    state: State
    moves: int = 0
    home: int = 0
    ms: int = 0
    home_ms: int = 0
    begun_at: int = 0
    """When its clock started, ms since 1970; 0 before."""


class SeatAppend(NamedTuple):
    """An entry to write once to the log of ``player``'s seat, as number ``entry.n``."""

    race: RaceId
    player: PlayerId
    entry: Entry
    status: SeatStatus
    follows: int
    """The number that the log must end with; otherwise the append is refused."""
    k: int = 0
    """The number of events of the room that the decision is based on."""


class RoomAppend(NamedTuple):
    """An event to write once to the log of a race's room, as number ``k`` (1, 2 …)."""

    race: RaceId
    k: int
    event: RoomEvent
    unbegun: tuple[PlayerId, ...] = ()
    """Seats whose clocks must not have started; otherwise the append is refused."""

    @property
    def follows(self) -> int:
        return self.k - 1


class Refusal(Exception):
    """A request can't be granted now. The text is a sentence that is safe to show."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.code: Code = code
        self.text = text


class Player(NamedTuple):
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


Append = SeatAppend | RoomAppend
Effect = Append | Reply | Tell | Subscribe | Unsubscribe

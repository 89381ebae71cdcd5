"""The entries of a race's logs, which are events of its room and moves of each seat.

A race is the fold of its entries. Other server processes hear of them by updates.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from bigben_protocol import (
    FIRST_DEAL,
    Cheered,
    Chosen,
    Code,
    Kind,
    PlayerId,
    RaceId,
    Refused,
    Rules,
    Standing,
    State,
    texts,
)
from bigben_protocol.sentence import Sentence, sentence
from bigben_rules import IllegalMove, NotationError
from bigben_rules import Sentence as SentenceOfRules

VERSION: Final = 8
"""The version of the data that this code writes; see ``version_of`` and ``storage/schema.py``."""
TIES: Final = 6
"""The first version of the data that has guests who are tied to accounts."""
SEASONS: Final = 7
"""The first version of the data that has seasons, and races of their weeks."""
TIED_ACCOUNTS: Final = 8
"""The first version of the data in which players of other issuers may be tied to accounts."""


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """Always the first entry of a room."""

    kind: Kind
    rules: Rules
    server_seed: str
    """64 hex digits; secret until the race is closed."""
    at: int
    host: PlayerId = PlayerId("")
    closes_at: int = 0
    """The end of a daily's day, or the deadline; 0 if the end depends on the start."""
    invite: str = ""
    """The letters to join an invite-only room with; secret."""
    invited: tuple[PlayerId, ...] = ()
    """Players who need no invitation: those of the race before."""
    counter: int = 0
    """Not 0 if the cards of this daily were dealt again; see ``dailies.deal_again``."""
    chosen: Chosen = FIRST_DEAL
    """Secret until the race is closed, but for the grade of a daily."""


class Joined(msgspec.Struct, frozen=True, tag="joined", omit_defaults=True):
    """A seat was taken; seats are numbered in this order."""

    player: PlayerId
    name: str
    at: int
    bot: bool = False
    """The player is a program."""


class Left(msgspec.Struct, frozen=True, tag="left"):
    player: PlayerId
    at: int


class Readied(msgspec.Struct, frozen=True, tag="readied", omit_defaults=True):
    player: PlayerId
    nonce: str
    """For the seed."""
    at: int
    nonce_hash: str = ""
    """Of a nonce that comes later; then there is none here."""


class Unreadied(msgspec.Struct, frozen=True, tag="unreadied"):
    player: PlayerId
    at: int


class Counted(msgspec.Struct, frozen=True, tag="counted"):
    """The countdown began; seats, their order, nonces and hashes are now fixed.

    If no seat has only a hash, so is the seed of the deals.
    """

    starts_at: int
    """If nonces must come, the time until which the servers wait for them: see ``Mixed``. Else, if
    the deal must be chosen, the time until which they look for it: see ``Dealt``."""
    at: int


class Nonced(msgspec.Struct, frozen=True, tag="nonced"):
    """The nonce of a seat came, whose hash was fixed before."""

    player: PlayerId
    nonce: str
    at: int


class Renewed(msgspec.Struct, frozen=True, tag="renewed"):
    """No nonce could come, or none came: the players get the same time once more."""

    until: int
    at: int


class Mixed(msgspec.Struct, frozen=True, tag="mixed"):
    """No more nonces are waited for; the seed of the deals is fixed by those that came."""

    starts_at: int
    """If the deal must be chosen, the time until which the servers look for it: see ``Dealt``."""
    at: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    """The deal of a live race was chosen, and the countdown goes on. No card is shown before.

    If no deal as the rules ask for it was found in time, it is the first one, and not graded.
    """

    chosen: Chosen
    """Secret until the race is closed, except that it is of the grade that the rules ask for."""
    starts_at: int
    at: int


class Searched(msgspec.Struct, frozen=True, tag="searched"):
    """The deal of a live race is still being chosen: any server goes on where this one was."""

    deals: int
    """So many deals, the first ones of the seed, are ruled out."""
    until: int
    """How long the servers look on, ms since 1970, unless more deals are ruled out before."""
    at: int


class RematchOpened(msgspec.Struct, frozen=True, tag="followed"):
    race: RaceId
    """The rematch."""
    at: int


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """Every seat that began is over."""

    at: int


class Cancelled(msgspec.Struct, frozen=True, tag="cancelled"):
    """The room ended before any card was dealt; in a countdown because no nonce came."""

    at: int


class Voided(msgspec.Struct, frozen=True, tag="voided"):
    """The operator took the results off all boards. The race had ended before."""

    at: int
    reason: str
    """A sentence or a few words, for everybody who looks at the race."""


class Renamed(msgspec.Struct, frozen=True, tag="renamed"):
    """A player has another name, by choice or by the operator's."""

    player: PlayerId
    name: str
    at: int


class Deleted(msgspec.Struct, frozen=True, tag="deleted"):
    """A player was deleted: the events before this one have another id in the place of theirs.

    So a process that knows the race as it was before must read all of it again.
    """

    player: PlayerId
    """The new id."""
    at: int
    mark: str = ""
    """The keyed hash of the old id, if the player had seen cards of this race: nobody with that id
    may join it again. Empty if they had not."""


# fmt: off
RoomEvent = (
    Opened | Joined | Left | Readied | Unreadied | Counted | RematchOpened | Closed | Cancelled
    | Voided | Renamed | Deleted | Dealt | Searched | Nonced | Renewed | Mixed
)
# fmt: on


# A move makes an Entry, SeatStatus, SeatAppend and Played. They are structs without gc, and not
# named tuples, so that collecting garbage need not look at them.
class Entry(msgspec.Struct, frozen=True, order=True, gc=False):
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


class SeatStatus(msgspec.Struct, frozen=True, array_like=True, gc=False):
    state: State
    moves: int = 0
    home: int = 0
    ms: int = 0
    home_ms: int = 0
    begun_at: int = 0
    """When its clock started, ms since 1970; 0 before."""

    def standing(self, player: PlayerId, name: str, *, bot: bool = False) -> Standing:
        """A seat with this status as everybody may see it."""
        state, moves, home = self.state, self.moves, self.home
        return Standing(player, name, state, moves, home, self.ms, self.home_ms, bot=bot)


class SeatAppend(msgspec.Struct, frozen=True, gc=False):
    """An entry to write once to the log of ``player``'s seat, as number ``entry.n``."""

    race: RaceId
    player: PlayerId
    entry: Entry
    status: SeatStatus
    follows: int
    """The number that the log must end with; otherwise the append is refused."""
    room_events: int = 0
    """The number of events of the room that the decision is based on."""


class RoomAppend(NamedTuple):
    """An event to write once to the log of a race's room, as ``number`` (1, 2 …)."""

    race: RaceId
    number: int
    event: RoomEvent
    unbegun: tuple[PlayerId, ...] = ()
    """Seats whose clocks must not have started; otherwise the append is refused."""

    @property
    def follows(self) -> int:
        return self.number - 1


class Refusal(Exception):
    """A request can't be granted now. What it says is safe to show."""

    def __init__(self, code: Code, said: Sentence) -> None:
        super().__init__(texts.said(said))
        self.code: Code = code
        self.said = said

    def message(self, race: str = "", ref: int = 0) -> Refused:
        """The answer to the request."""
        return Refused(self.code, str(self), race, ref, self.said.id, self.said.values)


def told(said: Iterable[SentenceOfRules]) -> tuple[Sentence, ...]:
    """What the rules say, as it is sent."""
    return tuple(Sentence(one.id, dict(one.values)) for one in said)


def refusal_of(error: IllegalMove | NotationError) -> Refusal:
    """The refusal of a move; it has nothing of the position."""
    code: Code = "illegal" if isinstance(error, IllegalMove) else "notation"
    return Refusal(code, *told([error.said]))


class Player(NamedTuple):
    id: PlayerId
    name: str
    groups: frozenset[str] | None = None
    """The groups of its issuer that their token names; None if it has no such claim."""
    bot: bool = False
    marks: tuple[str, ...] = ()
    """The keyed hashes of the id, one for each secret of the server; see ``Deleted``."""
    tied: tuple[PlayerId, ...] = ()
    """Who is tied to this player, most of them guests: the same person."""
    organises: frozenset[str] | None = None
    """The groups whose seasons they organise, as their token says; None if it does not say."""

    def with_tied(self, *players: PlayerId) -> "Player":
        """The player with these tied to them too. Idempotent."""
        return self._replace(tied=(*dict.fromkeys((*self.tied, *players)),))


Append = SeatAppend | RoomAppend
Log = tuple[RaceId, PlayerId | None]
"""The log of a race's room, or of a player's seat in it."""


class PeerUpdate(msgspec.Struct, array_like=True):
    """What a peer, another server process, says of a race, mostly of one commit."""

    race: RaceId
    events: dict[int, RoomEvent]
    """Of its room, by number."""
    statuses: dict[PlayerId, SeatStatus]
    """Of seats, as the peer has written them."""
    frames: dict[str, bytes] = {}
    """What subscribers are told of these statuses, and of nothing else, for each codec."""
    known: int | None = None
    """How many events the peer knows, which follows the race from now on; None if it does not say.
    """
    late: bool = False
    """Whether others may have told newer statuses before."""
    here: frozenset[PlayerId] | None = None
    """The players who are here at the peer; None if the update does not say."""
    said: tuple[Cheered, ...] = ()
    """What players said at the peer; see ``Broadcast``."""
    readable: bool = True
    """False if only its race is known: it must be read again."""
    process: str = ""
    """The id of the peer. Not sent with each update."""
    asks: bool = False
    """Whether the peer wants to know who is here, and what is known."""


def version_of(event: RoomEvent) -> int:
    """The first version of the data that has such an event."""
    match event:
        case Searched() | Nonced() | Renewed() | Mixed():
            return 4
        case Readied(nonce_hash=promised) if promised:
            return 4
        case Opened(chosen=chosen) if chosen.deal:
            return 3
        case Opened(rules=Rules(winnable=True)) | Dealt():
            return 3
        case Opened(kind="deadline") | Voided() | Renamed() | Deleted():
            return 2
        case Opened(rules=rules) if rules.game != "bigben":
            return 2
        case _:
            return 1


def check_version(event: RoomEvent, version: int) -> None:
    """Raises Refusal if servers that still need this version of the data can't read the event."""
    if version_of(event) > version:
        raise Refusal("busy", sentence("race.updating"))


def takes_hashes(version: int) -> bool:
    """Whether servers that need this version of the data can read a Ready with a hash."""
    return version_of(Readied(PlayerId(""), "", 0, "any")) <= version


def log_of(append: Append) -> Log:
    """The log an append belongs to."""
    return append.race, append.player if isinstance(append, SeatAppend) else None

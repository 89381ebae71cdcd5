"""What the server sends. One tagged struct a message; new fields go last and have a default.

Times are the server's: ``…_at`` in ms since 1970 (UTC), ``ms`` on a seat's own clock.
"""

import msgspec

from bigben_protocol.board_types import Group, HeadToHead, Ranked, Tally
from bigben_protocol.types import (
    Code,
    Kind,
    Phase,
    Pile,
    PlayerId,
    RaceId,
    Ref,
    Rules,
    Standing,
    State,
    Step,
)


class Welcome(msgspec.Struct, frozen=True, tag="welcome", omit_defaults=True):
    """The answer to Hello: who you are."""

    player: PlayerId
    name: str
    token: str
    """Keep it: whoever has it is this player."""
    now_at: int
    """The server's clock."""


class Room(msgspec.Struct, frozen=True, tag="room", omit_defaults=True):
    """A race and its seats, sent on entering and whenever more than progress has changed."""

    race: RaceId
    kind: Kind
    phase: Phase
    rules: Rules
    commitment: str
    """SHA-256 that binds the server to its seed, published before anybody readies."""
    opened_at: int
    host: PlayerId = PlayerId("")
    starts_at: int = 0
    """When the countdown ends, the same for all; 0 before."""
    closes_at: int = 0
    """The latest end, 0 while unknown."""
    seats: tuple[Standing, ...] = ()
    """In seat order; of a daily that is running the best hundred."""
    since: int = 0
    """Grows with every change of the room."""
    rematch: str = ""
    """The race that followed this one, if any."""
    ref: Ref = 0
    invite: str = ""
    """What to join an invite-only room by, ``K7QPXM-4TZ8QN``; told to those who sit in it."""
    players: int = 0
    """How many seats there are."""


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot", omit_defaults=True):
    """Your own game after move ``n``: what you see, and nothing below it."""

    race: RaceId
    n: int
    state: State
    home: int
    """Cards on the foundations."""
    ms: int
    """On your clock, at your last move."""
    piles: dict[str, Pile]
    """Always in the same order; what a pile is, the game's notation says."""
    legal: tuple[str, ...]
    """Every move that is one now, in the game's notation; stock moves too, undo and resign not."""
    digest: int
    """Of the piles; see ``View.digest``."""
    begun_at: int = 0
    """When your clock started."""
    can_undo: bool = False
    """Whether ``undo`` is a move now."""


class Diff(msgspec.Struct, frozen=True, tag="diff", omit_defaults=True):
    """Your move ``n`` is durable; these cards went. The acknowledgement of Move."""

    race: RaceId
    n: int
    move: str
    """As the log holds it: ``deal`` has become ``refill`` or ``turn``, ``fdn`` its hour."""
    steps: tuple[Step, ...]
    """Cards that went, in this order; a stock move has several."""
    state: State
    home: int
    ms: int
    legal: tuple[str, ...]
    digest: int
    can_undo: bool = False


class Refused(msgspec.Struct, frozen=True, tag="refused", omit_defaults=True):
    """Something was not done, and nothing has changed."""

    code: Code
    text: str
    """Safe to show to the player: what is wrong, and what to do next."""
    race: str = ""
    """As the refused message named it."""
    ref: Ref = 0
    """Of the message refused; for a Move its n."""


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """How far seats are that have moved since the last one; names no card."""

    race: RaceId
    seats: tuple[Standing, ...]


class Standings(msgspec.Struct, frozen=True, tag="standings", omit_defaults=True):
    """The places in a race, the best first. ``final`` once the race is closed."""

    race: RaceId
    rows: tuple[Standing, ...]
    """At most a hundred; GetStandings asks for others."""
    final: bool = False
    ref: Ref = 0
    players: int = 0
    """How many have a place, shown or not."""


class Reveal(msgspec.Struct, frozen=True, tag="reveal", omit_defaults=True):
    """The deal, told to everybody who follows the race, once it is closed and never before."""

    race: RaceId
    commitment: str
    server_seed: str
    """What was committed to, 64 hex digits."""
    seed: str
    """What the cards were dealt from: for a live race the server seed mixed with the nonces."""
    nonces: tuple[str, ...] = ()
    """Of the racers, in seat order."""


class Record(msgspec.Struct, frozen=True, tag="record", omit_defaults=True):
    """Every move of one seat, to replay it."""

    race: RaceId
    standing: Standing
    order: tuple[str, ...]
    """The deal, first dealt first; empty until the race is closed."""
    moves: tuple[tuple[int, str], ...]
    """Milliseconds on the seat's clock, and the move as logged."""
    ref: Ref = 0
    begun_at: int = 0
    """When the seat's clock started; 0 before."""
    piles: dict[str, Pile] = {}
    """What the player saw before their first move, as in a Snapshot; empty before their start."""
    steps: tuple[tuple[Step, ...], ...] = ()
    """For each move the cards that went, as in its Diff: to show a game without knowing rules."""


class Leaderboard(msgspec.Struct, frozen=True, tag="leaderboard", omit_defaults=True):
    """A page of a board. Equal keys share a place. Beyond the end there are no rows."""

    board: str
    """``daily.2026-11-21.bigben.standard``, ``weekly.2026-W47.bigben.book.points@the-aces``."""
    total: int
    """Players on the board."""
    rows: tuple[Standing, ...] = ()
    """Of a daily board."""
    start: int = 0
    """How many players are before the first row."""
    mine: Standing | None = None
    """The asker's own row, wherever it is."""
    ref: Ref = 0
    ranked: tuple[Ranked, ...] = ()
    """The rows of a board that is longer than a day."""
    my_rank: Ranked | None = None
    """The asker's own row of those."""


class Profile(msgspec.Struct, frozen=True, tag="profile", omit_defaults=True):
    """What a player has done so far."""

    player: PlayerId
    name: str
    tallies: tuple[Tally, ...] = ()
    """One for each game and rules that they have a result in, by name."""
    against: HeadToHead | None = None
    """If it was asked for."""
    ref: Ref = 0


class Groups(msgspec.Struct, frozen=True, tag="groups", omit_defaults=True):
    """The groups you belong to."""

    groups: tuple[Group, ...] = ()
    ref: Ref = 0


class Left(msgspec.Struct, frozen=True, tag="left", omit_defaults=True):
    """You no longer follow this race."""

    race: RaceId
    ref: Ref = 0


class Link(msgspec.Struct, frozen=True, tag="link", omit_defaults=True):
    """A token for one Hello, to carry a player to another front end.

    It goes into the fragment of an address, ``https://…/#link=TOKEN``, never into its query.
    """

    token: str
    expires_at: int
    ref: int = 0


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to Ping."""

    sent: int
    now_at: int


ServerMessage = (
    Welcome
    | Room
    | Snapshot
    | Diff
    | Refused
    | Progress
    | Standings
    | Reveal
    | Record
    | Leaderboard
    | Profile
    | Groups
    | Left
    | Link
    | Pong
)

"""The types that messages are made of: ids, states, piles."""

from typing import Annotated, Final, Literal, NewType

import msgspec
from msgspec import Meta

PlayerId = NewType("PlayerId", str)
"""Issuer and subject: ``guest:4kq…``, ``discord:8035…``."""

RaceId = NewType("RaceId", str)
"""A room's short code, ``K7QPXM``, or a daily: ``daily.2026-11-21.bigben.standard``."""

Card = str
"""Rank then suit: ``10H``, ``KD``."""

Name = Annotated[str, Meta(max_length=200)]
"""A display name. The server cleans it up; its answer has the name that others see."""

Race = Annotated[str, Meta(max_length=64)]
"""A race id; or ``daily`` for today's race in the standard rules of Big Ben, ``daily.book`` in its
rules ``book``, ``daily.watch`` in another game, ``daily.germanclock.1`` in its rules ``1``; or, to
join an invite-only room, its code and its invitation, ``K7QPXM-4TZ8QN``."""

Notation = Annotated[str, Meta(max_length=32)]
"""A move as typed: ``3 fdn``, ``w 5``, ``refill``, ``turn``, ``deal``, ``undo``, ``resign``."""

# Without (?!\n) Python's $ would take a line break after the digits; JSON Schema's never does.
Nonce = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?(?!\n)$")]
"""32 random bytes from the racer, in hex, to be mixed into the seed of a live race; or empty."""

NonceHash = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?(?!\n)$")]
"""What binds a racer to a nonce that they send later; see docs/fairness.md. Or empty."""

NonceState = Literal["late", "early", "withheld", "none"]
"""What became of a seat's nonce: it came after all hashes were fixed, or already with Ready, or
only its hash came, or neither."""

Ref = Annotated[int, Meta(ge=0, le=2**53)]
"""Chosen by the client and repeated in the answer; 0 for none."""

HOUSE_NAMES: Final = {
    "beginner": "Pip",
    "casual": "Tick",
    "steady": "Tock",
    "sharp": "Quartz",
    "master": "Ben",
}
"""The house players, programs that play beside people: their names by strength, weakest first."""

STRENGTHS: Final = tuple(HOUSE_NAMES)

Strength = Annotated[str, Meta(max_length=32)]
"""One of ``STRENGTHS``."""

CHEERS: Final = ("luck", "well", "wow", "close", "thanks")
"""What players can call to each other. The table ``cheers`` of each language has their words."""

Count = Annotated[int, Meta(ge=0, le=2**31)]

Kind = Literal["daily", "live", "practice", "deadline"]
"""In ``live`` rooms all start together. ``daily`` and ``deadline`` races have a deal that is
committed when they open, and each player starts their own clock before the race closes."""
Phase = Literal["open", "countdown", "running", "closed", "cancelled"]
State = Literal["joined", "ready", "playing", "won", "blocked", "resigned", "timed out"]
"""The state of a seat. The player of a blocked seat may still undo if the race allows undo."""

Code = Literal[
    "hello", "token", "name", "unknown", "illegal", "notation", "conflict", "gap", "phase",
    "seat", "rules", "seed", "rate", "limit", "busy", "board",
]  # fmt: skip
"""Why something was refused, for programs; the text beside it is for people."""


Grade = Literal["", "easy", "medium", "hard", "fiendish"]
"""How hard a deal is for people who can't see the stock; empty if it is not graded."""


class Chosen(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which of the deals that a seed gives was chosen, and what is known of it."""

    deal: int = 0
    """Its number; see docs/deals.md. Every deal before it has failed the race's test."""
    grade: Grade = ""
    certificate: tuple[str, ...] = ()
    """A line of moves that wins it, each as it is in a log: the shortest that was found. Their
    number is par. Empty if the deal was not certified."""
    solver: int = 1
    """The version of the solver that chose and graded it; another may judge otherwise."""


CERTIFICATE: Final = PlayerId("certificate")
"""In the place of a player in GetRecord: the line that wins the deal, a second for each move."""
FIRST_DEAL: Final = Chosen()
"""Nothing was chosen: the deal is the seed's own."""


class Pile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pile as its player sees it."""

    up: tuple[Card, ...] = ()
    """The face-up cards, from the bottom; they lie on the face-down cards, or in a ``reserve`` (see
    GameInfo) under them."""
    down: int = 0
    """The number of face-down cards."""


How = Literal["", "turned", "under", "down"]
"""How a card moves: ``""`` from the top of a pile to the top of another, where it is face up;
``turned`` the same, from the face-down cards of a pile that has face-up cards too; ``under`` face
up under the cards of its new pile; ``down`` face down on its new pile."""


# A server keeps the steps of every move. Without gc each takes 16 bytes less, and no collection.
class Step(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One card from a pile to another: ``["s", "3", "7H", ""]``."""

    source: str
    target: str
    card: Card
    how: How = ""


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """The progress of one seat: all that rivals and spectators learn about it during a race."""

    player: PlayerId
    name: str
    state: State
    moves: int = 0
    """Moves played, including undo and stock moves."""
    home: int = 0
    """Cards on the foundations."""
    ms: int = 0
    """Milliseconds on the seat's clock at its last move."""
    home_ms: int = 0
    """Milliseconds on the seat's clock when its last card came home; always 0 in a game in which
    nothing is decided, so that places tie."""
    place: int = 0
    """1 is first; equal keys share a place; 0 if the seat has no place yet."""
    away: bool = False
    """No connection of the player follows the race, or none answers pings."""
    ends_at: int = 0
    """When this seat ends unless its player comes back: all others have finished; 0 for never."""
    bot: bool = False
    """The player is a program, such as a house player."""


def house_player(strength: str) -> PlayerId:
    """The id of the house player of this strength."""
    return PlayerId(f"bot:{strength}")


HOUSE_PLAYERS: Final = frozenset(map(house_player, STRENGTHS))


GRACE_MS: Final = 120_000
"""The default, one object: msgspec leaves out a default that is identical."""


class Rules(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game, rule set and settings of a race."""

    game: str = "bigben"
    rules: str = "standard"
    limit_ms: int = 0
    """The time from a player's first sight of the cards to their timeout; 0 for no limit."""
    undo: bool = False
    invite_only: bool = False
    spectate: bool = True
    """Whether others than its players may follow the race before it is closed."""
    grace_ms: int = GRACE_MS
    """In a live race: how long a player may be away once all others have finished."""
    daily: str = ""
    """Practice: the closed daily race whose cards these are."""
    winnable: bool = False
    """Whether the deal should be one that can be won; ``Room.certified`` says whether it is."""
    grade: Grade = ""
    """The grade that the deal should have: ``easy``, ``medium``, ``hard`` or ``fiendish``."""


class RaceInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A race in short, for lists and for invitations; ``GET /api/races/CODE`` gives one."""

    race: RaceId
    kind: Kind
    phase: Phase
    rules: Rules
    host: str
    """The name of the player who invites; empty in a daily."""
    players: int
    """The number of seats taken."""
    names: tuple[str, ...] = ()
    """Of the first twelve players, in seat order; empty in a daily."""
    opened_at: int = 0
    closes_at: int = 0
    """The latest time at which the race ends; 0 while unknown."""
    state: State | None = None
    """The state of your own seat; None if you have none, or nobody knows who asks."""
    rematch: str = ""
    """The race that followed this one, if any."""
    void: str = ""
    """Why the operator has made the race void; empty if its results count."""


ChallengeState = Literal["waiting", "accepted", "declined", "expired"]


class ChallengeInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A challenge to a live race, as one of the two players sees it."""

    id: str
    player: PlayerId
    """The other player."""
    name: str
    """Theirs; their id if the server knows no name."""
    game: str
    rules: str
    at: int
    """When it was sent, ms since 1970."""
    until: int
    """When it expires if nobody answers."""
    state: ChallengeState = "waiting"
    race: str = ""
    """The code of the room, once it is accepted. Both can join it without its invitation."""


class AnalysisPoint(msgspec.Struct, frozen=True, array_like=True):
    """A place on the curves of an analysis: the game after move ``n``."""

    n: int
    chance: int
    """Of winning for a simple player who knows only what the player knew: 0 to 10,000."""
    expected: int
    """Hundredths of the cards home that such a player could expect at the end."""
    home: int
    """The cards home."""


class CostlyMove(msgspec.Struct, frozen=True, array_like=True):
    """A move that cost something, and what was better."""

    n: int
    move: str
    better: str
    cost: int
    """The winning chance that it gave away, in ten-thousandths."""
    cards: int
    """The expected cards home that it gave away, in hundredths."""


class AnalysedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one seat was played.

    The last chance is the first one plus ``skill`` and ``luck``, and so are the expected cards.
    """

    player: PlayerId
    name: str
    points: tuple[AnalysisPoint, ...] = ()
    """At the start and after each move that was not taken back."""
    costly: tuple[CostlyMove, ...] = ()
    """At most three, the one that cost most first."""
    skill: int = 0
    """How much better the choices were than a simple player's, in ten-thousandths of a win; less
    than 0 if they were worse."""
    luck: int = 0
    """How much better the cards came than was to be expected; less than 0 if worse; 0 on
    average."""
    skill_cards: int = 0
    """The same in hundredths of cards home."""
    luck_cards: int = 0


class Curve(msgspec.Struct, frozen=True):
    """How the cards of a finished seat came home."""

    player: PlayerId
    name: str
    points: tuple[tuple[int, int], ...]
    """Each time in ms on the seat's clock at which the number of cards home changed, and it."""


class Cheered(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cheer that somebody gave."""

    cheer: str
    """One of ``CHEERS``; leave out one that you have no words for."""
    player: PlayerId = PlayerId("")
    """Whose seat it came from; empty for somebody who is watching, whom nobody can see."""

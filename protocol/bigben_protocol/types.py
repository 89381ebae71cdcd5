"""The types that messages are made of: ids, states, piles."""

from typing import Annotated, Literal, NewType

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
"""A race id; or ``daily`` for today's race in the standard rules, ``daily.book`` in the rules
``book``; or, to join an invite-only room, its code and its invitation, ``K7QPXM-4TZ8QN``."""

Notation = Annotated[str, Meta(max_length=32)]
"""A move as typed: ``3 fdn``, ``w 5``, ``refill``, ``turn``, ``deal``, ``undo``, ``resign``."""

# Without (?!\n) Python's $ would take a line break after the digits; JSON Schema's never does.
Nonce = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?(?!\n)$")]
"""32 random bytes from the racer, in hex, to be mixed into the seed of a live race; or empty."""

Ref = Annotated[int, Meta(ge=0, le=2**53)]
"""Chosen by the client and repeated in the answer; 0 for none."""

Count = Annotated[int, Meta(ge=0, le=2**31)]

Kind = Literal["daily", "live", "practice"]
Phase = Literal["open", "countdown", "running", "closed", "cancelled"]
State = Literal["joined", "ready", "playing", "won", "blocked", "resigned", "timed out"]
"""The state of a seat. The player of a blocked seat may still undo if the race allows undo."""

Code = Literal[
    "hello", "token", "name", "unknown", "illegal", "notation", "conflict", "gap", "phase",
    "seat", "rules", "seed", "rate", "limit", "busy", "board",
]  # fmt: skip
"""Why something was refused, for programs; the text beside it is for people."""


class Pile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pile as its player sees it."""

    up: tuple[Card, ...] = ()
    """The face-up cards, from the bottom; they lie on the face-down cards."""
    down: int = 0
    """The number of face-down cards."""


# A server keeps the steps of every move. Without gc each takes 16 bytes less, and no collection.
class Step(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One card from the top of a pile to the top of another: ``["s", "3", "7H"]``."""

    source: str
    target: str
    card: Card


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
    """Milliseconds on the seat's clock when its last card came home."""
    place: int = 0
    """1 is first; equal keys share a place; 0 if the seat has no place yet."""


class Rules(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game, rule set and settings of a race."""

    game: str = "bigben"
    rules: str = "standard"
    limit_ms: int = 0
    """The time from a player's first sight of the cards to their timeout; 0 for no limit."""
    undo: bool = False
    invite_only: bool = False

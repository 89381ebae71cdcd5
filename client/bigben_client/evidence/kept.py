"""What a client keeps of one race: the evidence to check its end against, without I/O.

What was seen first stays. A later message that contradicts it changes nothing here, so that
``fairness.check`` finds the contradiction. A front end may store a ``Kept`` with msgspec.
"""

import msgspec
from msgspec.structs import replace

from bigben_protocol import (
    Deal,
    Diff,
    Grade,
    Kind,
    Pile,
    PlayerId,
    RaceId,
    Room,
    Rules,
    Snapshot,
    Step,
)


class KeptMove(msgspec.Struct, frozen=True, array_like=True):
    """One of the player's moves, as its Diff had it."""

    n: int
    text: str
    ms: int
    steps: tuple[Step, ...]


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one player saw of one race."""

    race: RaceId
    player: PlayerId
    kind: Kind
    rules: Rules
    commitment: str
    """The first one that was seen."""
    in_time: bool = False
    """The commitment was seen before the player was ready, and before their clock started."""
    nonce: str | None = None
    """The nonce that this device sent with Ready; None if it sent none, or another device did."""
    starts_at: int = 0
    """The start of a live race, as first announced."""
    begun_at: int = 0
    """When the player's clock started, from their first Snapshot."""
    shown_n: int = 0
    """The number of the last move before that Snapshot; 0 for the deal itself."""
    shown: dict[str, Pile] = {}
    """The piles of that Snapshot; empty before."""
    moves: tuple[KeptMove, ...] = ()
    """In order of n. Moves are missing if the player was away or played on another device."""
    deal: Deal | None = None
    """Where the cards of this game are dealt, as the server first said it."""
    counter: int = 0
    """See ``Room.counter``; only of a daily."""
    grade: Grade | None = None
    """Of a daily: the grade that was announced; None if it was not kept."""


def with_room(kept: Kept | None, room: Room, player: PlayerId) -> Kept | None:
    """What is kept after this room was seen; None while the player has no seat in it."""
    own = next((seat for seat in room.seats if seat.player == player), None)
    if kept and kept.kind == "daily" and room.counter > kept.counter:
        kept = None  # other cards, and the front end says so
    if kept is None:
        if own is None:
            return None
        waiting = room.phase == ("open" if room.kind == "live" else "running")
        in_time = waiting and own.state == "joined"
        kept = Kept(room.race, player, room.kind, room.rules, room.commitment, in_time)
        if room.kind == "daily":
            kept = replace(kept, counter=room.counter, grade=room.grade)
    if own and own.state == "joined" and kept.nonce is not None:
        # No longer ready: another nonce may be sent next, from here or from another device.
        kept = replace(kept, nonce=None)
    if room.starts_at and not kept.starts_at:
        kept = replace(kept, starts_at=room.starts_at)
    return kept


def with_deal(kept: Kept, deal: Deal | None) -> Kept:
    """What is kept after the server has said where the cards of this game are dealt."""
    return kept if kept.deal or deal is None else replace(kept, deal=deal)


def with_nonce(kept: Kept, nonce: str) -> Kept:
    """What is kept after the server has taken this nonce with Ready."""
    return replace(kept, nonce=nonce)


def with_snapshot(kept: Kept, snapshot: Snapshot) -> Kept:
    """What is kept after this snapshot was seen; only the first one counts."""
    if kept.shown:
        return kept
    return replace(kept, begun_at=snapshot.begun_at, shown_n=snapshot.n, shown=snapshot.piles)


def with_diff(kept: Kept, diff: Diff) -> Kept:
    """What is kept after this move was seen."""
    if kept.moves and diff.n <= kept.moves[-1].n:
        return kept
    return replace(kept, moves=(*kept.moves, KeptMove(diff.n, diff.move, diff.ms, diff.steps)))

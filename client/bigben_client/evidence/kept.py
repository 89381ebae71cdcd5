"""What a client keeps of one race: the evidence to check its end against, without I/O.

What was seen first stays. A later message that contradicts it changes nothing here, so that
``fairness.check`` finds the contradiction. A front end may store a ``Kept`` with msgspec.
"""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from bigben_client.evidence.dealing import nonce_hash
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
    nonce_hash: str = ""
    """What this device sends with Ready in the place of ``nonce``, which it sends later."""
    seats: tuple[tuple[PlayerId, str], ...] = ()
    """The players and their hashes, in seat order, as the countdown first showed them."""
    acknowledged: bool = False
    """The server has said that it stores ``nonce``, after the hashes were fixed."""
    countdowns: int = 0
    """Earlier countdowns of this race that never dealt, after ``seats`` were fixed."""


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
    if kept.seats and room.phase == "open":
        # The countdown never dealt. The server may know this nonce, so it is used no more.
        count = kept.countdowns + 1
        kept = replace(
            kept, nonce=None, nonce_hash="", seats=(), acknowledged=False, countdowns=count
        )
    if not kept.seats and room.phase not in ("open", "cancelled"):
        kept = replace(kept, seats=promises(room))
    if own and own.state == "joined" and kept.nonce is not None and not kept.nonce_hash:
        # No longer ready: another nonce may be sent next, from here or from another device.
        kept = replace(kept, nonce=None)
    if room.starts_at and not kept.starts_at:
        kept = replace(kept, starts_at=room.starts_at)
    return kept


def promises(room: Room) -> tuple[tuple[PlayerId, str], ...]:
    """The players of a live race and their hashes, in seat order; empty if there are none."""
    return tuple(zip((seat.player for seat in room.seats), room.nonce_hashes, strict=False))


def undealt(races: Iterable[Kept], *, but: str = "") -> int:
    """How many countdowns never dealt after all hashes were fixed; ``but`` is a race to leave out.

    A server that learns the deal may give a countdown up that it does not like.
    """
    return sum(
        kept.countdowns + (bool(kept.seats) and not kept.starts_at)
        for kept in races
        if kept.race != but
    )


def with_deal(kept: Kept, deal: Deal | None) -> Kept:
    """What is kept after the server has said where the cards of this game are dealt."""
    return kept if kept.deal or deal is None else replace(kept, deal=deal)


def with_nonce(kept: Kept, nonce: str) -> Kept:
    """What is kept after the server has taken this nonce with Ready."""
    return replace(kept, nonce=nonce, nonce_hash="")


def with_promise(kept: Kept, nonce: str) -> Kept:
    """What is kept before the hash of this nonce is sent with Ready."""
    hashed = nonce_hash(kept.race, kept.player, bytes.fromhex(nonce))
    return replace(kept, nonce=nonce, nonce_hash=hashed, acknowledged=False)


def with_acknowledgement(kept: Kept) -> Kept:
    """What is kept after the server has stored the nonce."""
    return replace(kept, acknowledged=True)


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

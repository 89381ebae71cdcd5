"""Compares a receipt with what players of this machine saw of its race, without I/O.

It imports only the standard library, like everything that ``bigben verify`` imports. ``seen_races``
stores the texts, and ``bigben play`` writes them.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bigben_rules import nonce_hash
from bigben_terminal.receipts.fairness import WINNABLE, shown_name
from bigben_terminal.receipts.receipt_form import Altered, Receipt, Seat, shown


@dataclass(frozen=True, slots=True)
class _Kept:
    """The part of the evidence that can be compared with a receipt."""

    race: str
    player: str
    commitment: str
    nonce: str | None
    begun_at: int
    kind: str
    rules: tuple[str, str, int, bool]
    """The game, its rules, the time limit in ms, and whether moves could be taken back."""
    wanted: str
    """What the room asked of its deal, as a receipt has it."""
    counter: int
    nonce_hash: str
    """Empty if the nonce itself went with Ready."""
    acknowledged: bool
    """The server has said that it stores the nonce."""
    seats: tuple[tuple[str, str], ...]
    """The players and their hashes, as the countdown first showed them."""
    grade: str | None
    """Of a daily, as it was announced; None if it was not kept."""
    moves: tuple[tuple[int, str, int], ...]
    """Each move's number, text and ms."""


def compare(receipt: Receipt, texts: Iterable[str]) -> Iterator[str]:
    """A line for each player of this machine who was in the race. Raises Altered."""
    for text in texts:
        kept = _read(text)
        if kept is None or kept.race != receipt.race or not kept.begun_at:
            continue
        found = [i for i, seat in enumerate(receipt.seats) if seat.player == kept.player]
        if found:
            yield _seat(receipt, receipt.seats[found[0]], kept, f"seats[{found[0]}]")
        elif receipt.kind == "live" or receipt.commitment == kept.commitment:
            # Another server may have a daily with this name.
            raise Altered(f"seats lack {shown(kept.player)}, who raced from this machine.")


def _seat(receipt: Receipt, seat: Seat, kept: _Kept, path: str) -> str:
    _same("commitment", receipt.commitment, kept.commitment)
    _rules(receipt, kept)
    if receipt.kind == "live":
        _promises(receipt, kept)
        # A nonce that nobody has acknowledged may have come too late.
        came = seat.nonce_state != "withheld" or kept.acknowledged or not kept.nonce_hash
        if kept.nonce is not None and came:
            _same(f"{path}.nonce", seat.nonce, kept.nonce)
    _same(f"{path}.begun_at", seat.begun_at, kept.begun_at)
    for n, text, ms in kept.moves:
        told = seat.moves[n - 1] if 0 < n <= len(seat.moves) else None
        if told != (ms, text):
            has = f"is {shown(list(told))}" if told else "is not there"
            raise Altered(f"{path}.moves[{n - 1}] {has}; on this machine it was {ms} ms, {text!r}.")
    nonce = "the nonce, " if kept.nonce and receipt.kind == "live" else ""
    return (
        f"{shown_name(seat.name)}, on this machine: the commitment, {nonce}the start and "
        f"{len(kept.moves)} of {len(seat.moves)} moves are as they were seen"
    )


def _promises(receipt: Receipt, kept: _Kept) -> None:
    """The seats, their order and the hashes of their nonces are as the countdown showed them."""
    if not kept.seats:
        return
    _same("the number of seats", len(receipt.seats), len(kept.seats))
    for i, (seat, (player, promised)) in enumerate(zip(receipt.seats, kept.seats, strict=True)):
        if seat.player.startswith("deleted:"):
            continue
        _same(f"seats[{i}].player", seat.player, player)
        nonce = bytes.fromhex(seat.nonce)
        found = nonce_hash(receipt.race, seat.player, nonce) if nonce else seat.nonce_hash
        _same(f"the hash of seats[{i}].nonce", found, promised)


def _rules(receipt: Receipt, kept: _Kept) -> None:
    """The race was by the rules that were seen before it, so that they say who chose the deal."""
    _same("kind", receipt.kind, kept.kind)
    for field, was in zip(("game", "rules", "limit_ms", "undo"), kept.rules, strict=True):
        _same(field, getattr(receipt, field), was)
    _same("wanted", receipt.wanted, kept.wanted)
    _same("counter", receipt.counter, kept.counter)
    if kept.grade is not None and receipt.certificate:
        _same("grade", receipt.grade, kept.grade)


def _same(field: str, found: object, kept: object) -> None:
    if found != kept:
        raise Altered(f"{field} is {shown(found)}; on this machine it was {shown(kept)}.")


def _read(text: str) -> _Kept | None:
    """None if another version wrote it."""
    try:
        fields: dict[str, Any] = json.loads(text)
        rules = fields["rules"]
        by = (rules.get("game", "bigben"), rules.get("rules", "standard"))
        return _Kept(
            fields["race"],
            fields["player"],
            fields["commitment"],
            fields.get("nonce"),
            fields.get("begun_at", 0),
            fields["kind"],
            (*by, rules.get("limit_ms", 0), rules.get("undo", False)),
            rules.get("grade", "") or (WINNABLE if rules.get("winnable") else ""),
            fields.get("counter", 0),
            fields.get("nonce_hash", ""),
            fields.get("acknowledged", False),
            tuple((player, promised) for player, promised in fields.get("seats", ())),
            fields.get("grade"),
            tuple((move[0], move[1], move[2]) for move in fields.get("moves", ())),
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        return None

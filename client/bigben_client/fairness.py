"""Whether the end of a race agrees with what a player kept of it. Pure, no I/O.

``check`` compares what the server says once a race is closed with what it said before, and deals
the cards again. It needs no rules: which moves are legal, a receipt tells (``bigben verify``).
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final, Literal

import msgspec

from bigben_client import dealing
from bigben_client.kept import Kept, KeptMove
from bigben_protocol import Pile, Record, Reveal, Room, Step

What = Literal[
    "commitment", "server seed", "nonce", "seed", "deal", "cards", "moves", "times", "start",
    "rules",
]  # fmt: skip
"""What is checked, for programs."""

_LONGEST_QUOTE: Final = 40

_LOST: Final = "(So it is too where the server lost moves in a failure, and told you then.)"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    what: What
    holds: bool | None
    """None: it could not be checked, because too little was kept or told."""
    text: str
    """A sentence for the player."""


def check(kept: Kept, room: Room, reveal: Reveal, record: Record) -> tuple[Finding, ...]:
    """Each thing in turn, in the order of ``What``.

    ``room`` is closed; ``reveal`` and the player's own ``record`` are as told since.
    """
    return (
        _commitment(kept, room, reveal),
        _server_seed(kept, reveal),
        _nonce(kept, room, reveal),
        _seed(kept, reveal),
        _deal(kept, reveal, record),
        _cards(kept, record),
        _moves(kept, record),
        _times(kept, record),
        _start(kept, room, record),
        _rules(kept, room),
    )


def lies(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Those that do not hold: the server has said one thing before and another one since."""
    return tuple(finding for finding in findings if finding.holds is False)


def unchecked(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Those that could not be checked."""
    return tuple(finding for finding in findings if finding.holds is None)


# The deal


def _commitment(kept: Kept, room: Room, reveal: Reveal) -> Finding:
    for now in (reveal.commitment, room.commitment):
        if now != kept.commitment:
            return Finding(
                "commitment",
                False,
                f"The race was committed to {_short(kept.commitment)}, as you saw it first; the "
                f"server now names {_short(now)}.",
            )
    if not kept.in_time:
        return Finding(
            "commitment",
            None,
            "The commitment was first seen here when you were ready already, so the server may "
            "have chosen it late.",
        )
    return Finding("commitment", True, "The commitment is the one that you saw before the start.")


def _server_seed(kept: Kept, reveal: Reveal) -> Finding:
    server_seed = _bytes(reveal.server_seed)
    if server_seed is None or dealing.commitment(server_seed) != kept.commitment:
        text = "The server seed that was revealed is not the one that was committed to."
        return Finding("server seed", False, text)
    return Finding("server seed", True, "The server seed is the one that was committed to.")


def _nonce(kept: Kept, room: Room, reveal: Reveal) -> Finding:
    if kept.kind != "live":
        return Finding("nonce", True, "This race mixes in no nonces.")
    if kept.nonce is None:
        text = "Your nonce was not kept here: you became ready on another device, or not at all."
        return Finding("nonce", None, text)
    own = next((i for i, seat in enumerate(room.seats) if seat.player == kept.player), None)
    if own is None:
        return Finding("nonce", False, "Your seat is not in the race any more.")
    if len(reveal.nonces) != len(room.seats) or reveal.nonces[own] != kept.nonce:
        return Finding(
            "nonce",
            False,
            f"Your nonce {_short(kept.nonce)} is not at your seat. (It would not be either if you "
            "took ready back and became ready on another device.)",
        )
    return Finding("nonce", True, "Your nonce is in it, at your seat.")


def _seed(kept: Kept, reveal: Reveal) -> Finding:
    """Live: SHA-256(server seed + nonces in seat order). Otherwise the server seed itself."""
    parts = [_bytes(reveal.server_seed)]
    if kept.kind == "live":
        parts += [_bytes(nonce) for nonce in reveal.nonces if nonce]
    known = [part for part in parts if part is not None]
    mixed = b"".join(known)
    if kept.kind == "live":
        mixed = sha256(mixed).digest()
    if len(known) < len(parts) or mixed.hex() != reveal.seed:
        of = "the server seed mixed with the nonces" if kept.kind == "live" else "the server seed"
        return Finding("seed", False, f"The seed of the cards is not {of}.")
    return Finding("seed", True, "The seed comes from the server seed and the nonces.")


def _deal(kept: Kept, reveal: Reveal, record: Record) -> Finding:
    """The order is that of the seed, of the cards that this game shuffles."""
    if not record.order:
        return Finding("deal", None, "The server has not told the order of the cards.")
    seed, known = _bytes(reveal.seed), kept.rules.game == dealing.BIG_BEN
    pack = dealing.big_ben_pack() if known else dealing.pack_of(record.order)
    if seed is None or dealing.shuffled(pack, seed) != record.order:
        return Finding("deal", False, "The order of the cards is not the one that the seed gives.")
    if not known:
        return Finding(
            "deal",
            None,
            "The order of the cards is the one that the seed gives; whether they are the cards of "
            "this game was not checked.",
        )
    return Finding("deal", True, "The order of the cards is the one that the seed gives.")


# The own game


def _cards(kept: Kept, record: Record) -> Finding:
    """All cards that the player saw lie in the deal where they were seen."""
    if kept.rules.game != dealing.BIG_BEN:
        return Finding("cards", None, "How this game is dealt is not known here.")
    if not record.order or not kept.shown:
        return Finding("cards", None, "The cards that you saw first were not kept here.")
    table = _Table(record.order)
    own = {move.n: move.steps for move in kept.moves}
    last = max(kept.shown_n, *own, 0)
    for n in range(last + 1):
        steps = own.get(n) if n in own else _told(record, n)
        if steps is None:
            return Finding("cards", None, f"The cards of your move {n} were not kept here.")
        if (wrong := table.carry_out(steps)) is not None:
            card = _quoted(wrong.card)
            text = f"Your move {n} had {card}, and the deal has another card there."
            return Finding("cards", False, text)
        if n == kept.shown_n and not table.shows(kept.shown):
            text = f"The cards that you saw after move {n} are not those of the deal."
            return Finding("cards", False, text)
    return Finding("cards", True, "The cards that you saw are those of the deal.")


def _told(record: Record, n: int) -> tuple[Step, ...] | None:
    """The steps of a move as the record has them, where they were not kept."""
    if n == 0:
        return ()
    return record.steps[n - 1] if n <= len(record.steps) else None


class _Table:
    """The cards as they lie, from the first ones on."""

    def __init__(self, order: Sequence[str]) -> None:
        piles, stock = dealing.big_ben_piles(order)
        self._piles = {name: list(pile.up) for name, pile in piles.items() if name != "s"}
        self._piles["s"] = list(reversed(stock))

    def carry_out(self, steps: Sequence[Step]) -> Step | None:
        """Carry the steps out; the first that can't be, or None."""
        for step in steps:
            source, target = self._piles.get(step.source), self._piles.get(step.target)
            if not source or target is None or source[-1] != step.card:
                return step
            target.append(source.pop())
        return None

    def shows(self, piles: Mapping[str, Pile]) -> bool:
        """Whether these are the piles that the player sees."""
        seen = {name: Pile(tuple(cards)) for name, cards in self._piles.items()}
        return dict(piles) == {**seen, "s": Pile(down=len(self._piles["s"]))}


def _moves(kept: Kept, record: Record) -> Finding:
    for move, told in _beside(kept, record):
        if told is None or told[1] != move.text:
            other = f"says {_quoted(told[1])}" if told else "has no such move"
            text = f"Your move {move.n} was {_quoted(move.text)}; the record {other}."
            return Finding("moves", False, f"{text} {_LOST}")
    count, missing = len(record.moves), _not_kept(kept, record)
    if missing:
        return Finding(
            "moves",
            None,
            f"{missing} of your {count} moves were not kept here (you were away, or on another "
            "device); the others are in the record.",
        )
    return Finding("moves", True, f"Your {_counted(count, 'move')} in the record.")


def _times(kept: Kept, record: Record) -> Finding:
    for move, told in _beside(kept, record):
        if told and told[0] != move.ms:
            text = f"Your move {move.n} came at {move.ms} ms; the record says {told[0]} ms."
            return Finding("times", False, text)
    if _not_kept(kept, record):
        text = "Times were compared for the moves that were kept here."
        return Finding("times", None, text)
    return Finding("times", True, "So are their times.")


def _not_kept(kept: Kept, record: Record) -> int:
    """How many moves of the record the player was not told of. A timeout is nobody's move."""
    timed_out = bool(record.moves) and record.moves[-1][1] == "timeout"
    return max(0, len(record.moves) - timed_out - len(kept.moves))


def _beside(kept: Kept, record: Record) -> Iterator[tuple[KeptMove, tuple[int, str] | None]]:
    """Each kept move beside that of the record, None where it has none."""
    for move in kept.moves:
        yield move, record.moves[move.n - 1] if 0 < move.n <= len(record.moves) else None


def _start(kept: Kept, room: Room, record: Record) -> Finding:
    pairs = [(kept.starts_at, room.starts_at), (kept.begun_at, record.begun_at)]
    if kept.kind == "live":
        pairs.append((kept.starts_at, record.begun_at))
    for before, now in pairs:
        if before and before != now:
            text = f"The start was at {before} ms (since 1970); the server now says {now}."
            return Finding("start", False, text)
    if not kept.begun_at:
        return Finding("start", None, "When your clock started was not kept here.")
    return Finding("start", True, "Your clock started when the server says.")


def _rules(kept: Kept, room: Room) -> Finding:
    if (room.kind, room.rules) != (kept.kind, kept.rules):
        return Finding("rules", False, "The race has other rules now than when you entered it.")
    return Finding("rules", True, "The rules are those that you saw.")


# Words


def _bytes(text: str) -> bytes | None:
    """The 32 bytes of 64 hex digits; None for anything else."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        return None
    return value if len(value) == 32 and value.hex() == text else None


def _short(text: str) -> str:
    """The beginning of a long hex number, made fit to be shown."""
    shown = "".join(letter for letter in text if letter.isascii() and letter.isalnum())
    return f"{shown[:12]}…" if shown else "nothing"


def _quoted(text: str) -> str:
    """What a server sent, short and without what could play with a screen."""
    return ascii(text[:_LONGEST_QUOTE])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun} is" if count == 1 else f"{count} {noun}s are"

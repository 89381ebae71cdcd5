"""Checks whether the end of a race agrees with what a player's client kept of it, without I/O.

``check`` compares what the server says once a race is closed with what it said before, and deals
the cards again. It does not check whether moves were legal: ``bigben verify`` does that with a
receipt.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, Literal

import msgspec

from bigben_client.evidence import dealing
from bigben_client.evidence.kept import Kept, KeptMove, promises
from bigben_client.evidence.table import Table
from bigben_protocol import (
    HOUSE_PLAYERS,
    Chosen,
    Grade,
    Kind,
    Record,
    Reveal,
    Room,
    Rules,
    Step,
)

What = Literal[
    "commitment", "server seed", "nonce", "seed", "choice", "deal", "cards", "moves", "times",
    "start", "rules",
]  # fmt: skip
"""What is checked, for programs."""

_LONGEST_QUOTE: Final = 40

_DELETED: Final = "deleted:"
"""The id of a deleted player begins so."""
_LOST: Final = (
    "(The same happens if an honest server lost moves in a failure, and told you so at the time.)"
)


class Finding(msgspec.Struct, frozen=True):
    """The result of one comparison."""

    what: What
    holds: bool | None
    """None: it could not be checked, because too little was kept or sent."""
    text: str
    """A sentence for the player."""


Verdict = tuple[bool | None, str]
"""``holds`` and ``text`` of a Finding."""


def check(kept: Kept, room: Room, reveal: Reveal, record: Record) -> tuple[Finding, ...]:
    """One finding for each kind of ``What``, in that order.

    ``room`` must be closed; ``reveal`` and the player's own ``record`` must have come after the
    close.
    """
    verdicts: dict[What, Verdict] = {
        "commitment": _commitment(kept, room, reveal),
        "server seed": _server_seed(kept, reveal),
        "nonce": _nonce(kept, room, reveal),
        "seed": _seed(kept, reveal),
        "choice": _choice(kept, room, reveal),
        "deal": _deal(kept, reveal, record),
        "cards": _cards(kept, record),
        "moves": _moves(kept, record),
        "times": _times(kept, record),
        "start": _start(kept, room, record),
        "rules": _rules(kept, room),
    }
    return tuple(Finding(what, holds, text) for what, (holds, text) in verdicts.items())


def lies(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings that do not hold: the server contradicts what it said before."""
    return tuple(finding for finding in findings if finding.holds is False)


def unchecked(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings that could not be checked."""
    return tuple(finding for finding in findings if finding.holds is None)


# The deal


def _commitment(kept: Kept, room: Room, reveal: Reveal) -> Verdict:
    for now in (reveal.commitment, room.commitment):
        if now != kept.commitment:
            return False, (
                f"The commitment that you saw first was {_short(kept.commitment)}; the server now "
                f"says {_short(now)}."
            )
    if not kept.in_time:
        return None, (
            "You were already ready when the commitment was first seen here, so the server may "
            "have chosen it late."
        )
    return True, "The commitment is the one that you saw before the start."


def _server_seed(kept: Kept, reveal: Reveal) -> Verdict:
    server_seed = _bytes(reveal.server_seed)
    if server_seed is None or dealing.commitment(server_seed) != kept.commitment:
        return False, "The revealed server seed does not match the commitment."
    return True, "The server seed matches the commitment."


def _nonce(kept: Kept, room: Room, reveal: Reveal) -> Verdict:
    if kept.kind != "live":
        return True, "No nonces are mixed into the seed of this race."
    if (kept.seats or reveal.mixed_at) and (wrong := _broken_promise(kept, room, reveal)):
        return False, wrong
    if kept.nonce is None:
        return (
            None,
            "Your nonce was not kept here: you became ready on another device, or not at all.",
        )
    own = next((i for i, seat in enumerate(room.seats) if seat.player == kept.player), None)
    if own is None:
        return False, "Your seat is no longer in the race."
    there = len(reveal.nonces) == len(room.seats) and reveal.nonces[own]
    if kept.nonce_hash and kept.seats and (kept.player, kept.nonce_hash) not in kept.seats:
        return False, (
            "The countdown had another hash at your seat than yours, so your nonce was not sent. "
            "(The same happens if you took Ready back and became ready on another device.)"
        )
    if kept.nonce_hash and there == "" and kept.seats and not kept.acknowledged:
        return (
            None,
            "Your nonce is not in the seed: it came too late, or the server has dropped it.",
        )
    if there != kept.nonce:
        return False, (
            f"Your nonce {_short(kept.nonce)} is not at your seat. (The same happens if you took "
            "Ready back and became ready on another device.)"
        )
    if kept.nonce and not kept.nonce_hash:
        return None, (
            "Your nonce is in the seed, but the server had it before those of the others were "
            "fixed, and could choose them."
        )
    if kept.nonce_hash and not kept.seats:
        return None, "Your nonce is in the seed; when the others were fixed was not seen here."
    if withheld := reveal.nonce_states.count("withheld"):
        return True, (
            f"Your nonce is in the seed, at your seat. Nonces that did not come: {withheld}; "
            f"together, the players who held them back could choose among {2**withheld} deals."
        )
    return True, "Your nonce is in the seed, at your seat."


def _broken_promise(kept: Kept, room: Room, reveal: Reveal) -> str:
    """What does not agree with the hashes that were fixed before any nonce came; empty if all does.

    The id of a player who was deleted since is another one now.
    """
    told = promises(room)
    fixed = kept.seats or told
    states = reveal.nonce_states
    if not reveal.mixed_at:  # then nonces came with Ready, or not at all
        states = tuple("early" if nonce else "none" for nonce in reveal.nonces)
    if not len(fixed) == len(told) == len(room.seats) == len(reveal.nonces) == len(states):
        return "The seats are not those with which the countdown began."
    seats = zip(fixed, told, reveal.nonces, states, strict=True)
    for (player, promised), (now, shown), nonce, state in seats:
        deleted = now != player and now.startswith(_DELETED)
        if now != player and not deleted:
            return "The seats are not those with which the countdown began."
        if shown != promised and not (deleted and state == "early"):
            return "A nonce was replaced: its hash is not the one that was fixed."
        if player in HOUSE_PLAYERS and reveal.mixed_at and (nonce or promised):
            return "A house player has a nonce, which only the operator can have chosen."
        if (state in ("late", "early")) != bool(nonce) or (state == "none") == bool(promised):
            return "The server does not tell what became of every nonce."
        value = _bytes(nonce) if nonce else None
        unknown = player.startswith(_DELETED) and not kept.seats
        fits = value is not None and dealing.nonce_hash(kept.race, player, value) == promised
        if nonce and not fits and not unknown:
            return "A nonce was replaced: it does not fit its hash."
    return ""


def _seed(kept: Kept, reveal: Reveal) -> Verdict:
    """Live: SHA-256(server seed + nonces in seat order). Otherwise the server seed itself.

    If another deal of that seed was chosen, it is the seed of that one.
    """
    parts = [_bytes(reveal.server_seed)]
    if kept.kind == "live":
        parts += [_bytes(nonce) for nonce in reveal.nonces if nonce]
    known = [part for part in parts if part is not None]
    mixed = b"".join(known)
    if kept.kind == "live":
        mixed = sha256(mixed).digest()
    right = dealing.counted(mixed, reveal.chosen.deal).hex()
    if len(known) < len(parts) or right != reveal.seed:
        of = "the server seed mixed with the nonces" if kept.kind == "live" else "the server seed"
        return False, f"The seed of the cards is not {of}."
    return True, "The seed comes from the server seed and the nonces."


def _choice(kept: Kept, room: Room, reveal: Reveal) -> Verdict:
    """A deal was chosen, graded or dealt again only as the rules that were kept allow it.

    Otherwise the server could look at many deals of its seed and play the one that it likes best.
    """
    chosen = reveal.chosen
    if room.counter != kept.counter:
        return (
            False,
            f"The cards were dealt again under the number {room.counter}, not {kept.counter}.",
        )
    wanted = kept.grade if kept.kind == "daily" else kept.rules.grade
    if wrong := badly_chosen(kept.kind, kept.rules, chosen, wanted):
        return False, wrong
    if not (chosen.certificate and _asks(kept.kind, kept.rules)):
        return True, "The cards are the first deal of the seed."
    return True, "The deal was chosen as the rules of the race say."


def badly_chosen(kind: Kind, rules: Rules, chosen: Chosen, wanted: Grade | None) -> str:
    """Why these rules do not allow that this deal was chosen; empty if they do.

    ``wanted`` is the grade that was asked for or announced; None if it is not known.
    """
    if not _asks(kind, rules) and (chosen.deal or chosen.grade or chosen.certificate):
        return f"The server has chosen deal {chosen.deal} of the seed; this race asked for none."
    if not chosen.certificate and (chosen.deal or chosen.grade):
        return f"The server has chosen deal {chosen.deal} of the seed, without moves that win it."
    if chosen.certificate and wanted is not None and chosen.grade != wanted:
        return f"The deal is graded {_quoted(chosen.grade)}; it should be {_quoted(wanted)}."
    return ""


def _asks(kind: Kind, rules: Rules) -> bool:
    """Whether a deal is to be chosen."""
    return kind == "daily" or rules.winnable or bool(rules.grade)


def _deal(kept: Kept, reveal: Reveal, record: Record) -> Verdict:
    """The order is the shuffle by the seed of the cards that this game uses."""
    if not record.order:
        return None, "The server has not sent the order of the cards."
    seed = _bytes(reveal.seed)
    pack = dealing.pack(kept.deal) if kept.deal else dealing.pack_of(record.order)
    if seed is None or dealing.shuffled(pack, seed) != record.order:
        return False, "The order of the cards is not the one that the seed gives."
    if kept.deal is None:
        return None, (
            "The order of the cards is the one that the seed gives; whether they are the cards of "
            "this game was not checked."
        )
    return True, "The order of the cards is the one that the seed gives."


# The own game


def _cards(kept: Kept, record: Record) -> Verdict:
    """Whether each card that the player saw is at the same place in the deal."""
    if not record.order or not kept.shown:
        return None, "The cards that you saw first were not kept here."
    if kept.deal is None:
        return None, "How this game is dealt was not kept here."
    if len(record.order) != len(kept.deal.dealt):
        return (
            False,
            f"The deal has {len(record.order)} cards; this game deals {len(kept.deal.dealt)}.",
        )
    table = Table(kept.deal, record.order)
    own = {move.n: move.steps for move in kept.moves}
    for n in range(max(kept.shown_n, *own, 0) + 1):
        steps = own.get(n) if n in own else _told(record, n)
        if steps is None:
            return None, f"The cards of your move {n} were not kept here."
        if (wrong := table.carry_out(steps)) is not None:
            return False, (
                f"Your move {n} had {_quoted(wrong.card)}, but the deal has another card there."
            )
        if n == kept.shown_n and not table.shows(kept.shown):
            return False, f"The cards that you saw after move {n} are not those of the deal."
    return True, "The cards that you saw are those of the deal."


def _told(record: Record, n: int) -> tuple[Step, ...] | None:
    """The steps of a move from the record, for moves that were not kept; move 0 is the deal."""
    return ((), *record.steps)[n] if n <= len(record.steps) else None


def _moves(kept: Kept, record: Record) -> Verdict:
    for move, told in _beside(kept, record):
        if told is None or told[1] != move.text:
            other = f"says {_quoted(told[1])}" if told else "has no such move"
            return False, (
                f"Your move {move.n} was {_quoted(move.text)}; the record {other}. {_LOST}"
            )
    count = len(record.moves)
    if missing := _not_kept(kept, record):
        return None, (
            f"{missing} of your {count} moves were not kept here (you were away, or on another "
            "device); the others are in the record."
        )
    return True, f"Your {count} {'move is' if count == 1 else 'moves are'} in the record."


def _times(kept: Kept, record: Record) -> Verdict:
    for move, told in _beside(kept, record):
        if told and told[0] != move.ms:
            return False, f"Your move {move.n} came at {move.ms} ms; the record says {told[0]} ms."
    if _not_kept(kept, record):
        return None, "Only the times of the moves that were kept here were compared."
    return True, "The times of your moves agree."


def _not_kept(kept: Kept, record: Record) -> int:
    """How many of the player's moves in the record were not kept; a timeout is not a move."""
    timed_out = bool(record.moves) and record.moves[-1][1] == "timeout"
    return max(0, len(record.moves) - timed_out - len(kept.moves))


def _beside(kept: Kept, record: Record) -> list[tuple[KeptMove, tuple[int, str] | None]]:
    """Each kept move with the record's move of the same number, or None."""
    told = dict(enumerate(record.moves, 1))
    return [(move, told.get(move.n)) for move in kept.moves]


def _start(kept: Kept, room: Room, record: Record) -> Verdict:
    pairs = [(kept.starts_at, room.starts_at), (kept.begun_at, record.begun_at)]
    if kept.kind == "live":
        pairs.append((kept.starts_at, record.begun_at))
    for before, now in pairs:
        if before and before != now:
            return False, f"The start was at {before} (ms since 1970); the server now says {now}."
    if not kept.begun_at:
        return None, "The start of your clock was not kept here."
    return True, "Your clock started when the server says it did."


def _rules(kept: Kept, room: Room) -> Verdict:
    if (room.kind, room.rules) != (kept.kind, kept.rules):
        return False, "The rules of the race are no longer those that you saw when you joined."
    return True, "The rules are those that you saw."


# Words


def _bytes(text: str) -> bytes | None:
    """The 32 bytes of 64 hex digits; None for anything else."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        return None
    return value if len(value) == 32 and value.hex() == text else None


def _short(text: str) -> str:
    """The beginning of a long hex number, safe to show."""
    shown = "".join(letter for letter in text if letter.isascii() and letter.isalnum())
    return f"{shown[:12]}…" if shown else "nothing"


def _quoted(text: str) -> str:
    """A text from the server, cut short and escaped so that it is safe on a terminal."""
    return ascii(text[:_LONGEST_QUOTE])

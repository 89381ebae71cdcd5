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
    texts,
)
from bigben_protocol.sentence import Sentence, sentence

What = Literal[
    "commitment", "server seed", "nonce", "seed", "choice", "deal", "cards", "moves", "times",
    "start", "rules",
]  # fmt: skip
"""What is checked, for programs."""

_LONGEST_QUOTE: Final = 40

_DELETED: Final = "deleted:"
"""The id of a deleted player begins so."""


class Finding(msgspec.Struct, frozen=True):
    """The result of one comparison."""

    what: What
    holds: bool | None
    """None: it could not be checked, because too little was kept or sent."""
    said: Sentence
    """For the player."""

    @property
    def text(self) -> str:
        """What it says in English."""
        return texts.said(self.said)


Verdict = tuple[bool | None, Sentence]
"""``holds`` and ``said`` of a Finding."""


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
    return tuple(Finding(what, *verdict) for what, verdict in verdicts.items())


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
            before, other = _short(kept.commitment), _short(now)
            return False, sentence("fair.other_commitment", before=before, now=other)
    if not kept.in_time:
        return None, sentence("fair.late_commitment")
    return True, sentence("fair.commitment")


def _server_seed(kept: Kept, reveal: Reveal) -> Verdict:
    server_seed = _bytes(reveal.server_seed)
    if server_seed is None or dealing.commitment(server_seed) != kept.commitment:
        return False, sentence("fair.other_server_seed")
    return True, sentence("fair.server_seed")


def _nonce(kept: Kept, room: Room, reveal: Reveal) -> Verdict:
    if kept.kind != "live":
        return True, sentence("fair.no_nonces")
    if (kept.seats or reveal.mixed_at) and (wrong := _broken_promise(kept, room, reveal)):
        return False, wrong
    if kept.nonce is None:
        return None, sentence("fair.nonce_elsewhere")
    own = next((i for i, seat in enumerate(room.seats) if seat.player == kept.player), None)
    if own is None:
        return False, sentence("fair.no_seat")
    there = len(reveal.nonces) == len(room.seats) and reveal.nonces[own]
    if kept.nonce_hash and kept.seats and (kept.player, kept.nonce_hash) not in kept.seats:
        return False, sentence("fair.other_hash")
    if kept.nonce_hash and there == "" and kept.seats and not kept.acknowledged:
        return None, sentence("fair.nonce_dropped")
    if there != kept.nonce:
        return False, sentence("fair.other_nonce", nonce=_short(kept.nonce))
    if kept.nonce and not kept.nonce_hash:
        return None, sentence("fair.nonce_early")
    if kept.nonce_hash and not kept.seats:
        return None, sentence("fair.nonce_unseen")
    if withheld := reveal.nonce_states.count("withheld"):
        return True, sentence("fair.withheld", nonces=withheld, deals=2**withheld)
    return True, sentence("fair.nonce")


def _broken_promise(kept: Kept, room: Room, reveal: Reveal) -> Sentence | None:
    """What does not agree with the hashes that were fixed before any nonce came, if anything.

    The id of a player who was deleted since is another one now.
    """
    told = promises(room)
    fixed = kept.seats or told
    states = reveal.nonce_states
    if not reveal.mixed_at:  # then nonces came with Ready, or not at all
        states = tuple("early" if nonce else "none" for nonce in reveal.nonces)
    if not len(fixed) == len(told) == len(room.seats) == len(reveal.nonces) == len(states):
        return sentence("fair.other_seats")
    seats = zip(fixed, told, reveal.nonces, states, strict=True)
    for (player, promised), (now, shown), nonce, state in seats:
        deleted = now != player and now.startswith(_DELETED)
        if now != player and not deleted:
            return sentence("fair.other_seats")
        if shown != promised and not (deleted and state == "early"):
            return sentence("fair.replaced_hash")
        if player in HOUSE_PLAYERS and reveal.mixed_at and (nonce or promised):
            return sentence("fair.house_nonce")
        if (state in ("late", "early")) != bool(nonce) or (state == "none") == bool(promised):
            return sentence("fair.nonce_untold")
        value = _bytes(nonce) if nonce else None
        unknown = player.startswith(_DELETED) and not kept.seats
        fits = value is not None and dealing.nonce_hash(kept.race, player, value) == promised
        if nonce and not fits and not unknown:
            return sentence("fair.replaced_nonce")
    return None


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
        other = "fair.other_mixed_seed" if kept.kind == "live" else "fair.other_seed"
        return False, sentence(other)
    return True, sentence("fair.seed")


def _choice(kept: Kept, room: Room, reveal: Reveal) -> Verdict:
    """A deal was chosen, graded or dealt again only as the rules that were kept allow it.

    Otherwise the server could look at many deals of its seed and play the one that it likes best.
    """
    chosen = reveal.chosen
    if room.counter != kept.counter:
        return False, sentence("fair.dealt_again", now=room.counter, before=kept.counter)
    wanted = kept.grade if kept.kind == "daily" else kept.rules.grade
    if wrong := badly_chosen(kept.kind, kept.rules, chosen, wanted):
        return False, wrong
    if not (chosen.certificate and _asks(kept.kind, kept.rules)):
        return True, sentence("fair.first_deal")
    return True, sentence("fair.choice")


def badly_chosen(kind: Kind, rules: Rules, chosen: Chosen, wanted: Grade | None) -> Sentence | None:
    """Why these rules do not allow that this deal was chosen; None if they do.

    ``wanted`` is the grade that was asked for or announced; None if it is not known.
    """
    if not _asks(kind, rules) and (chosen.deal or chosen.grade or chosen.certificate):
        return sentence("fair.chosen_unasked", deal=chosen.deal)
    if not chosen.certificate and (chosen.deal or chosen.grade):
        return sentence("fair.chosen_unproved", deal=chosen.deal)
    if chosen.certificate and wanted is not None and chosen.grade != wanted:
        grades = {"grade": _quoted(chosen.grade), "wanted": _quoted(wanted)}
        return sentence("fair.other_grade", **grades)
    return None


def _asks(kind: Kind, rules: Rules) -> bool:
    """Whether a deal is to be chosen."""
    return kind == "daily" or rules.winnable or bool(rules.grade)


def _deal(kept: Kept, reveal: Reveal, record: Record) -> Verdict:
    """The order is the shuffle by the seed of the cards that this game uses."""
    if not record.order:
        return None, sentence("fair.no_order")
    seed = _bytes(reveal.seed)
    pack = dealing.pack(kept.deal) if kept.deal else dealing.pack_of(record.order)
    if seed is None or dealing.shuffled(pack, seed) != record.order:
        return False, sentence("fair.other_order")
    if kept.deal is None:
        return None, sentence("fair.order_alone")
    return True, sentence("fair.order")


# The own game


def _cards(kept: Kept, record: Record) -> Verdict:
    """Whether each card that the player saw is at the same place in the deal."""
    if not record.order or not kept.shown:
        return None, sentence("fair.no_first_cards")
    if kept.deal is None:
        return None, sentence("fair.no_dealing")
    if len(record.order) != len(kept.deal.dealt):
        counts = {"cards": len(record.order), "dealt": len(kept.deal.dealt)}
        return False, sentence("fair.other_pack", **counts)
    table = Table(kept.deal, record.order)
    own = {move.n: move.steps for move in kept.moves}
    for n in range(max(kept.shown_n, *own, 0) + 1):
        steps = own.get(n) if n in own else _told(record, n)
        if steps is None:
            return None, sentence("fair.no_cards", n=n)
        if (wrong := table.carry_out(steps)) is not None:
            return False, sentence("fair.other_card", n=n, card=_quoted(wrong.card))
        if n == kept.shown_n and not table.shows(kept.shown):
            return False, sentence("fair.other_cards", n=n)
    return True, sentence("fair.cards")


def _told(record: Record, n: int) -> tuple[Step, ...] | None:
    """The steps of a move from the record, for moves that were not kept; move 0 is the deal."""
    return ((), *record.steps)[n] if n <= len(record.steps) else None


def _moves(kept: Kept, record: Record) -> Verdict:
    for move, told in _beside(kept, record):
        own = _quoted(move.text)
        if told is None:
            return False, sentence("fair.no_move", n=move.n, move=own)
        if told[1] != move.text:
            other = _quoted(told[1])
            return False, sentence("fair.other_move", n=move.n, move=own, other=other)
    count = len(record.moves)
    if missing := _not_kept(kept, record):
        return None, sentence("fair.some_moves", missing=missing, moves=count)
    return True, sentence("fair.moves", count=count)


def _times(kept: Kept, record: Record) -> Verdict:
    for move, told in _beside(kept, record):
        if told and told[0] != move.ms:
            return False, sentence("fair.other_time", n=move.n, ms=move.ms, other=told[0])
    if _not_kept(kept, record):
        return None, sentence("fair.some_times")
    return True, sentence("fair.times")


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
            return False, sentence("fair.other_start", before=before, now=now)
    if not kept.begun_at:
        return None, sentence("fair.no_start")
    return True, sentence("fair.start")


def _rules(kept: Kept, room: Room) -> Verdict:
    if (room.kind, room.rules) != (kept.kind, kept.rules):
        return False, sentence("fair.other_rules")
    return True, sentence("fair.rules")


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

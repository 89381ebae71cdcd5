"""The legal moves of a view, prepared for menus and completions. The server says which they are.

A move is its notation. Its first word is the pile that a card is taken from, or a command, which
may have a pile and more words: ``turn``, ``swap 7 2``.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bigben_chat.cards import signed, spoken
from bigben_chat.texts import Say
from bigben_protocol import GameInfo, Slot, View

_ALONE = ("stock", "waste", "hand")
"""Kinds of which a game has one pile, so that a word can mean it."""


class Move(NamedTuple):
    """One legal move of a card, or a command that names a pile."""

    text: str
    """The move as it is sent: ``3 f9``, ``swap 7 2``."""
    source: str
    """What several moves have in common: ``3``, ``swap 7``."""
    target: str
    """The pile that it goes to; of a command, the rest of its words."""
    card: str
    """Empty if it is face down."""
    onto: str
    """The card on which it is put, if any."""
    home: bool
    """Whether it goes to a foundation."""
    pile: str
    """The pile that the card is taken from, or that the command names."""


class Choice(NamedTuple):
    """One suggestion of a completion."""

    label: str
    value: str


def commands(view: View) -> list[str]:
    """The legal moves that name no pile: ``turn``, ``refill``."""
    return [text for text in view.legal if " " not in text]


def dealing(game: GameInfo, view: View) -> str:
    """What ``deal`` means in a game that has no such move: its first move without piles."""
    if any(typed.example == "deal" for typed in game.moves):
        return "deal"
    return next(iter(commands(view)), "deal")


def still_fits(view: View, move: str, card: str) -> bool:
    """Whether a button of an older position may play: the same card, in a legal move."""
    on_top = bool(card) and view.piles[move.split()[0]].up[-1:] == (card,)
    return on_top and move in view.legal


def command_label(game: GameInfo, view: View, command: str, say: Say) -> str:
    """``Turn a card (56)``: a command, with the number of cards in the stock that it deals from."""
    typed = next((typed for typed in game.moves if typed.example == command), None)
    stock = typed is not None and _slots(game).get(typed.tap)
    key = f"does.{command}"
    explained = say.game_text(typed.says) if typed else command
    label = say.label(key) if key in say.texts else explained
    down = view.piles[stock.pile].down if stock and stock.kind == "stock" else 0
    return f"{label} ({down})" if down else label


def pile_moves(game: GameInfo, view: View) -> list[Move]:
    """All moves that name a pile: those to foundations first, in the order of the clock."""
    slots = _slots(game)
    moves = []
    for text in view.legal:
        first, *rest = text.split()
        if not rest:
            continue
        if first in slots:
            target = rest[0]
            up, onto = view.piles[first].up, view.piles[target].up
            home = slots[target].kind == "foundation"
            moves.append(Move(text, first, target, up[-1], "".join(onto[-1:]), home, first))
        else:
            pile, *depth = rest
            moves.append(Move(text, f"{first} {pile}", " ".join(depth), "", "", False, pile))
    order = _order(game)
    return sorted(moves, key=lambda move: (not move.home, order[move.pile]))


def by_source(game: GameInfo, view: View) -> Mapping[str, Sequence[Move]]:
    """The same by what they have in common, in the order of the clock, the waste last."""
    order = _order(game)
    sources: dict[str, list[Move]] = {}
    for move in sorted(pile_moves(game, view), key=lambda move: order[move.pile]):
        sources.setdefault(move.source, []).append(move)
    return sources


def complete_source(game: GameInfo, view: View, typed: str, say: Say) -> list[Choice]:
    """Where a card may be taken from, or a command, for what has been typed of it."""
    choices = []
    for source, moves in by_source(game, view).items():
        card = moves[0].card
        targets = ", ".join(dict.fromkeys(short_target(move, moves) for move in moves))
        named = pile_name(game, moves[0].pile, say)
        if card:
            label = say.label("complete.from", pile=named, card=spoken(card, say), targets=targets)
        else:
            label = source_label(game, moves, say)
        if _fits(typed, source, card or source, label):
            choices.append(Choice(label, source))
    for command in commands(view):
        label = command_label(game, view, command, say)
        if _fits(typed, command, label):
            choices.append(Choice(label, command))
    return choices


def complete_target(game: GameInfo, view: View, source: str, typed: str, say: Say) -> list[Choice]:
    """Where the card of ``source`` may go; of any card while no source is typed."""
    moves_from = by_source(game, view)
    source = read_source(game, source)
    chosen = {source: moves_from.get(source, ())} if source else moves_from
    choices: dict[str, Choice] = {}
    for moves in chosen.values():
        for move in moves:
            value = short_target(move, moves)
            label = target_label(game, move, say)
            names = (value, move.target, move.onto, "fdn" if move.home else move.target)
            if value and value not in choices and _fits(typed, *names, label):
                choices[value] = Choice(label, value)
    return list(choices.values())


def read_source(game: GameInfo, typed: str) -> str:
    """What a player means: a pile that is the only one of its kind may be written out."""
    words = " ".join(typed.lower().split())
    alone = {slot.kind: slot.pile for slot in game.slots if slot.kind in _ALONE}
    return {str(kind): pile for kind, pile in alone.items()}.get(words, words)


def short_target(move: Move, moves: Sequence[Move]) -> str:
    """``fdn`` where the card fits one foundation, ``f9`` where two, ``5`` for a pile."""
    if not move.home:
        return move.target
    return "fdn" if sum(other.home for other in moves) == 1 else move.target


def source_label(game: GameInfo, moves: Sequence[Move], say: Say) -> str:
    """``Fan 3: 7♥``; of a command, what it does: ``Pile 7: Exchange the last king for …``."""
    first = moves[0]
    named = pile_name(game, first.pile, say)
    if first.card:
        return say.label("label.card", pile=named, card=signed(first.card))
    return say.label("label.card", pile=named, card=_command_says(game, first, say))


def target_label(game: GameInfo, move: Move, say: Say) -> str:
    """``Fan 5: 7♥ on 8♥``."""
    if not move.card:
        place = move.target or "1"
        return f"{pile_name(game, move.pile, say)}: {say.label('complete.depth', place=place)}"
    named, card = pile_name(game, move.target, say), signed(move.card)
    if not move.onto:
        return say.label("label.card", pile=named, card=card)
    return say.label("complete.to", pile=named, card=card, onto=signed(move.onto))


def pile_name(game: GameInfo, pile: str, say: Say) -> str:
    """A pile's name in words: ``Fan 3``, ``Foundation 9``, ``Waste``."""
    slot = _slots(game)[pile]
    place = f".{slot.place}" if slot.kind == "tableau" else ""
    return say.game_text(f"kind.{slot.kind}{place}", label=slot.label or slot.pile)


def _command_says(game: GameInfo, move: Move, say: Say) -> str:
    """What the command of such a move does, from the catalogue."""
    command = move.text.split()[0]
    says = (typed.says for typed in game.moves if typed.example.split()[0] == command)
    found = next(says, "")
    return say.game_text(found) if found else command


def _slots(game: GameInfo) -> Mapping[str, Slot]:
    return {slot.pile: slot for slot in game.slots}


def _order(game: GameInfo) -> Mapping[str, int]:
    return {slot.pile: number for number, slot in enumerate(clockwise(game))}


def clockwise(game: GameInfo) -> list[Slot]:
    """The piles of a ring from twelve on, then all others in the game's own order."""
    rings = [slot for slot in game.slots if slot.place in ("outer", "inner")]
    others = [slot for slot in game.slots if slot not in rings]
    return [*sorted(rings, key=lambda slot: (slot.place == "inner", slot.at % 12)), *others]


def _fits(typed: str, *candidates: str) -> bool:
    """Whether what was typed begins one of these, or a word of the last, the label."""
    wanted = " ".join(typed.casefold().split())
    *names, label = (candidate.casefold() for candidate in candidates)
    return any(name.startswith(wanted) for name in names) or (
        len(wanted) > 1 and not wanted.isdigit() and f" {wanted}" in f" {label}"
    )

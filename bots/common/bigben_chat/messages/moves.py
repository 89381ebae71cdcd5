"""The legal moves of a view, prepared for menus and completions. The server says which they are."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bigben_chat import layout
from bigben_chat.cards import signed, spoken
from bigben_chat.texts import Say
from bigben_protocol import View


class Move(NamedTuple):
    """One legal move of a card."""

    text: str
    """The move as it is sent: ``3 f9``."""
    source: str
    target: str
    card: str
    onto: str
    """The card on which it is put."""

    @property
    def home(self) -> bool:
        """Whether it goes to a foundation."""
        return self.target.startswith("f")


class Choice(NamedTuple):
    """One suggestion of a completion."""

    label: str
    value: str


def stock_move(view: View) -> str:
    """``refill`` or ``turn``, whichever is legal now, or nothing."""
    return next((text for text in view.legal if " " not in text), "")


def card_moves(view: View) -> list[Move]:
    """All moves of cards: those to foundations first, in the order of the clock."""
    moves = []
    for text in view.legal:
        if " " in text:
            source, target = text.split()
            up, onto = view.piles[source].up, view.piles[target].up
            moves.append(Move(text, source, target, up[-1], onto[-1]))
    return sorted(moves, key=lambda move: (not move.home, _order(move.source)))


def by_source(view: View) -> Mapping[str, Sequence[Move]]:
    """Moves of cards by their pile, in the order of the clock, the waste last."""
    sources: dict[str, list[Move]] = {}
    for move in sorted(card_moves(view), key=lambda move: _order(move.source)):
        sources.setdefault(move.source, []).append(move)
    return sources


def complete_source(view: View, typed: str, say: Say) -> list[Choice]:
    """Where a card may be taken from, for what has been typed of it."""
    choices = []
    for source, moves in by_source(view).items():
        card = moves[0].card
        targets = ", ".join(dict.fromkeys(short_target(move, moves) for move in moves))
        label = say(
            "complete.from", pile=pile(source, say), card=spoken(card, say), targets=targets
        )
        if _fits(typed, source, card, label):
            choices.append(Choice(label[:100], source))
    return choices


def complete_target(view: View, source: str, typed: str, say: Say) -> list[Choice]:
    """Where the card of ``source`` may go; of any card while no source is typed."""
    moves_from = by_source(view)
    source = read_source(source)
    chosen = {source: moves_from.get(source, ())} if source else moves_from
    choices: dict[str, Choice] = {}
    for moves in chosen.values():
        for move in moves:
            value = short_target(move, moves)
            label = target_label(move, say)
            names = (value, move.target, move.onto, "fdn" if move.home else move.target)
            if value not in choices and _fits(typed, *names, label):
                choices[value] = Choice(label[:100], value)
    return list(choices.values())[:25]


def read_source(typed: str) -> str:
    """The pile that a player means: the waste may be written out."""
    word = typed.strip().lower()
    return layout.WASTE if word == "waste" else word


def short_target(move: Move, moves: Sequence[Move]) -> str:
    """``fdn`` where the card fits one foundation, ``f9`` where two, ``5`` for a fan."""
    if not move.home:
        return move.target
    return "fdn" if sum(other.home for other in moves) == 1 else move.target


def target_label(move: Move, say: Say) -> str:
    """``fan 5: 7♥ on 8♥``."""
    return say(
        "complete.to",
        pile=pile(move.target, say),
        card=signed(move.card),
        onto=signed(move.onto),
    )


def pile(name: str, say: Say) -> str:
    """A pile's name in words."""
    if name == layout.WASTE:
        return say("pile.waste")
    if name == layout.STOCK:
        return say("pile.stock")
    if name.startswith("f"):
        return say("pile.foundation", hour=name[1:])
    return say("pile.fan", hour=name)


def _order(source: str) -> int:
    return layout.HOURS.index(int(source)) if source.isdigit() else len(layout.HOURS)


def _fits(typed: str, *candidates: str) -> bool:
    """Whether what was typed begins one of these, or a word of the last, the label."""
    wanted = " ".join(typed.casefold().split())
    *names, label = (candidate.casefold() for candidate in candidates)
    return any(name.startswith(wanted) for name in names) or (
        len(wanted) > 1 and not wanted.isdigit() and f" {wanted}" in f" {label}"
    )

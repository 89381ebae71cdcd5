"""A position without its picture: the alternative text, and a board of text."""

from collections.abc import Collection, Sequence
from typing import Final

from bigben_chat.cards import signed
from bigben_chat.games import is_card, is_complete
from bigben_chat.messages.moves import clockwise
from bigben_chat.texts import Say
from bigben_chat.tree import Block
from bigben_protocol import GameInfo, Slot, View

_ALONE: Final = ("hand", "waste", "stock")
_POINT: Final = "↑"
"""Kinds that need no label, in the order in which they are told."""
_WIDE: Final = 44
"""The most letters in a line of foundations."""


def alternative(game: GameInfo, view: View, say: Say) -> str:
    """The whole position, shortly: cards by their short names, tops last."""
    name = say.game_text(f"game.{game.name}")
    parts = [say.label("alt.home", game=name, home=view.home, total=game.total)]
    for kind in ("foundation", "tableau", "reserve"):
        slots = [slot for slot in clockwise(game) if slot.kind == kind]
        if slots:
            between = " " if kind == "foundation" else "; "
            told = between.join(_told(game, view, slot) for slot in slots)
            parts.append(say.label(f"alt.{kind}", piles=told))
    for slot in _alone(game):
        pile = view.piles[slot.pile]
        cards = str(pile.down) if slot.kind == "stock" else " ".join(pile.up) or "–"
        parts.append(f"{say.game_text(f'kind.{slot.kind}')}: {cards}.")
    return " ".join(parts)


def _told(game: GameInfo, view: View, slot: Slot) -> str:
    """``9:4C`` of a foundation, ``3: 7H KD –`` of other piles, ``7: 7C 7S +2`` of a reserve."""
    pile, label = view.piles[slot.pile], slot.label or slot.pile
    if slot.kind == "foundation":
        # Of a foundation that any suit may start, the order of its suits matters.
        shown = pile.up[-1:] if is_card(slot.goal) else pile.up
        done = "✓" if is_complete(game, slot, pile.up) else ""
        return f"{label}:{','.join(shown) or '–'}{done}"
    down = [f"+{pile.down}"] if pile.down else []
    gaps = "–" * (slot.size - len(pile.up))
    cards = [*pile.up, *down] if slot.kind == "reserve" else [*down, *pile.up, *gaps]
    return f"{label}: {' '.join(cards) or '–'}"


def text_board(game: GameInfo, view: View, say: Say, points: Collection[str] = ()) -> Block:
    """A text board: a line for each pile, or for each hour where a dial has two rings.

    An arrow marks the top cards of ``points``, such as those that can go home.
    """
    slots = [slot for slot in clockwise(game) if slot.kind not in _ALONE]
    inner = {slot.at: slot for slot in slots if slot.place == "inner"}
    outer = [slot for slot in slots if slot.place == "outer"]
    lines = []
    if inner and outer:
        lines.append(say.label("text.head"))
        for slot in outer:
            home = _line(game, view, inner[slot.at]) if slot.at in inner else ""
            lines.append(f"{slot.at:>2}  {home:<8} {_line(game, view, slot, points)}".rstrip())
        slots = [slot for slot in slots if slot.place not in ("inner", "outer")]
    short = [slot for slot in slots if slot.kind == "foundation" and not slot.fans]
    named = [f"{slot.label or slot.pile:>2} {_line(game, view, slot)}" for slot in short]
    lines += _in_lines(named)
    others = [slot for slot in slots if slot not in short]
    lines += [f"{slot.label or slot.pile:>2}  {_line(game, view, slot, points)}" for slot in others]
    if alone := [_named(view, slot, say, points) for slot in reversed(_alone(game))]:
        lines.append(" · ".join(alone))
    return Block("\n".join(lines))


def _in_lines(pieces: Sequence[str]) -> list[str]:
    """The pieces in columns, as many in a line as a telephone shows."""
    width = max(map(len, pieces), default=0) + 2
    many = max(1, _WIDE // width)
    rows = [pieces[start : start + many] for start in range(0, len(pieces), many)]
    return ["".join(piece.ljust(width) for piece in row).rstrip() for row in rows]


def _line(game: GameInfo, view: View, slot: Slot, points: Collection[str] = ()) -> str:
    """The cards from the bottom to the top; of a foundation its top and its goal."""
    pile = view.piles[slot.pile]
    if slot.kind == "foundation":
        if is_complete(game, slot, pile.up):
            return f"{signed(pile.up[-1])}✓"
        if not is_card(slot.goal):
            return " ".join(map(signed, pile.up)) or "··"
        return f"{signed(pile.up[-1]) if pile.up else '··'}›{signed(slot.goal)}"
    down, up = ([f"▒{pile.down}"] if pile.down else []), list(map(signed, pile.up))
    if up and slot.pile in points:
        up[-1] += _POINT
    cards = [*up, *down] if slot.kind == "reserve" else [*down, *up]
    gaps = max(slot.size - len(cards), 0 if cards else 1)
    return " ".join([*cards, *["··"] * gaps])


def _named(view: View, slot: Slot, say: Say, points: Collection[str]) -> str:
    """``Waste 3♥ (4)``."""
    pile = view.piles[slot.pile]
    if slot.kind == "stock":
        shown = str(pile.down)
    elif slot.kind == "waste" and pile.up:
        point = _POINT if slot.pile in points else ""
        shown = f"{signed(pile.up[-1])}{point} ({len(pile.up)})"
    else:
        shown = signed(pile.up[-1]) if pile.up else "··"
    return f"{say.game_text(f'kind.{slot.kind}')} {shown}"


def _alone(game: GameInfo) -> list[Slot]:
    return [slot for kind in _ALONE for slot in game.slots if slot.kind == kind]

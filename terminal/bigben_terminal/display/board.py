"""A player's own game of Big Ben as a picture of a clock, 78 columns by 17 lines, or as a list.

Pure functions of what the player sees.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from rich.text import Text

from bigben_protocol import Pile, Step, View
from bigben_rules.bigben.layout import FAN_SIZE, FOUNDATION, HOURS, Hour
from bigben_terminal.display.faces import Faces, colour

WIDTH: Final = 78
HEIGHT: Final = 17
_MIDDLE: Final = 39

_NUMERAL: Final[Mapping[int, tuple[int, int]]] = {
    12: (1, _MIDDLE), 1: (3, 50), 2: (5, 55), 3: (8, 57), 4: (11, 55), 5: (13, 50),
    6: (15, _MIDDLE), 7: (13, 28), 8: (11, 23), 9: (8, 21), 10: (5, 23), 11: (3, 28),
}  # fmt: skip
"""Line and column of each hour's numeral; its fan is outside of it, its foundation inside."""

_SHOWN: Final = 4
"""How many cards of a fan are drawn; for a longer fan, a count and the top three."""


def board(view: View, faces: Faces, last: Sequence[Step] = ()) -> Text:
    """The clock. ``last`` are the steps of the last move, which are marked.

    Outside each numeral is the hour's fan, with its top in brackets and its gaps marked. Inside is
    the foundation's top and the card that will complete it.
    """
    canvas = _Canvas()
    touched = {step.target for step in last}
    for hour in HOURS:
        _hour(canvas, hour, view, faces, touched)
    stock = Text(f"stock {view.piles['s'].down}")
    waste = _waste(view.piles["w"], faces, marked="w" in touched)
    canvas.put(7, _MIDDLE, stock, anchor=0.5)
    canvas.put(9, _MIDDLE, waste, anchor=0.5)
    return canvas.text()


def listed(view: View, faces: Faces, last: Sequence[Step] = ()) -> Text:
    """The board as a line for each hour, for a terminal that is too narrow for the clock."""
    touched = {step.target for step in last}
    lines = []
    for hour in sorted(HOURS):
        numeral, home, fan = _pieces(hour, view, faces, touched)
        numeral.pad_left(2 - len(str(hour)))
        numeral.pad_right(4 - len(numeral))
        home.pad_right(9 - len(home))
        lines.append(Text.assemble(numeral, home, fan))
    waste = _waste(view.piles["w"], faces, marked="w" in touched)
    lines.append(Text.assemble(f"stock {view.piles['s'].down} {faces.dot} ", waste))
    return Text("\n").join(lines)


def _pieces(
    hour: Hour, view: View, faces: Faces, touched: Collection[str]
) -> tuple[Text, Text, Text]:
    """The hour's numeral, its foundation and its fan."""
    sources = {move.split()[0] for move in view.legal if " f" in move}
    fan = _fan(view.piles[str(hour)], faces, playable=str(hour) in sources)
    home = _foundation(hour, view.piles[f"f{hour}"], faces)
    numeral = Text(str(hour), "bold reverse" if str(hour) in touched else "bold")
    if str(hour) in touched:
        numeral.append("*", "bold")
    if f"f{hour}" in touched:
        home.append("*", "bold")
    return numeral, home, fan


def _hour(
    canvas: "_Canvas", hour: Hour, view: View, faces: Faces, touched: Collection[str]
) -> None:
    row, column = _NUMERAL[hour]
    numeral, home, fan = _pieces(hour, view, faces, touched)
    match hour:
        case 12 | 6:
            inward = 1 if hour == 12 else -1
            canvas.put(row, column, numeral, anchor=0.5)
            canvas.put(row + inward, column, home, anchor=0.5)
            canvas.put(row - inward, column, fan, anchor=0.5)
        case 1 | 2 | 3 | 4 | 5:
            canvas.put(row, column, numeral)
            canvas.put(row, column - 2, home, anchor=1)
            canvas.put(row, column + 4, fan)
        case _:
            canvas.put(row, column, numeral, anchor=1)
            canvas.put(row, column + 2, home)
            canvas.put(row, column - 4, fan, anchor=1)


def _fan(pile: Pile, faces: Faces, *, playable: bool) -> Text:
    """``+4 9♥ 8♥ [7♥]``: from the bottom, with the top in brackets and gaps after it."""
    text = Text()
    cards = pile.up
    if len(cards) > _SHOWN:
        text.append(f"+{len(cards) - 3} ", "dim")
        cards = cards[-3:]
    for card in cards[:-1]:
        text.append(f"{faces.card(card)} ", colour(card))
    for card in cards[-1:]:
        style = f"bold {colour(card)}{' reverse' if playable else ''}"
        text.append_text(Text.assemble("[", (faces.card(card), style), "]"))
    for _ in range(FAN_SIZE - len(pile.up)):
        text.append(f" {faces.gap}", "dim")
    return text


def _foundation(hour: Hour, pile: Pile, faces: Faces) -> Text:
    """``4♠›J♠``: its top, and the card that completes it."""
    top, end = pile.up[-1], FOUNDATION[hour][-1]
    text = Text(faces.card(top), f"bold {colour(top)}")
    if top == end:
        return text.append(f" {faces.done}", "green")
    return text.append(f"{faces.to}{faces.card(end)}", f"dim {colour(end)}")


def _waste(pile: Pile, faces: Faces, *, marked: bool) -> Text:
    """``waste [7♥] +3``: its top, and the number of cards under it."""
    text = Text("waste ")
    if not pile.up:
        return text.append(faces.gap, "dim")
    top = pile.up[-1]
    text.append_text(Text.assemble("[", (faces.card(top), f"bold {colour(top)}"), "]"))
    if len(pile.up) > 1:
        text.append(f" +{len(pile.up) - 1}", "dim")
    return text.append("*", "bold") if marked else text


class _Canvas:
    """Lines on which to put pieces of text; pieces may not overlap."""

    def __init__(self) -> None:
        self._pieces: list[list[tuple[int, Text]]] = [[] for _ in range(HEIGHT)]

    def put(self, row: int, column: int, text: Text, *, anchor: float = 0) -> None:
        """``anchor``: which point of the text is at ``column``; 0 is its start, 1 its end."""
        start = column - round((len(text) - 1) * anchor)
        self._pieces[row].append((start, text))

    def text(self) -> Text:
        return Text("\n").join(self._line(pieces) for pieces in self._pieces)

    @staticmethod
    def _line(pieces: list[tuple[int, Text]]) -> Text:
        line = Text()
        for start, text in sorted(pieces, key=lambda piece: piece[0]):
            assert start >= len(line), f"{text.plain!r} goes over {line.plain!r}"
            line.append(" " * (start - len(line)))
            line.append_text(text)
        return line

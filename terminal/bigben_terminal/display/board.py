"""A player's own game as a picture, at most 78 columns wide, or as a list for a narrow terminal.

Pure functions of the game's description and of what the player sees. A description places every
pile on a dial, in columns or in rows; all are drawn from the pieces of ``piles.py``.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

from bigben_protocol import GameInfo, Slot, Step, View
from bigben_terminal.display.faces import Faces
from bigben_terminal.display.piles import Piles, shows_all

WIDTH: Final = 78

_NUMERAL: Final[Mapping[int, tuple[int, int]]] = {
    12: (1, 0), 1: (3, 11), 2: (5, 16), 3: (8, 18), 4: (11, 16), 5: (13, 11),
    6: (15, 0), 7: (13, -11), 8: (11, -16), 9: (8, -18), 10: (5, -16), 11: (3, -11),
}  # fmt: skip
"""Line of each hour's numeral, and its column from the middle. An hour's outer pile is outside of
its numeral, its inner pile inside."""

_CLOSER: Final = 8
"""How much closer to the middle the columns are if no pile is inside."""
_CENTRE: Final = 8
"""The line in the middle of the dial."""
_LONGEST: Final = 17
"""The longest line of cards."""
_FOUNDATION: Final = 7
"""The longest foundation of which only the top is drawn."""
_COLUMN: Final = 4
"""How many columns of the terminal a column of cards takes."""
_CELL: Final = 8
"""The most that a pile in a row takes."""


def picture(
    game: GameInfo, view: View, faces: Faces, width: int, last: Sequence[Step] = ()
) -> Text:
    """The board, or the list if the terminal is narrow."""
    return (board if width >= WIDTH else listed)(game, view, faces, last)


def board(game: GameInfo, view: View, faces: Faces, last: Sequence[Step] = ()) -> Text:
    """The picture. ``last`` are the steps of the last move, which are marked.

    The columns are beside the dial if there is room, otherwise below it; rows are below both.
    """
    piles, canvas = Piles(game, view, faces, last), _Canvas()
    columns, rows = _at(game, "column"), _at(game, "row")
    left = _dial(canvas, game, piles)
    if left + len(columns) * _COLUMN <= WIDTH + 1:
        _columns(canvas, columns, piles, top=min(left, 1), left=left)
    else:
        _columns(canvas, columns, piles, top=canvas.height + 1)
    _rows(canvas, rows, piles)
    return Text("\n").join(canvas.lines())


def listed(game: GameInfo, view: View, faces: Faces, last: Sequence[Step] = ()) -> Text:
    """The board with a line for each hour and for each pile of a row, for a narrow terminal."""
    piles, columns = Piles(game, view, faces, last), _Canvas()
    inner, outer = _rings(game)
    lines = []
    for hour in sorted(outer):
        line = piles.numeral(str(hour), outer[hour])
        line.pad_left(2 - len(str(hour)))
        line.pad_right(4 - len(line))
        if hour in inner:
            home = piles.marked_line(inner[hour])
            home.pad_right(9 - len(home))
            line.append_text(home)
        lines.append(line.append_text(piles.line(outer[hour])))
    if centre := _at(game, "centre"):
        lines.append(Text(f" {faces.dot} ").join(map(piles.named, centre)))
    _columns(columns, _at(game, "column"), piles)
    return Text("\n").join([*lines, *columns.lines(), *map(piles.named, _at(game, "row"))])


def _at(game: GameInfo, place: str) -> list[Slot]:
    """The piles there, from the top and from the left."""
    there = (slot for slot in game.slots if slot.place == place)
    return sorted(there, key=lambda slot: (slot.row, slot.at))


def _rings(game: GameInfo) -> tuple[Mapping[int, Slot], Mapping[int, Slot]]:
    """The piles inside and outside of the numerals, by hour; those of a single ring are outside."""
    inner = {slot.at: slot for slot in _at(game, "inner")}
    outer = {slot.at: slot for slot in _at(game, "outer")}
    return (inner, outer) if outer else ({}, inner)


def _dial(canvas: "_Canvas", game: GameInfo, piles: Piles) -> int:
    """Draw the dial at the left, and return the first free column right of it."""
    inner, outer = _rings(game)
    centre = _at(game, "centre")
    if not (outer or centre):
        return 0
    closer = 0 if inner else _CLOSER
    short = all(slot.kind == "foundation" and not shows_all(slot) for slot in outer.values())
    middle = _NUMERAL[3][1] - closer + 4 + (_FOUNDATION if short else _LONGEST)
    for hour, slot in outer.items():
        row, column = _NUMERAL[hour]
        side = (column > 0) - (column < 0)
        column = middle + column - side * min(closer, abs(column) // 2)
        numeral, cards = piles.numeral(str(hour), slot), piles.line(slot)
        home = piles.marked_line(inner[hour]) if hour in inner else Text()
        if side == 0:
            inward = 1 if hour == 12 else -1
            canvas.put(row, column, numeral, anchor=0.5)
            canvas.put(row + inward, column, home, anchor=0.5)
            canvas.put(row - inward, column, cards, anchor=0.5)
        else:
            canvas.put(row, column, numeral, anchor=side < 0)
            canvas.put(row, column - 2 * side, home, anchor=side > 0)
            canvas.put(row, column + 4 * side, cards, anchor=side < 0)
    for number, slot in enumerate(centre):
        row = _CENTRE + 1 - len(centre) + 2 * number
        canvas.put(row, middle, piles.named(slot), anchor=0.5)
    return 2 * middle + 1


def _columns(
    canvas: "_Canvas", slots: Sequence[Slot], piles: Piles, *, top: int = 0, left: int = 0
) -> None:
    """Draw each pile below its name."""
    _side_by_side(canvas, slots, piles, top=top, left=left, cell=_COLUMN)


def _rows(canvas: "_Canvas", slots: Sequence[Slot], piles: Piles) -> None:
    """Draw the rows below what is there, each pile below its name."""
    cell = min(_CELL, WIDTH // max((slot.at for slot in slots), default=1))
    for row in sorted({slot.row for slot in slots}):
        top = canvas.height + bool(canvas.height)
        there = [slot for slot in slots if slot.row == row]
        _side_by_side(canvas, there, piles, top=top, left=0, cell=cell)


def _side_by_side(
    canvas: "_Canvas", slots: Sequence[Slot], piles: Piles, *, top: int, left: int, cell: int
) -> None:
    """Draw the piles, each in a cell of its own; a pile that needs more moves the next ones."""
    free = left
    for slot in slots:
        column = max(free, left + (slot.at - 1) * cell)
        pieces = [piles.head(slot), *piles.lines(slot)]
        for row, piece in enumerate(pieces, top):
            canvas.put(row, column, piece)
        free = column + max(map(len, pieces)) + 1


class _Canvas:
    """Lines on which to put pieces of text; pieces may not overlap."""

    def __init__(self) -> None:
        self._pieces: dict[int, list[tuple[int, Text]]] = {}

    @property
    def height(self) -> int:
        """The number of lines, with empty ones between others."""
        return max(self._pieces, default=-1) + 1

    def put(self, row: int, column: int, piece: Text, *, anchor: float = 0) -> None:
        """``anchor``: which point of the piece is at ``column``; 0 is its start, 1 its end."""
        if piece:
            start = column - round((len(piece) - 1) * anchor)
            self._pieces.setdefault(row, []).append((start, piece))

    def lines(self) -> list[Text]:
        """The lines from the top; nothing is at the left of column 0."""
        return [self._line(self._pieces.get(row, [])) for row in range(self.height)]

    @staticmethod
    def _line(pieces: list[tuple[int, Text]]) -> Text:
        line = Text()
        for start, piece in sorted(pieces, key=lambda piece: piece[0]):
            assert start >= len(line), f"{piece.plain!r} goes over {line.plain!r}"
            line.append(" " * (start - len(line)))
            line.append_text(piece)
        return line

"""Places, boards and clocks as tables and words: pure functions of the messages."""

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bigben_protocol import By, PlayerId, Ranked, Standing
from bigben_rules.bigben.layout import TOTAL
from bigben_terminal.display.faces import Faces, safe

NARROW: Final = 50
"""A narrower terminal would cut too much from the names and times of a table."""


def clock(ms: int) -> str:
    """Minutes, seconds and tenths, with hours if there are any.

    >>> clock(271_240), clock(3_900_000), clock(59_990)
    ('4:31.2', '1:05:00', '0:59.9')
    """
    seconds, rest = divmod(max(0, ms), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}.{rest // 100}"


def places(
    rows: Sequence[Standing], me: PlayerId, faces: Faces, *, plain: bool = False
) -> RenderableType:
    """The rows in their order with the server's places; ``plain`` means words."""
    if plain:
        return Text("\n".join(in_words(row) for row in rows))
    table = _table(faces)
    table.add_column("", justify="right")
    table.add_column("player")
    table.add_column("home", justify="right")
    table.add_column("")
    table.add_column("time", justify="right")
    table.add_column("moves", justify="right")
    for row in rows:
        table.add_row(
            Text(str(row.place or "-")),
            Text(safe(row.name)),
            Text(str(row.home)),
            Text(row.state),
            Text(clock(decided(row))),
            Text(str(row.moves)),
            style="bold" if row.player == me else "",
        )
    return table


def ranking(
    rows: Sequence[Ranked], me: PlayerId, faces: Faces, *, by: By, plain: bool = False
) -> RenderableType:
    """The rows of a board of many races; a provisional rating has a question mark."""
    if plain:
        return Text("\n".join(ranked_in_words(row, by) for row in rows))
    table = _table(faces)
    table.add_column("", justify="right")
    table.add_column("player")
    table.add_column(by, justify="right")
    for row in rows:
        number = f"{row.rating}{'?' if row.provisional else ''}" if by == "rating" else row.points
        table.add_row(
            Text(str(row.place)),
            Text(safe(row.name)),
            Text(str(number)),
            style="bold" if row.player == me else "",
        )
    return table


def moves(count: int) -> str:
    """``1 move``, ``2 moves``."""
    return f"{count} move{'' if count == 1 else 's'}"


def ranked_in_words(row: Ranked, by: By) -> str:
    """One row of a board of many races."""
    unsure = ", provisional" if row.provisional else ""
    what = f"{row.points} points" if by == "points" else f"rated {row.rating}{unsure}"
    return f"{row.place}. {safe(row.name)}: {what}."


def decided(row: Standing) -> int:
    """The time that counts in ms: of the last move in a win, otherwise of the last card home."""
    return row.ms if row.state == "won" else row.home_ms


def in_words(row: Standing) -> str:
    """One row in words."""
    place = f"{row.place}. " if row.place else ""
    return f"{place}{safe(row.name)}: {how(row)}, {clock(decided(row))}, {moves(row.moves)}."


def how(row: Standing) -> str:
    """The progress of the seat."""
    match row.state:
        case "won":
            return "won"
        case "blocked" | "resigned" | "timed out":
            return f"{row.state} with {row.home} of {TOTAL} home"
        case "playing":
            return f"{row.home} of {TOTAL} home"
        case "joined" | "ready":
            return row.state


def _table(faces: Faces) -> Table:
    return Table(box=box.ASCII2 if faces.ascii else box.SIMPLE_HEAD, pad_edge=faces.ascii)

"""Places, boards and clocks as tables and words: pure functions of the messages."""

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bigben_protocol import By, GameInfo, PlayerId, Ranked, Standing
from bigben_protocol.result_time import result_time
from bigben_terminal.display.faces import Faces, safe
from bigben_terminal.language import bot, say

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
    rows: Sequence[Standing], me: PlayerId, game: GameInfo, faces: Faces, *, plain: bool = False
) -> RenderableType:
    """The rows in their order with the server's places; ``plain`` means words.

    A game in which nothing is decided has no times, because they do not count for the places.
    """
    if plain:
        return Text("\n".join(in_words(row, game) for row in rows))
    table = framed(faces)
    table.add_column("", justify="right")
    table.add_column(say("table.player"))
    table.add_column(say("heading.home"), justify="right")
    table.add_column("")
    if game.decides:
        table.add_column(say("table.time"), justify="right")
    table.add_column(say("table.moves"), justify="right")
    for row in rows:
        table.add_row(
            Text(str(row.place or "-")),
            Text(_called(row)),
            Text(str(row.home)),
            Text(state(row)),
            *([Text(result_time(row.home_ms))] if game.decides else []),
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
    table = framed(faces)
    table.add_column("", justify="right")
    table.add_column(say("table.player"))
    table.add_column(say(f"table.{by}"), justify="right")
    for row in rows:
        number = f"{row.rating}{'?' if row.provisional else ''}" if by == "rating" else row.points
        table.add_row(
            Text(str(row.place)),
            Text(safe(row.name)),
            Text(str(number)),
            style="bold" if row.player == me else "",
        )
    return table


def state(row: Standing) -> str:
    """The state of the seat in a word or two."""
    return say(f"state.{row.state}")


def ranked_in_words(row: Ranked, by: By) -> str:
    """One row of a board of many races."""
    unsure = say("row.provisional") if row.provisional else ""
    rated = say("row.rating", rating=row.rating, unsure=unsure)
    what = say("points", count=row.points) if by == "points" else rated
    return f"{row.place}. {safe(row.name)}: {what}."


def _called(row: Standing) -> str:
    return f"{safe(row.name)} {bot()}" if row.bot else safe(row.name)


def in_words(row: Standing, game: GameInfo) -> str:
    """One row in words."""
    place = f"{row.place}. " if row.place else ""
    time = f"{result_time(row.home_ms)}, " if row.home_ms else ""
    return f"{place}{_called(row)}: {how(row, game.total)}, {time}{say('moves', count=row.moves)}."


def how(row: Standing, total: int) -> str:
    """The progress of the seat; ``total`` cards home are a win."""
    match row.state:
        case "won":
            return state(row)
        case "blocked" | "resigned" | "timed out":
            return say("row.ended", state=state(row), home=row.home, total=total)
        case "playing":
            return say("row.playing", home=row.home, total=total)
        case "joined" | "ready":
            return state(row)


def framed(faces: Faces) -> Table:
    """A table without columns, in the lines that this terminal has."""
    return Table(box=box.ASCII2 if faces.ascii else box.SIMPLE_HEAD, pad_edge=faces.ascii)

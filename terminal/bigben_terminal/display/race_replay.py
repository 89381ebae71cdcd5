"""Shows a closed race again: boards side by side as far as they fit, and how far everybody is."""

import asyncio
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bigben_protocol import GameInfo, View
from bigben_terminal.display.board import WIDTH, picture
from bigben_terminal.display.faces import Faces, safe
from bigben_terminal.display.tables import clock
from bigben_terminal.language import say

_FRAME_S: Final = 0.1
_BAR: Final = 40


@dataclass(frozen=True, slots=True)
class Seen:
    """One seat of the race, with its board after each move."""

    name: str
    views: Sequence[View]
    """In the order of their times; the first is the deal, at 0 ms."""

    def at(self, ms: int) -> View:
        """The board at that time on the seat's own clock."""
        return self.views[bisect_right(self.views, ms, key=lambda view: view.ms) - 1]


async def replay(
    console: Console, game: GameInfo, seats: Sequence[Seen], faces: Faces, *, speed: float
) -> None:
    """Show the race from its start to its end, ``speed`` times as fast as it was."""
    end = max(seat.views[-1].ms for seat in seats)
    with Live(console=console, auto_refresh=False) as live:
        ms = 0
        while ms < end:
            live.update(frame(console.width, game, seats, faces, ms), refresh=True)
            await asyncio.sleep(_FRAME_S)
            ms += round(_FRAME_S * 1000 * speed)
        live.update(frame(console.width, game, seats, faces, end), refresh=True)


def frame(
    width: int, game: GameInfo, seats: Sequence[Seen], faces: Faces, ms: int
) -> RenderableType:
    """The race at one time: the boards of the best that fit, and a bar for everybody."""
    fitting = max(1, (width + 2) // (WIDTH + 2))
    boards = Table.grid(padding=(0, 2))
    shown = seats[:fitting]
    boards.add_row(*(Text(safe(seat.name), "bold") for seat in shown))
    boards.add_row(*(picture(game, seat.at(ms), faces, width) for seat in shown))
    bars = [_bar(seat, game, faces, ms) for seat in seats]
    return Group(Text(clock(ms), "bold"), boards, Text(""), *bars)


def told(seats: Sequence[Seen], total: int) -> Iterator[str]:
    """The race in sentences: each card that came home, in the order of the clock."""
    home = [
        (after.ms, seat.name, after.home)
        for seat in seats
        for before, after in zip(seat.views, seat.views[1:], strict=False)
        if after.home != before.home
    ]
    for ms, name, count in sorted(home):
        how = say("row.playing", home=count, total=total)
        yield say("progress.now", name=safe(name), how=how, time=clock(ms))


def _bar(seat: Seen, game: GameInfo, faces: Faces, ms: int) -> Text:
    home = seat.at(ms).home
    full = round(_BAR * home / game.total)
    sign, empty = ("#", ".") if faces.ascii else ("█", "░")
    return Text(f"{safe(seat.name, 16):<16} {sign * full}{empty * (_BAR - full)} {home}")

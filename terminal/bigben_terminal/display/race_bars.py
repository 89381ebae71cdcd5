"""Shows several players' cards home: as bars on a terminal, otherwise as a line now and then.

One player's board may be beside the bars, or above them if the terminal is narrow.
"""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Table
from rich.text import Text

from bigben_protocol import PlayerId, Standing
from bigben_protocol.result_time import result_time
from bigben_terminal.display.board import WIDTH
from bigben_terminal.display.faces import safe
from bigben_terminal.display.tables import clock, how

_LAPS: Final = 4
"""In how many parts of the game each player gets a line."""
_BARS_WIDTH: Final = 64


class RaceBars:
    """Use it as ``with RaceBars(console, total) as bars``. There is one bar for each player."""

    def __init__(
        self, console: Console, total: int, board: Callable[[], RenderableType] | None = None
    ) -> None:
        """``total`` cards home are a win; ``board`` returns what to show beside the bars."""
        self._console = console
        self._total = total
        self._board = board
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.completed:>3} of {task.total}", markup=False),
            TextColumn("{task.fields[state]}", markup=False),
            console=console,
        )
        self._live = Live(console=console, get_renderable=self._picture, refresh_per_second=10)
        self._bars: dict[PlayerId, TaskID] = {}
        self._told: dict[PlayerId, tuple[str, int]] = {}

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()
        elif self._board:
            self._console.print(self._board())

    def show(self, seats: Iterable[Standing]) -> None:
        """Update the bars."""
        for seat in seats:
            if seat.state in ("joined", "ready"):
                continue
            if self._console.is_terminal:
                self._show_bar(seat)
            else:
                self._tell(seat)

    def _picture(self) -> RenderableType:
        bars = self._progress.get_renderable()
        if self._board is None:
            return bars
        if self._console.width < WIDTH + _BARS_WIDTH:
            return Group(self._board(), bars)
        beside = Table.grid(padding=(0, 2))
        beside.add_row(self._board(), bars)
        return beside

    def _show_bar(self, seat: Standing) -> None:
        if seat.player not in self._bars:
            name = f"{safe(seat.name, 16):<16}"
            self._bars[seat.player] = self._progress.add_task(name, total=self._total, state="")
        state = (
            "" if seat.state == "playing" else f"{seat.state} {result_time(seat.home_ms)}".rstrip()
        )
        self._progress.update(self._bars[seat.player], completed=seat.home, state=state)

    def _tell(self, seat: Standing) -> None:
        now = (seat.state, seat.home * _LAPS // self._total)
        if self._told.get(seat.player) != now:
            self._told[seat.player] = now
            time = clock(seat.ms) if seat.state == "playing" else result_time(seat.home_ms)
            words = [how(seat, self._total), *([time] if time else [])]
            self._console.print(Text(f"{safe(seat.name)}: {', '.join(words)}."))

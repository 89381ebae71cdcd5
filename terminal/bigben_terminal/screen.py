"""Where a player types and reads: lines in, text out, the typed line never torn. Decides nothing.

On a terminal the last lines are a status and a prompt, and everything is printed above them.
Elsewhere (a pipe, a file, a screen reader) lines come and go plainly.
"""

import asyncio
import codecs
import io
import os
import signal
import sys
from collections.abc import Callable
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self

from rich.cells import cell_len, set_cell_size
from rich.console import Console, RenderableType
from rich.text import Text

from bigben_terminal.faces import Faces
from bigben_terminal.line_editor import LineEditor

if sys.platform != "win32":
    import termios
    import tty

_CLEAR: Final = "\r\x1b[K"
_CLEAR_TWO: Final = "\r\x1b[K\x1b[A\r\x1b[K"


def can_edit() -> bool:
    """Whether both ends are a terminal that knows how to move its cursor."""
    if sys.platform == "win32" or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return all(end is not None and end.isatty() for end in (sys.stdin, sys.stdout))


def make_console() -> Console:
    """Standard output: colours where it is a terminal and NO_COLOR is not set, no guesses."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, markup=False, emoji=False)


class Screen:
    """Used as ``async with Screen(…)``; the terminal is as before when it is left."""

    def __init__(self, console: Console, faces: Faces, *, editing: bool) -> None:
        self.console = console
        self.faces = faces
        self.editing = editing
        """Keys are read one by one, with a status and a prompt; else whole lines."""
        self._prompt = "> " if faces.ascii else "› "
        self._status = ""
        self._footer = ""
        """What has to be printed to take the status and the prompt away again."""
        self._editor = LineEditor()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._unfinished = ""
        self._was: list[Any] = []  # as termios types it

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        if self.editing:
            self._was = termios.tcgetattr(sys.stdin.fileno())
            self._take_over()
            loop.add_signal_handler(signal.SIGCONT, self._take_over)
        # A thread, because files and consoles cannot be waited for. It has nothing to release:
        # it sleeps in read() and ends with the process.
        Thread(target=_read, args=(loop, self._typed), daemon=True).start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.editing:
            asyncio.get_running_loop().remove_signal_handler(signal.SIGCONT)
            self._print_over("")
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._was)
        self.editing = False

    async def line(self) -> str | None:
        """The next line typed; None when there are no more."""
        return await self._lines.get()

    def show(self, *texts: RenderableType) -> None:
        """Print these, each on lines of its own."""
        self._print_over("")
        for text in texts:
            # A script reads whole sentences; on a terminal no word is broken.
            self.console.print(text, soft_wrap=not self.editing and isinstance(text, Text))
        self._draw_footer()

    def status(self, text: str) -> None:
        """The line over the prompt from now on; nothing where nothing is edited."""
        if text != self._status:
            self._status = text
            self._print_over("")
            self._draw_footer()

    def _typed(self, text: str) -> None:
        """Called with what was read; empty at the end."""
        if self.editing:
            for line in self._editor.feed(text) if text else [None]:
                if line is not None:
                    self._print_over(f"{self._prompt}{line}\n")
                self._lines.put_nowait(line)
            self._print_over("")
            self._draw_footer()
            return
        *lines, self._unfinished = (self._unfinished + text).split("\n")
        if not text:
            lines = [self._unfinished] if self._unfinished else []
        for line in lines:
            self._lines.put_nowait(line.rstrip("\r"))
        if not text:
            self._lines.put_nowait(None)

    def _take_over(self) -> None:
        """At the start, and when the player comes back from a shell (Ctrl-Z, fg)."""
        tty.setcbreak(sys.stdin.fileno())
        self._footer = ""
        self._draw_footer()

    def _print_over(self, text: str) -> None:
        """Print in place of the status and the prompt."""
        self.console.file.write(self._footer + text)
        self.console.file.flush()
        self._footer = ""

    def _draw_footer(self) -> None:
        if not self.editing:
            return
        width = self.console.width - 1
        before = self._prompt + self._editor.text[: self._editor.cursor]
        after = self._editor.text[self._editor.cursor :]
        # Of a line too long for the terminal the end up to the cursor is shown.
        while cell_len(before) > width:
            before = before[1:]
        after = after if cell_len(before + after) <= width else ""
        back = f"\x1b[{cell_len(after)}D" if after else ""
        status = ""
        if self._status:
            cut = self._status if cell_len(self._status) <= width else None
            status = (cut or set_cell_size(self._status, width)) + "\n"
        self.console.file.write(f"{status}{before}{after}{back}")
        self.console.file.flush()
        self._footer = _CLEAR_TWO if status else _CLEAR


def _read(loop: asyncio.AbstractEventLoop, typed: Callable[[str], None]) -> None:
    """Pass on what stdin brings, then an empty text; in a thread of its own."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        try:
            # Not sys.stdin.read(): its buffer is locked when the process ends.
            chunk = os.read(sys.stdin.fileno(), 4096)
        except (OSError, ValueError, AttributeError):  # hung up, closed, or none at all
            chunk = b""
        text = decoder.decode(chunk)
        if text or not chunk:
            try:
                loop.call_soon_threadsafe(typed, text)
            except RuntimeError:  # the loop is closed: nobody plays any more
                return
        if not chunk:
            return

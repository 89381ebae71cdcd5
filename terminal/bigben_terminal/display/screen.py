"""The player's screen: reads lines and prints text without breaking the line being typed.

On a terminal the last lines are a status and a prompt, and text is printed above them. On a pipe, a
file or a screen reader, input and output are plain lines.
"""

import asyncio
import base64
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

from bigben_terminal.display.faces import Faces
from bigben_terminal.display.line_editor import LineEditor

if sys.platform != "win32":
    import termios
    import tty

_CLEAR: Final = "\r\x1b[K"
_CLEAR_TWO: Final = "\r\x1b[K\x1b[A\r\x1b[K"


_TYPEWRITER: Final = str.maketrans({"’": "'", "“": '"', "”": '"', "„": '"', "–": "-", "…": "..."})


def _typed(problem: UnicodeError) -> tuple[str, int]:
    """What an encoding lacks, as a typewriter has it; a question mark for all else."""
    assert isinstance(problem, UnicodeEncodeError)
    signs = problem.object[problem.start : problem.end].translate(_TYPEWRITER)
    return "".join(sign if sign.isascii() else "?" for sign in signs), problem.end


codecs.register_error("typewriter", _typed)


def can_edit() -> bool:
    """Whether input and output are a terminal that can move its cursor."""
    if sys.platform == "win32" or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return all(end is not None and end.isatty() for end in (sys.stdin, sys.stdout))


def make_console() -> Console:
    """Standard output, with colours if it is a terminal and NO_COLOR is not set."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="typewriter")
    return Console(highlight=False, markup=False, emoji=False)


class Screen:
    """Use it as ``async with Screen(…)``, which restores the terminal at the end."""

    def __init__(self, console: Console, faces: Faces, *, editing: bool) -> None:
        self.console = console
        self.faces = faces
        self.editing = editing
        """Whether keys are read one by one, with a status and a prompt, or whole lines."""
        self._prompt = "> " if faces.ascii else "› "
        self._status = ""
        self._footer = ""
        """What to print to erase the status and the prompt."""
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
        # A thread, because asyncio cannot wait for files and consoles. It has nothing to release:
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
        """The next typed line; None at the end of input."""
        return await self._lines.get()

    def show(self, *texts: RenderableType) -> None:
        """Print each text on its own lines."""
        self._print_over("")
        for text in texts:
            # A script gets whole sentences; on a terminal lines break between words.
            self.console.print(text, soft_wrap=not self.editing and isinstance(text, Text))
        self._draw_footer()

    def status(self, text: str) -> None:
        """Set the line above the prompt. Without line editing this does nothing."""
        if text != self._status:
            self._status = text
            self._print_over("")
            self._draw_footer()

    def copy(self, text: str) -> None:
        """Put the text on the clipboard of a terminal that understands OSC 52."""
        if self.console.is_terminal:
            self._print_over(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07")
            self._draw_footer()

    def _typed(self, text: str) -> None:
        """Handle text that was read; it is empty at the end."""
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
        """Set the terminal up, at the start and after a return from the shell (Ctrl-Z, fg)."""
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
        # Of a line that is too long for the terminal, show the end up to the cursor.
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
    """Pass on text from stdin, then an empty text. Runs in its own thread."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        try:
            # Not sys.stdin.read(): its buffer is locked when the process ends.
            chunk = os.read(sys.stdin.fileno(), 4096)
        except (OSError, ValueError, AttributeError):  # hung up, closed, or missing
            chunk = b""
        text = decoder.decode(chunk)
        if text or not chunk:
            try:
                loop.call_soon_threadsafe(typed, text)
            except RuntimeError:  # the loop is closed, so the game is over
                return
        if not chunk:
            return

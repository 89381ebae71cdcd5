"""Types into a `bigben` process, over pipes or a terminal, and waits for its output.

It never sleeps: it waits for a text, and gives up after half a minute or when the process ends.
"""

import codecs
import os
import pty
import re
import select
import signal
import termios
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from tests.support.forked import TERMINAL, Forked
from tests.support.patience import PATIENCE_S

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


class Typist:
    """Use it as ``with Typist("play", …) as ada``, which ends the process."""

    def __init__(
        self,
        *arguments: str,
        home: Path,
        terminal: bool = False,
        columns: int = 80,
        path: Path | None = None,
    ) -> None:
        """``home`` is the state folder, where the token is; ``terminal``: at a pseudo-terminal;
        ``path``: where a server that it starts looks for modules first."""
        env = {name: v for name, v in os.environ.items() if not name.startswith("BIGBEN_")}
        env |= {
            "XDG_STATE_HOME": str(home),
            "TERM": "xterm",
            "COLUMNS": str(columns),
            "PYTHONUTF8": "1",
            "LC_ALL": "C.UTF-8",
        }
        env.pop("NO_COLOR", None)
        if path:
            env["PYTHONPATH"] = str(path)
        if terminal:
            self._out, inner = pty.openpty()
            termios.tcsetwinsize(inner, (24, columns))
            self._in, ends = self._out, (inner, inner)
        else:
            (reading, self._in), (self._out, writing) = os.pipe(), os.pipe()
            ends = (reading, writing)
        reading, writing = ends
        self._process = Forked(
            TERMINAL, arguments, env, given=reading, output=writing, at_terminal=terminal
        )
        self._terminal = terminal
        for end in set(ends):
            os.close(end)
        self.shown = ""
        """Everything that was printed, including escape sequences."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._read_to = 0
        self._over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self.end_of_input()
        os.close(self._out)

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self.keys(line + ("\r" if self._terminal else "\n"))

    def keys(self, keys: str) -> None:
        """Send keys unchanged."""
        os.write(self._in, keys.encode())

    def end_of_input(self) -> None:
        """Close the pipe: nothing more will be typed."""
        if self._in not in (self._out, -1):
            os.close(self._in)
            self._in = -1

    def sees(self, text: str) -> str:
        """Wait for ``text``. Return the unseen output up to it, without colours."""
        return self.sees_like(re.escape(text))

    def sees_like(self, pattern: str) -> str:
        """Like ``sees``, for a regular expression."""
        deadline = monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self._unseen())):
            assert not self._over, f"the process ended without {pattern!r}:\n{self.shown}"
            assert self._more(deadline), f"{pattern!r} did not come:\n{self.shown}"
        seen = self._unseen()[: found.end()]
        self._read_to += found.end()
        return seen

    def ends(self) -> tuple[int, str]:
        """Wait for the end, and return the exit code and the unseen output."""
        deadline = monotonic() + PATIENCE_S
        while not self._over:
            assert self._more(deadline), f"it did not end:\n{self.shown}"
        return self._process.wait(), self._unseen()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def plain(self) -> str:
        """Everything that was printed, without escape sequences."""
        return _ESCAPE.sub("", self.shown).replace("\r", "")

    def _unseen(self) -> str:
        return self.plain[self._read_to :]

    def _more(self, deadline: float) -> bool:
        """Read more output; False if none came in time."""
        ready, _, _ = select.select([self._out], [], [], max(0, deadline - monotonic()))
        if not ready:
            return False
        try:
            chunk = os.read(self._out, 65_536)
        except OSError:  # a pseudo-terminal whose other end is closed
            chunk = b""
        self._over = not chunk
        self.shown += self._decoder.decode(chunk)
        return True

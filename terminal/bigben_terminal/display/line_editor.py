"""A line editor: turns keys into lines, without reading the keyboard or writing the screen."""

import re
from typing import Final

END: Final = None
"""What ``feed`` returns for Ctrl-D on an empty line."""

_KEY: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|\x1b[^\[O]|[^\x1b]", re.DOTALL)
"""One key: a complete escape sequence, or one character."""

_HISTORY: Final = 200
_LONGEST: Final = 400


class LineEditor:
    """The line being typed, its cursor, and the history."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._pending = ""
        """An escape sequence that is not complete yet."""
        self._history: list[str] = []
        self._at = 0

    def feed(self, keys: str) -> list[str | None]:
        """The lines that these keys complete; END if the input ends."""
        done: list[str | None] = []
        self._pending += keys
        while key := _KEY.match(self._pending):
            self._pending = self._pending[key.end() :]
            match key[0]:
                case "\r" | "\n":
                    done.append(self._entered())
                case "\x04" if not self.text:
                    done.append(END)
                case sign:
                    self._edit(sign)
        return done

    def _entered(self) -> str:
        line = self.text
        if line.strip() and self._history[-1:] != [line]:
            self._history = [*self._history[-_HISTORY:], line]
        self._at = len(self._history)
        self._set("")
        return line

    def _edit(self, key: str) -> None:
        left, right = self.text[: self.cursor], self.text[self.cursor :]
        match key:
            case "\x7f" | "\x08":
                self._set(left[:-1], right)
            case "\x04" | "\x1b[3~":
                self._set(left, right[1:])
            case "\x15":  # Ctrl-U
                self._set("", right)
            case "\x0b":  # Ctrl-K
                self._set(left)
            case "\x17":  # Ctrl-W
                self._set(
                    left.rstrip().rpartition(" ")[0] + " " if " " in left.rstrip() else "", right
                )
            case "\x1b[D" | "\x1bOD" | "\x02":
                self.cursor = max(0, self.cursor - 1)
            case "\x1b[C" | "\x1bOC" | "\x06":
                self.cursor = min(len(self.text), self.cursor + 1)
            case "\x1b[H" | "\x1bOH" | "\x1b[1~" | "\x01":
                self.cursor = 0
            case "\x1b[F" | "\x1bOF" | "\x1b[4~" | "\x05":
                self.cursor = len(self.text)
            case "\x1b[A" | "\x1bOA" | "\x10":
                self._recall(self._at - 1)
            case "\x1b[B" | "\x1bOB" | "\x0e":
                self._recall(self._at + 1)
            case _:
                if key.isprintable() and len(self.text) < _LONGEST:
                    self._set(left + key, right)

    def _recall(self, at: int) -> None:
        if 0 <= at <= len(self._history):
            self._at = at
            self._set(self._history[at] if at < len(self._history) else "")

    def _set(self, left: str, right: str = "") -> None:
        self.text, self.cursor = left + right, len(left)

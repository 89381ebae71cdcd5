"""Shows the progress of long work on one line of a terminal."""

from typing import Final, TextIO

_CLEAR: Final = "\r\x1b[K"


class Progress:
    """Shows progress on ``file`` if that is a terminal. Call ``clear`` at the end."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file if file and file.isatty() else None
        self._line = ""

    def show(self, what: str, done: int, of: int) -> None:
        line = f"{what}: {100 * done // of} %"
        if self._file and line != self._line:
            print(f"{_CLEAR}{line}", end="", file=self._file, flush=True)
        self._line = line

    def clear(self) -> None:
        if self._file:
            print(_CLEAR, end="", file=self._file, flush=True)


SILENT: Final = Progress()

"""How far long work is, on one line of a terminal; nothing where nobody looks. Does no work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

Progress = Callable[[str, int, int], None]
"""Told what is done, how much of it, and how much there is."""

_CLEAR: Final = "\r\x1b[K"


def silent(what: str, done: int, of: int) -> None:
    """Say nothing."""


@contextmanager
def shown(file: TextIO) -> Iterator[Progress]:
    """Show it on ``file`` where that is a terminal, and leave nothing behind."""
    if not file.isatty():
        yield silent
        return
    last = ""

    def show(what: str, done: int, of: int) -> None:
        nonlocal last
        line = f"{what}: {100 * done // of} %"
        if line != last:
            print(f"{_CLEAR}{line}", end="", file=file, flush=True)
        last = line

    try:
        yield show
    finally:
        print(_CLEAR, end="", file=file, flush=True)

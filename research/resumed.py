"""Measurements that take hours: each is a line of JSON in a file, so that a killed run goes on."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

BAR: Final = 40

T = TypeVar("T")


def read(file: Path, made: Callable[..., T]) -> list[T]:
    """What has been measured. A line that was cut short when a run was killed is left out."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [made(*json.loads(line)) for line in lines if line.endswith("]")]


@contextmanager
def added_to(file: Path) -> Iterator[Callable[[tuple[object, ...]], None]]:
    """A function that adds a measurement to the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as out:
        print(file=out)  # ends a line that was cut short
        yield lambda one: print(json.dumps(one), file=out, flush=True)


def be_nice() -> None:
    """Let all other processes come first."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(19)


def show(what: str, done: int, of: int) -> None:
    """A bar on a terminal."""
    if sys.stderr.isatty():
        bar = "#" * (BAR * done // of)
        end = "\n" if done >= of else ""
        print(f"\r{what:<26}[{bar:<{BAR}}] {done:,} of {of:,}", end=end, file=sys.stderr)

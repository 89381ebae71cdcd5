"""What a command of ``bigben admin`` is made of; every one of them is in ``admin.COMMANDS``."""

import argparse
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TextIO

from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.race_log import Store

STANDARD_OUTPUT: Final = Path("-")


def now_ms() -> int:
    """ms since 1970."""
    return time.time_ns() // 1_000_000


class Outcome(NamedTuple):
    """What a command has done."""

    text: str
    """Sentences for the operator."""
    facts: Mapping[str, Any] = MappingProxyType({})
    """The same for programs, which ``--json`` prints. Any: whatever JSON can hold."""
    done: bool = True
    """Whether the exit code is 0."""
    audit: Mapping[str, str] | None = None
    """What the audit log keeps instead of the arguments. Then it keeps no text either."""
    piped: bool = False
    """Whether standard output has something else; then text and facts go to standard error."""


class Argument(NamedTuple):
    """An argument or, with dashes, an option."""

    name: str
    about: str
    options: Mapping[str, Any] = MappingProxyType({})
    """More of what argparse's ``add_argument`` takes."""

    @property
    def dest(self) -> str:
        """Its name among the options that were read."""
        return self.name.lstrip("-").replace("-", "_")


def of_races(races: int) -> str:
    """So many races, in words."""
    return f"{races} race{'' if races == 1 else 's'}"


def whole(what: str, least: int, most: int, text: str) -> int:
    """The whole number that was typed. Raises ArgumentTypeError; ``what`` begins its sentence."""
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{what} from {least} to {most}")
    return int(text)


def no_races(store: Store) -> str:
    """What to say of a store without races, which is often not the one that was meant."""
    where = f"no race has a key that begins with {store.keys.prefix}:"
    return f"There is nothing: {where}. Check --data, BIGBEN_REDIS_URL and BIGBEN_PREFIX."


@contextmanager
def output(path: Path) -> Iterator[TextIO]:
    """Standard output for ``-``, or a new file that only its owner can read.

    A file gets its name when it is complete.
    """
    if path == STANDARD_OUTPUT:
        yield sys.stdout
        sys.stdout.flush()
        return
    if path.exists():
        raise NotDone(f"{path} exists already; choose another name")
    part = path.with_name(f"{path.name}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class AdminCommand(NamedTuple):
    name: str
    about: str
    run: Callable[[Store, argparse.Namespace], Awaitable[Outcome]]
    """Raises one of ``admin.FAILURES``, whose texts are sentences for the operator."""
    arguments: tuple[Argument, ...] = ()
    asks: str = ""
    """What to ask on a terminal before it runs, with arguments in braces. Without a terminal, or
    with ``--yes``, nothing is asked."""
    audited: bool = True
    """Whether the audit log keeps that it ran. Only what changes nothing may be left out."""
    makes_folder: bool = False
    """Whether it may make a data folder that is not there."""

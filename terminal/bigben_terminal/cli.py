"""The `bigben` command: finds a subcommand and runs it.

There are two kinds of subcommands, and each is imported only when it is used:

- A module of ``subcommands`` with the command's name, and a line in ``COMMANDS``. It has
  ``add_arguments(parser: ArgumentParser) -> None``, which may set the parser's description too,
  and ``run(arguments: Namespace) -> int``, which returns the exit code. It may raise ``Complaint``.
- In any package, a function ``def serve(argv: list[str]) -> int`` under the command's name in the
  entry-point group ``bigben.commands``. It gets the arguments after the command's name, parses
  them as the program ``bigben serve``, and returns the exit code.

This module handles Ctrl-C (exit code 130), a closed output (141) and errors of the operating
system (2).
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version
from typing import Final

from bigben_terminal.complaint import Complaint

COMMANDS: Final[Mapping[str, str]] = {
    "learn": "learn Big Ben in two minutes, move by move",
    "play": "take a seat in a race, or play alone",
    "watch": "follow a race without a seat",
    "leaderboard": "show who was fastest",
    "stats": "show a player's results, streaks and records",
    "challenge": "challenge a player to a race, or answer a challenge",
    "archive": "list the past daily races, and play those that you missed",
    "season": "show a club's season, and change one as an organiser",
    "groups": "make, join or leave a group of friends",
    "login": "log in with Discord, to be the same player here and there",
    "logout": "forget the player on this machine, or log out everywhere",
    "demo": "watch a race of house players on a server of its own",
    "deal": "show the deal that belongs to a seed",
    "replay": "play a recorded game again, with what was legal after each move",
    "solve": "find a winning line of a deal, or prove that there is none",
    "receipt": "save the receipt of a closed race, for anyone to verify",
    "verify": "check a receipt: its deal, every move, its times and places",
    "analyse": "see where a closed race was won and lost: chances, costly moves, skill and luck",
}
"""The modules of ``subcommands``, and what each does."""

ELSEWHERE: Final[Mapping[str, str]] = {
    "admin": "look after a server, its players, races and data",
    "config": "print the settings of a server, and where each comes from",
    "house": "run the house players of a server on another machine",
    "serve": "run the server that friends race on",
}
"""Descriptions of commands of other packages; entry points say which are installed."""

GROUP: Final = "bigben.commands"

HELP: Final = """\
usage: bigben COMMAND ...

Races of patience: Big Ben, and six other games of the clock family.

{commands}

`bigben COMMAND --help` says more about one of them, `bigben --version` which version this is."""

Command = Callable[[list[str]], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `bigben` with these arguments, by default the process's. Returns the exit code."""
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        print(end="", flush=True)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _write_no_more()
        return 141
    except OSError as error:
        _write_no_more()
        return _complain("bigben", error)
    return code


def _run(argv: list[str]) -> int:
    name, *rest = argv or ["--help"]
    if name in ("-h", "--help", "help"):
        print(HELP.format(commands=_list_of_commands()))
        return 0
    if name in ("-V", "--version"):
        print(f"bigben {_version()}")
        return 0
    try:
        command = _own(name) if name in COMMANDS else _found(name)
    except Complaint as complaint:
        return _complain("bigben", complaint)
    try:
        return command(rest)
    except Complaint as complaint:
        return _complain(f"bigben {name}", complaint)
    except SystemExit as stop:
        if not isinstance(stop.code, int):
            raise
        return stop.code  # From argparse, which has printed a message.


def _own(name: str) -> Command:
    """The subcommand in the module with this name."""
    with _installed("bigben_terminal"):
        module = import_module(f"bigben_terminal.subcommands.{name}")

    def command(argv: list[str]) -> int:
        parser = ArgumentParser(prog=f"bigben {name}", allow_abbrev=False)
        module.add_arguments(parser)
        code: int = module.run(parser.parse_args(argv))
        return code

    return command


def _found(name: str) -> Command:
    """The subcommand with this name in another package. Raises Complaint if there is none."""
    entries = _entries()
    if name not in entries:
        names = sorted({*COMMANDS, *entries})
        near = get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(names)}"
        raise Complaint(f"there is no command {name[:40]!r}; {hint}")
    with _installed(entries[name].module.partition(".")[0]):
        command: Command = entries[name].load()
    return command


@contextmanager
def _installed(package: str) -> Iterator[None]:
    """Turn a failed import of a dependency into a Complaint that says what to do."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = package.removeprefix("bigben_")
        hint = f": in the checkout, pip install '.[{extra}]'" if extra != package else ""
        raise Complaint(f"this needs {error.name}, which is not installed{hint}") from None


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in COMMANDS}


def _list_of_commands() -> str:
    entries = _entries()
    summaries = {name: ELSEWHERE.get(name, f"from {entries[name].module}") for name in entries}
    return "\n".join(f"  {name:<13}{said}" for name, said in {**COMMANDS, **summaries}.items())


def _version() -> str:
    try:
        return version("bigben-race")
    except PackageNotFoundError:
        return "(not installed, run from its source)"


def _complain(program: str, what: Exception) -> int:
    if isinstance(what, OSError) and what.strerror:
        what = Complaint(": ".join(filter(None, (str(what.filename or ""), what.strerror))))
    print(f"{program}: {what}", file=sys.stderr)
    return 2


def _write_no_more() -> None:
    """Keep Python from writing to the closed output, and failing, when it exits."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)

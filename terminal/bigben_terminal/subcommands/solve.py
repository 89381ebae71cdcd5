"""`bigben solve`: finds a winning line of a deal whose cards are all known."""

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Final

from bigben_rules import GAMES, IllegalMove, Position, game_named, seed_from_hex, shuffle
from bigben_solver import Solution, solve
from bigben_terminal.complaint import Complaint
from bigben_terminal.reasons import in_english
from bigben_terminal.receipts.recording import read_file

DESCRIPTION: Final = """\
Find a winning line of a deal, or prove that there is none.

The deal is that of a seed, or FILE is a recorded game as for `bigben replay`; - reads standard
input. If FILE has moves, the search begins after them. There are solvers for Big Ben and for
Grandfather's Clock."""

EXIT_CODES: Final = """\
exit codes:
  0  the search has ended: won, lost or unknown
  2  there is nothing to search (a sentence on standard error says why)"""

_ENDLESS: Final = 10**18
"""Positions to look at; only the time ends the search."""
_ON_A_LINE: Final = 10


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.epilog = EXIT_CODES
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.add_argument("--seed", metavar="HEX", help="64 hex digits")
    parser.add_argument("--game", help=f"of the seed: {', '.join(GAMES)} (bigben)")
    parser.add_argument("--rules", help="of the seed: as for `bigben deal` (standard)")
    parser.add_argument(
        "--budget",
        type=_seconds,
        default=30.0,
        metavar="SECONDS",
        help="how long the search may take, by a clock on the wall (%(default)g)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.add_argument("file", nargs="?", metavar="FILE", help="a recorded game")


def run(arguments: Namespace) -> int:
    position = _position(arguments)
    clock = SearchClock(arguments.budget, shows=not arguments.json and sys.stderr.isatty())
    try:
        found = solve(position, nodes=_ENDLESS, stop=clock.over)
    except ValueError as error:
        raise Complaint(str(error)) from None
    seconds = clock.finish()
    moves = [position.format(move) for move in found.moves]
    if arguments.json:
        shown = {"result": found.result, "moves": moves, "seconds": round(seconds, 3)}
        print(json.dumps(shown, separators=(",", ":")))
        return 0
    print(f"{_in_words(found)} ({seconds:.1f} s, {found.nodes} positions)")
    print("\n".join(_lines(moves)), end="\n" if moves else "")
    return 0


class SearchClock:
    """The time that passes while the search runs; shows on a terminal that it goes on.

    Not the time of the processor: the user also waits while others use it.
    """

    def __init__(
        self, budget: float, *, shows: bool, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._start = now()
        self._budget = budget
        self._shows = shows
        self._shown = 0

    def over(self) -> bool:
        """Whether the search must stop."""
        spent = self._now() - self._start
        if self._shows and int(spent) > self._shown:
            self._shown = int(spent)
            print(f"\rsearching: {self._shown} of {self._budget:g} s", end="", file=sys.stderr)
            sys.stderr.flush()
        return spent >= self._budget

    def finish(self) -> float:
        """The seconds that the search took. Clears the line that was shown."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        return self._now() - self._start


def _position(arguments: Namespace) -> Position:
    """Where the search begins. Raises Complaint."""
    if (arguments.seed is None) == (arguments.file is None):
        raise Complaint("give either --seed or FILE")
    if arguments.file is None:
        return _deal(arguments.seed, arguments.game or "bigben", arguments.rules or "standard")
    if arguments.game or arguments.rules:
        raise Complaint("FILE says which game it is; --game and --rules go with --seed")
    recording = read_file(arguments.file)
    position = recording.start
    for n, text in enumerate(recording.moves, 1):
        try:
            position, _ = position.apply(position.parse(text))
        except IllegalMove as error:
            raise Complaint(f"move {n}, {text}, is illegal: {in_english(error.said)}") from None
    return position


def _deal(seed: str, name: str, rules: str) -> Position:
    try:
        game = game_named(name.lower())
        return game.deal(shuffle(game.pack, seed_from_hex(seed)), game.rules(rules.lower()))
    except ValueError as error:
        raise Complaint(str(error)) from None


def _in_words(found: Solution) -> str:
    match found.result:
        case "won":
            return f"won in {len(found.moves)} moves"
        case "lost":
            return "lost: no line wins"
        case "unknown":
            return "unknown: neither a winning line nor a proof that there is none"


def _lines(moves: list[str]) -> Iterator[str]:
    for at in range(0, len(moves), _ON_A_LINE):
        yield f"{at + 1:>4}  {', '.join(moves[at : at + _ON_A_LINE])}"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and seconds > 0):
        raise ArgumentTypeError(f"{text[:20]!r} is not a number of seconds above 0")
    return seconds

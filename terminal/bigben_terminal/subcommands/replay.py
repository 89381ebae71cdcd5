"""`bigben replay`: replays a recorded game offline and prints every position."""

import json
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from bigben_rules import IllegalMove, Position
from bigben_rules.game import STOCK, WASTE
from bigben_terminal.complaint import Complaint
from bigben_terminal.receipts.recording import LARGEST, Recording, read

DESCRIPTION: Final = """\
Play a recorded game again and say what is legal after each move.

FILE is JSON; - reads standard input:

  {"game": "bigben", "rules": "standard", "seed": "<64 hex digits>", "moves": ["3 fdn", "turn"]}

"order", the list of the shuffled cards with the first dealt first, may stand for "seed"; "rules"
may be an object like {"turn": "always"}; "game" and "rules" may be left out."""

EXIT_CODES: Final = """\
exit codes:
  0  every move is legal
  1  a move is illegal; the last line says which and why
  2  FILE can't be read as a recorded game (a sentence on standard error says why, and nothing
     else is printed); this includes a move that is not written as any move is, like "foo bar\""""


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.epilog = EXIT_CODES
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.add_argument(
        "--json", action="store_true", help="a JSON line for the start and after each move"
    )
    parser.add_argument("file", metavar="FILE", help="a recorded game; - is standard input")


def run(arguments: Namespace) -> int:
    recording = _read(arguments.file)
    show = _as_json if arguments.json else _in_words
    code = 0
    for played in _play(recording):
        print(show(played))
        code = 1 if played.illegal else 0
    return code


class Played(NamedTuple):
    """A line of output: the start (n = 0), the result of the n-th move, or why it is illegal."""

    n: int
    move: str
    position: Position
    illegal: str = ""


def _play(recording: Recording) -> Iterator[Played]:
    """The start and every move, up to the first illegal one."""
    position = recording.start
    yield Played(0, "", position)
    for n, text in enumerate(recording.moves, 1):
        try:
            move = position.parse(text)
            logged = position.format(move)
            position, _ = position.apply(move)
        except IllegalMove as error:
            yield Played(n, text, position, error.reason)
            return
        yield Played(n, logged, position)


def _as_json(played: Played) -> str:
    if played.illegal:
        shown: dict[str, Any] = {"n": played.n, "error": "illegal", "text": played.illegal}
    else:
        shown = {"n": played.n, **_position(played.position)}
    return json.dumps(shown, separators=(",", ":"))


def _position(position: Position) -> dict[str, Any]:
    piles = position.piles()
    return {
        "position": position.text(),
        "foundations": {name[1:]: cards.up for name, cards in piles.items() if name[0] == "f"},
        "fans": {name: cards.up for name, cards in piles.items() if name.isdigit()},
        "waste": piles[WASTE].up,
        "stock": piles[STOCK].down,
        "legal": [position.format(move) for move in position.legal_moves()],
        "won": position.won,
        "blocked": position.blocked,
        "home": position.progress,
    }


def _in_words(played: Played) -> str:
    position = played.position
    said = f"{position.progress} home, {position.piles()[STOCK].down} in the stock"
    if played.illegal:
        said = f"illegal: {played.illegal}"
    elif position.won:
        said += ", won"
    elif position.blocked:
        said += ", blocked"
    return f"{played.n:>4}  {played.move or 'start':<8}{said}"


def _read(name: str) -> Recording:
    """The recorded game in that file. Raises Complaint."""
    try:
        if name != "-":
            with Path(name).open("rb") as file:
                return _read_from(file)
        if sys.stdin is None:
            raise Complaint("standard input is closed")
        return _read_from(sys.stdin.buffer)
    except OSError as error:
        raise Complaint(f"can't read {name}: {error.strerror}") from None
    except ValueError as error:
        shown = "standard input" if name == "-" else name
        raise Complaint(f"{shown} is not a recorded game: {error}") from None


def _read_from(file: BinaryIO) -> Recording:
    # Read just enough to see that it is too large.
    return read(file.read(LARGEST + 1))

"""`bigben replay`: replays a recorded game offline and prints every position."""

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from bigben_rules import IllegalMove, Position, game_named
from bigben_rules.position import STOCK, WASTE, shows
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import Hint, hint
from bigben_terminal.reasons import in_english
from bigben_terminal.receipts.recording import Recording, read_file

DESCRIPTION: Final = """\
Play a recorded game again and say what is legal after each move.

FILE is JSON; - reads standard input:

  {"game": "bigben", "rules": "standard", "seed": "<64 hex digits>", "moves": ["3 fdn", "turn"]}

"game" may be any game, and is Big Ben if it is left out. "order", the list of the shuffled cards
with the first dealt first, may stand for "seed". "rules" may be left out, or be an object like
{"turn": "always"}."""

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
    parser.add_argument(
        "--hints",
        action="store_true",
        help="also the best move of each position, judged by the cards that its player saw",
    )
    parser.add_argument("file", metavar="FILE", help="a recorded game; - is standard input")


def run(arguments: Namespace) -> int:
    recording = read_file(arguments.file)
    show = _as_json if arguments.json else _in_words
    hints = arguments.hints
    code = 0
    for played in _play(recording):
        print(show(played, _hint(played) if hints and not played.illegal else None), flush=True)
        code = 1 if played.illegal else 0
    return code


class Played(NamedTuple):
    """A line of output: the start (n = 0), the result of the n-th move, or why it is illegal."""

    n: int
    move: str
    position: Position
    illegal: str = ""
    dealt: Position | None = None
    """The position in which the last new card was shown."""


def _play(recording: Recording) -> Iterator[Played]:
    """The start and every move, up to the first illegal one."""
    position = dealt = recording.start
    yield Played(0, "", position, dealt=dealt)
    for n, text in enumerate(recording.moves, 1):
        try:
            move = position.parse(text)
            logged = position.format(move)
            position, steps = position.apply(move)
        except IllegalMove as error:
            yield Played(n, text, position, in_english(error.said))
            return
        dealt = position if shows(steps) else dealt
        yield Played(n, logged, position, dealt=dealt)


def _hint(played: Played) -> Hint:
    """What was best for a player who did not know the cards to come."""
    game, rules, *_ = played.position.text().split()
    return hint(Asked.of(game_named(game), rules, played.position, dealt=played.dealt))


def _as_json(played: Played, best: Hint | None) -> str:
    if played.illegal:
        shown: dict[str, Any] = {"n": played.n, "error": "illegal", "text": played.illegal}
    else:
        shown = {"n": played.n, **_position(played.position)}
        if best:
            shown["hint"] = {"move": best.move, "why": in_english(*best.why)}
    return json.dumps(shown, separators=(",", ":"))


def _position(position: Position) -> dict[str, Any]:
    text = position.text()
    return {
        "position": text,
        **(_of_big_ben(position) if text.startswith("bigben ") else {}),
        "legal": [position.format(move) for move in position.legal_moves()],
        "won": position.won,
        "blocked": position.blocked,
        "home": position.progress,
        "piles": {  # the cards that the player sees, from the bottom, and the number of others
            name: {"down": down} if name == STOCK else {"up": up, "down": down}
            for name, (up, down) in position.piles().items()
        },
    }


def _of_big_ben(position: Position) -> dict[str, Any]:
    """The piles of Big Ben as the first version wrote them."""
    piles = position.piles()
    return {
        "foundations": {name[1:]: cards.up for name, cards in piles.items() if name[0] == "f"},
        "fans": {name: cards.up for name, cards in piles.items() if name.isdigit()},
        "waste": piles[WASTE].up,
        "stock": piles[STOCK].down,
    }


def _in_words(played: Played, best: Hint | None) -> str:
    position = played.position
    said = f"{position.progress} home{_face_down(position)}"
    if played.illegal:
        said = f"illegal: {played.illegal}"
    elif position.won:
        said += ", won"
    elif position.blocked:
        said += ", blocked"
    line = f"{played.n:>4}  {played.move or 'start':<8}{said}"
    if not best:
        return line
    return f"{line}\n{'':14}{f'Best: {best.move}. ' if best.move else ''}{in_english(*best.why)}"


def _face_down(position: Position) -> str:
    """How many cards the player does not see, and where; empty in a game without such cards."""
    piles = position.piles()
    if STOCK in piles:
        return f", {piles[STOCK].down} in the stock"
    down = sum(cards.down for cards in piles.values())
    return f", {down} face down" if down else ""

"""Reads a recorded game from JSON: its first position and its moves.

    {"game": "bigben", "rules": "standard", "seed": "<64 hex digits>", "moves": ["3 fdn", "turn"]}

``rules`` may also be an object of fields, like {"turn": "always"}; ``game`` and ``rules`` may be
left out. Instead of ``seed`` there may be ``order``, the shuffled cards, first dealt first.
"""

import json
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, NoReturn

from bigben_rules import (
    Card,
    Game,
    IllegalMove,
    NotationError,
    Position,
    game_named,
    seed_from_hex,
    shuffle,
)
from bigben_terminal.complaint import Complaint
from bigben_terminal.reasons import in_english

LARGEST: Final = 4 * 2**20
"""The largest file in bytes; a game of 400,000 moves is smaller."""

KEYS: Final = ("game", "rules", "order", "seed", "moves")


class Recording(NamedTuple):
    """The first position, and the moves as they were typed; they may be illegal."""

    start: Position
    moves: list[str]


def read_file(name: str) -> Recording:
    """The recorded game in that file; ``-`` is standard input. Raises Complaint."""
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


def read(data: bytes) -> Recording:
    """The game in these bytes. Raises ValueError with a sentence that says what is wrong."""
    found = _json(data)
    if not isinstance(found, dict):
        raise ValueError("a recorded game is a JSON object")
    unknown = [key for key in found if key not in KEYS]
    if unknown:
        raise ValueError(f"there is no key {unknown[0][:40]!r}; there are {', '.join(KEYS)}")
    start = _start(found)
    moves = _strings(found, "moves")
    for n, text in enumerate(moves, 1):
        try:
            start.parse(text)
        except IllegalMove:
            pass  # Check only that it can be read; the replay checks the moves.
        except NotationError as error:
            raise ValueError(f"move {n}: {in_english(error.said)}") from None
    return Recording(start, moves)


def _start(found: dict[str, Any]) -> Position:
    game = game_named(_string(found, "game", "bigben"))
    return game.deal(_order(found, game), game.rules(_rules(found)))


def _order(found: dict[str, Any], game: Game) -> tuple[Card, ...]:
    if ("order" in found) == ("seed" in found):
        raise ValueError("exactly one of order and seed must be there")
    if "seed" in found:
        return shuffle(game.pack, seed_from_hex(_string(found, "seed")))
    return tuple(Card(name) for name in _strings(found, "order"))


def _rules(found: dict[str, Any]) -> str | dict[str, str]:
    rules = found.get("rules", "standard")
    if isinstance(rules, str):
        return rules
    if isinstance(rules, dict) and all(isinstance(value, str) for value in rules.values()):
        return rules
    raise ValueError('rules is a name or an object of names, like {"turn": "always"}')


def _string(found: dict[str, Any], key: str, default: str | None = None) -> str:
    value = found.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key} is a string")
    return value


def _strings(found: dict[str, Any], key: str) -> list[str]:
    value = found.get(key)
    if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        raise ValueError(f"{key} is a list of strings")
    return value


def _json(data: bytes) -> Any:
    """Any: the JSON in the file."""
    if len(data) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST // 2**20} MiB, and no recorded game is")
    try:
        # No field is a number; unlike int, float accepts any number of digits.
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_int=float,
        )
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"it is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:40]!r} is there twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"it is not JSON: {name} is no JSON value")

"""The moves of a seat that counted: without those that were taken back, and up to the end."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bigben_rules import Position
from bigben_rules.position import shows

_ENDS: Final = ("resign", "timeout")


class Played(NamedTuple):
    """A move of the line."""

    n: int
    """Its number in the log."""
    text: str
    before: Position
    after: Position
    shows: bool
    """Whether it showed the player a card: then luck decides what comes after it."""


def line_of(start: Position, moves: Sequence[str]) -> list[Played]:
    """The line of these moves, as they are in the log, from ``start``.

    Raises ValueError if they cannot have been played, with a sentence.
    """
    line: list[Played] = []
    position = start
    for n, text in enumerate(moves, 1):
        if text in _ENDS:
            break
        if text == "undo":
            if not line or line[-1].shows:
                raise ValueError(f"move {n} takes back a move, and there is none")
            position = line.pop().before
            continue
        try:
            after, steps = position.apply(position.parse(text))
        except ValueError:
            raise ValueError(f"move {n}, {text[:32]!r}, can't be played") from None
        line.append(Played(n, text, position, after, shows(steps)))
        position = after
    return line


def is_hidden(position: Position) -> bool:
    """Whether the player does not know all cards."""
    return any(cards.down for cards in position.piles().values())

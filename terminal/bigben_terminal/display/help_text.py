"""The help: what can be typed during a race, for any width of the terminal."""

from textwrap import wrap
from typing import Final

_WIDEST: Final = 80
_COLUMN: Final = 15
"""The column in which the explanations begin."""
_TOPICS: Final = (
    (
        "Moves",
        (
            ("3 fdn", "the top of fan 3 to its foundation (3 f9: to the one at nine)"),
            ("3 5", "the top of fan 3 on fan 5, which holds three cards or more"),
            ("w fdn, w 5", "the same from the waste"),
            (
                "deal",
                "refill if a fan is short, else turn a card (or type refill, turn)",
            ),
            ("undo", "take a move back, where the race allows it"),
            ("resign", "give up; must be typed in full"),
        ),
    ),
    (
        "The race",
        (
            ("ready", "live: ready for the start; daily: show the cards, start my clock"),
            ("unready", "no longer be ready"),
            ("start", "for the host: start with the players who are ready"),
            ("rematch", "the same players again"),
            ("standings", "how far everybody is"),
            ("leaderboard", "today's"),
            ("fairness", "the commitment to this deal, and whether it was kept"),
        ),
    ),
    (
        "The view",
        (
            ("board", "draw it again"),
            ("words", "the position in words"),
            ("moves", "the legal moves"),
            ("help, quit", "this list; leave and keep the seat"),
        ),
    ),
)
_LAST: Final = (
    "Any unambiguous beginning of a word works: l for leaderboard, q for quit. A move needs no "
    "spaces if only one move can be meant: 3fdn, 35."
)


def help_lines(width: int) -> list[str]:
    """The whole help; no line is longer than ``width``."""
    width = min(width, _WIDEST)
    lines = []
    for heading, entries in _TOPICS:
        lines.append(heading)
        for typed, meaning in entries:
            first = f"  {typed:<{_COLUMN - 2}}"
            lines += wrap(meaning, width, initial_indent=first, subsequent_indent=" " * _COLUMN)
    return lines + wrap(_LAST, width)

"""Readable names of races and boards."""

from collections.abc import Mapping
from datetime import date
from typing import Final

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_GAMES: Final[Mapping[str, str]] = {"bigben": "Big Ben"}
_RULES: Final[Mapping[str, str]] = {"book": "rules of the book"}


def of_board(board: str, dot: str = "·") -> str:
    """A heading for the board of this name; the name itself if it has another form.

    >>> of_board("daily.2026-11-21.bigben.standard")
    'Daily race of 21 November 2026 · Big Ben, standard rules'
    >>> of_board("weekly.2026-W47.bigben.book.points@the-aces")
    'Week 47 of 2026 · Big Ben, rules of the book · by points · group the-aces'
    >>> of_board("all-time.bigben.open.rating@bots")
    'All time · Big Ben, open rules · by rating · bots'
    """
    name, _, scope = board.partition("@")
    try:
        match name.split("."):
            case ["daily", day, game, rules]:
                parts = [f"Daily race of {of_day(day)}", _rules(game, rules)]
            case [period, span, game, rules, order]:
                parts = [_span(period, span), _rules(game, rules), f"by {order}"]
            case ["all-time", game, rules, order]:
                parts = ["All time", _rules(game, rules), f"by {order}"]
            case _:
                return board
    except ValueError:
        return board
    if scope:
        parts.append(scope if scope == "bots" else f"group {scope}")
    return f" {dot} ".join(parts)


def _span(period: str, span: str) -> str:
    """``Week 47 of 2026``, ``November 2026``; other periods unchanged. Raises ValueError."""
    match period:
        case "weekly":
            year, number = span.split("-W")
            return f"Week {int(number)} of {int(year)}"
        case "monthly":
            first = date.fromisoformat(f"{span}-01")
            return f"{_month(first)} {first.year}"
        case _:
            return f"{period.capitalize()} {span}"


def of_day(day: str) -> str:
    """The day as people write it. Raises ValueError.

    >>> of_day("2026-11-05")
    '5 November 2026'
    """
    when = date.fromisoformat(day)
    return f"{when.day} {_month(when)} {when.year}"


def _month(when: date) -> str:
    return _MONTHS[when.month - 1]


def _rules(game: str, rules: str) -> str:
    """``Big Ben, standard rules``."""
    return f"{_GAMES.get(game, game)}, {_RULES.get(rules, f'{rules} rules')}"

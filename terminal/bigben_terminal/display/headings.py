"""Readable names of races and boards."""

from bigben_protocol import period_name, span_name
from bigben_terminal.language import game_text, inside, language, say


def of_board(board: str, dot: str = "·") -> str:
    """A heading for the board of this name; the name itself if it has another form.

    >>> of_board("daily.2026-11-21.bigben.standard")
    'Daily race of 21 November 2026 · Big Ben, standard rules'
    >>> of_board("weekly.2026-W47.bigben.book.points@the-aces")
    'Week 47 of 2026 · Big Ben, rules of the book · by points · group the-aces'
    >>> of_board("all-time.bigben.open.rating@bots")
    'All time · Big Ben, open rules: turn at any time · by rating · bots'
    """
    name, _, scope = board.partition("@")
    try:
        match name.split("."):
            case ["daily", day, game, rules]:
                parts = [say("board.daily", day=of_day(day)), of_rules(game, rules)]
            case [period, span, game, rules, order]:
                when = span_name(period, span, language())
                parts = [when, of_rules(game, rules), say(f"board.by_{order}")]
            case ["all-time", game, rules, order]:
                when = period_name("all-time", language())
                parts = [when, of_rules(game, rules), say(f"board.by_{order}")]
            case _:
                return board
    except (ValueError, KeyError):  # from a newer server
        return board
    if scope:
        parts.append(scope if scope == "bots" else say("group", name=scope))
    return f" {dot} ".join(parts)


def of_day(day: str) -> str:
    """The day as people write it. Raises ValueError.

    >>> of_day("2026-11-05")
    '5 November 2026'
    """
    return span_name("daily", day, language())


def of_rules(game: str, rules: str) -> str:
    """The game and its rules.

    >>> of_rules("bigben", "book"), of_rules("bigben", "fans-always-playable")
    ('Big Ben, rules of the book', 'Big Ben, fans-always-playable rules')
    """
    named = game_text(f"rules.{game}.{rules}")
    named = say("rules.named", rules=rules) if named == rules else named
    return say("rules.of", game=game_text(f"game.{game}"), rules=inside(named))

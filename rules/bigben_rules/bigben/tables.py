"""Lookup tables that make the rules fast, computed once from the layout and the moves."""

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from bigben_rules.bigben.layout import FOUNDATION, HOURS, PLACES, Hour
from bigben_rules.bigben.moves import (
    BUILD,
    FAN,
    HOME,
    PLAY,
    SOURCES,
    TURN,
    format_move,
    stock_moves,
)
from bigben_rules.bigben.variants import Turn
from bigben_rules.cards import PACK, Card
from bigben_rules.position import STOCK, WASTE, Move, Pile, Step

HOUR_OF_FAN: Final[Mapping[Pile, Hour]] = {pile: hour for hour, pile in FAN.items()}
HOUR_OF_HOME: Final[Mapping[Pile, Hour]] = {pile: hour for hour, pile in HOME.items()}

Steps = Mapping[Card, tuple[Step]]
"""What a move does with each card. To look it up makes nothing anew."""


def _steps(source: Pile, target: Pile) -> Steps:
    return {card: (Step(source, target, card),) for card in PACK}


WAYS: Final[Mapping[Move, tuple[int, int, Steps]]] = {
    Move(source, target): (s, t, _steps(source, target))
    for s, source in enumerate(SOURCES)
    for t, target in enumerate((*HOME.values(), *FAN.values()))
}
"""By play or build: the index of its source, the waste being the last; the index of its target, a
foundation or, after the foundations, a fan; and its steps."""

DEALT: Final[Mapping[Hour, Steps]] = {hour: _steps(STOCK, FAN[hour]) for hour in HOURS}
"""By fan: what a refill does for one gap."""

TURNED: Final = _steps(STOCK, WASTE)

WANTED: Final[Sequence[Sequence[Card]]] = [(*cards, Card("")) for cards in FOUNDATION.values()]
"""By the index of a foundation and its number of cards: the card that it wants, or nothing."""

COMPLETE: Final = tuple(map(len, FOUNDATION.values()))
"""The number of cards on each foundation when the game is won."""

PLAYS: Final[Sequence[Mapping[Card, Sequence[tuple[Move, int, int]]]]] = [
    {
        card: tuple((PLAY[pile][hour], hour - 1, before) for hour, before in places)
        for card, places in PLACES.items()
    }
    for pile in SOURCES
]
"""By source and by its top card: each play, the index of its foundation, and how many cards that
foundation must have."""

# No fan wants its own top, so the placeholder for a build on itself is never used.
_BUILDS: Final = [tuple(BUILD[pile].get(hour, TURN) for hour in HOURS) for pile in SOURCES]

BUILDS: Final[Mapping[str, Sequence[Sequence[Move]]]] = {
    "playable": _BUILDS,
    "foundations": [*_BUILDS[:-1], ()],
}
"""Builds by the rules' ``waste``, by source, and by the index of the target fan. The waste is the
last source; it has no builds if its cards go to foundations only."""

_TEXTS: Final = [
    tuple(
        format_move(moves[pile][hour]) if hour in moves[pile] else ""
        for moves in (PLAY, BUILD)
        for hour in HOURS
    )
    for pile in SOURCES
]

TEXTS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "playable": _TEXTS,
    "foundations": [*_TEXTS[:-1], _TEXTS[-1][: len(HOURS)]],
}
"""Plays and builds in the notation by the rules' ``waste``, by source, and by target: the
foundations by hour, then the fans by hour. Empty for a fan on itself."""

STOCK_TEXTS: Final[Mapping[Turn, Sequence[Sequence[tuple[str, ...]]]]] = {
    turn: [
        [
            tuple(map(format_move, stock_moves(turn, short=short, stuck=stuck)))
            for stuck in (False, True)
        ]
        for short in (False, True)
    ]
    for turn in get_args(Turn)
}
"""The moves from a stock that has cards in the notation, by the rules' ``turn``, by whether some
fan is short, and by whether the player is stuck."""

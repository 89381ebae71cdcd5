"""The moves of Big Ben and their notation; ``position.py`` says which are legal."""

from collections.abc import Mapping
from typing import Final

from bigben_rules.bigben.layout import HOURS, Hour
from bigben_rules.bigben.variants import Turn
from bigben_rules.notation import TO_ANY_HOME, Notation
from bigben_rules.position import STOCK, WASTE, Move, Pile
from bigben_rules.sentence import sentence

FANS: Final = Pile("fans")
"""The target of a refill: every fan that is short."""

REFILL: Final = Move(STOCK, FANS)
TURN: Final = Move(STOCK, WASTE)

FAN: Final[Mapping[Hour, Pile]] = {hour: Pile(str(hour)) for hour in HOURS}
HOME: Final[Mapping[Hour, Pile]] = {hour: Pile(f"f{hour}") for hour in HOURS}
SOURCES: Final[tuple[Pile, ...]] = (*FAN.values(), WASTE)
PILES: Final[tuple[Pile, ...]] = (*HOME.values(), *FAN.values(), WASTE, STOCK)
"""All piles, in the order in which a Snapshot has them."""

PLAY: Final[Mapping[Pile, Mapping[Hour, Move]]] = {
    source: {hour: Move(source, HOME[hour]) for hour in HOURS} for source in SOURCES
}
"""The moves from a fan or the waste to the foundation of an hour."""

BUILD: Final[Mapping[Pile, Mapping[Hour, Move]]] = {
    source: {hour: Move(source, FAN[hour]) for hour in HOURS if FAN[hour] != source}
    for source in SOURCES
}
"""The moves from a fan or the waste to another fan."""

DEAL: Final = Move(STOCK, Pile("deal"))
"""What players type for a refill if a fan is short, and for a turn otherwise."""

_NOTATION: Final = Notation(
    commands={"refill": REFILL, "turn": TURN, "deal": DEAL},
    sources={**{pile: pile for pile in SOURCES}, "waste": WASTE},
    targets={**{pile: pile for pile in (*FAN.values(), *HOME.values())}, **TO_ANY_HOME},
    unfinished={
        **{fan: sentence("unclear.fan", fan=fan) for fan in FAN.values()},
        **dict.fromkeys((WASTE, "waste"), sentence("unclear.waste_or_fan")),
    },
    itself="build.fan_itself",
    help="unclear.bigben",
)


def parse_move(text: str) -> Move:
    """The move as typed, which may be ``ANY_HOME`` or ``DEAL``. Raises NotationError.

    Case and extra spaces do not matter. Spaces may be missing if only one move can be meant.

    >>> format_move(parse_move("  W  Foundation ")), format_move(parse_move("35"))
    ('w fdn', '3 5')
    """
    return _NOTATION.parse(text)


def stock_moves(turn: Turn, *, short: bool, stuck: bool) -> tuple[Move, ...]:
    """The legal moves from a stock that has cards.

    ``turn`` is the rule, ``short`` whether some fan has a gap, and ``stuck`` whether no card can be
    played or built.
    """
    turns = turn == "always" or (not short and (stuck or turn == "no_gaps"))
    return (REFILL,) * short + (TURN,) * turns


def format_move(move: Move) -> str:
    """The move in the notation of the log."""
    if move == REFILL:
        return "refill"
    return "turn" if move == TURN else f"{move.source} {move.target}"


MOVES: Final[Mapping[str, Move]] = {
    format_move(move): move
    for move in (
        REFILL,
        TURN,
        *(move for plays in PLAY.values() for move in plays.values()),
        *(move for builds in BUILD.values() for move in builds.values()),
    )
}
"""Every move by its text in the log."""

"""The moves of Big Ben and their notation. Knows no position: what is legal is elsewhere."""

from collections.abc import Mapping
from typing import Final

from bigben_rules.bigben.layout import HOURS, Hour
from bigben_rules.game import STOCK, WASTE, Move, NotationError, Pile

FANS: Final = Pile("fans")
"""Every fan that is short, the target of a refill."""

REFILL: Final = Move(STOCK, FANS)
TURN: Final = Move(STOCK, WASTE)

FAN: Final[Mapping[Hour, Pile]] = {hour: Pile(str(hour)) for hour in HOURS}
HOME: Final[Mapping[Hour, Pile]] = {hour: Pile(f"f{hour}") for hour in HOURS}
SOURCES: Final[tuple[Pile, ...]] = (*FAN.values(), WASTE)
PILES: Final[tuple[Pile, ...]] = (*HOME.values(), *FAN.values(), WASTE, STOCK)
"""All of them, in the order in which they are shown."""

PLAY: Final[Mapping[Pile, Mapping[Hour, Move]]] = {
    source: {hour: Move(source, HOME[hour]) for hour in HOURS} for source in SOURCES
}
"""From a fan or the waste to the foundation of an hour."""

BUILD: Final[Mapping[Pile, Mapping[Hour, Move]]] = {
    source: {hour: Move(source, FAN[hour]) for hour in HOURS if FAN[hour] != source}
    for source in SOURCES
}
"""From a fan or the waste on another fan."""

ANY_HOME: Final = Pile("fdn")
"""Typed by players for whichever foundation takes the card."""

DEAL: Final = Move(STOCK, Pile("deal"))
"""Typed by players for a refill if a fan is short, else a turn."""

_STOCK_MOVES: Final = {"refill": REFILL, "turn": TURN, "deal": DEAL}
_SOURCES: Final[Mapping[str, Pile]] = {**{pile: pile for pile in SOURCES}, "waste": WASTE}
_TARGETS: Final[Mapping[str, Pile]] = {
    **{pile: pile for pile in (*FAN.values(), *HOME.values(), ANY_HOME)},
    "f": ANY_HOME,
    "foundation": ANY_HOME,
}

HELP: Final = (
    "write 3 fdn, 3 f9, 3 5 (fan 3 to its foundation, to the one at nine, on fan 5), "
    "w fdn, w f9, w 5 (from the waste), refill, turn or deal"
)


def parse_move(text: str) -> Move:
    """The move as typed, where ``ANY_HOME`` and ``DEAL`` stay open. Raises NotationError.

    Case and extra spaces do not matter.

    >>> parse_move("  W  Foundation ")
    Move(source='w', target='fdn')
    """
    match text.lower().split():
        case [word] if word in _STOCK_MOVES:
            return _STOCK_MOVES[word]
        case [source, target] if source in _SOURCES and target in _TARGETS:
            if source == target:
                raise NotationError(f"Fan {source} can't be built on itself.")
            return Move(_SOURCES[source], _TARGETS[target])
        case words:
            shown = " ".join(words)[:40]
            raise NotationError(f"{shown!r} is not a move: {HELP}.")


def format_move(move: Move) -> str:
    """The move as logs hold it."""
    if move == REFILL:
        return "refill"
    if move == TURN:
        return "turn"
    return f"{move.source} {move.target}"

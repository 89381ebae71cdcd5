"""The moves of Big Ben and their notation; ``position.py`` says which are legal."""

from collections.abc import Mapping
from typing import Final

from bigben_rules.bigben.layout import HOURS, Hour
from bigben_rules.bigben.variants import Turn
from bigben_rules.game import STOCK, WASTE, Move, NotationError, Pile

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

ANY_HOME: Final = Pile("fdn")
"""What players type for any foundation that takes the card."""

DEAL: Final = Move(STOCK, Pile("deal"))
"""What players type for a refill if a fan is short, and for a turn otherwise."""

_STOCK_MOVES: Final = {"refill": REFILL, "turn": TURN, "deal": DEAL}
_SOURCES: Final[Mapping[str, Pile]] = {**{pile: pile for pile in SOURCES}, "waste": WASTE}
_TARGETS: Final[Mapping[str, Pile]] = {
    **{pile: pile for pile in (*FAN.values(), *HOME.values(), ANY_HOME)},
    "f": ANY_HOME,
    "foundation": ANY_HOME,
}

_LONGEST: Final = max(map(len, _SOURCES)) + max(map(len, _TARGETS))

HELP: Final = (
    "write 3 fdn, 3 f9, 3 5 (fan 3 to its foundation, to the one at nine, on fan 5), "
    "w fdn, w f9, w 5 (from the waste), refill, turn or deal"
)


def parse_move(text: str) -> Move:
    """The move as typed, which may be ``ANY_HOME`` or ``DEAL``. Raises NotationError.

    Case and extra spaces do not matter. Spaces may be missing if only one move can be meant.

    >>> parse_move("  W  Foundation "), parse_move("35")
    (Move(source='w', target='fdn'), Move(source='3', target='5'))
    """
    if text in MOVES:  # as clients write it
        return MOVES[text]
    words = text.lower().split()
    match words:
        case [word] if word in _STOCK_MOVES:
            return _STOCK_MOVES[word]
        case ["w" | "waste"]:
            raise NotationError("Where does the waste's top go? Write w fdn, or w 5.")
        case [word] if word in _SOURCES:
            # 12 means fan 12, although 1 2 would be possible too.
            raise NotationError(f"Where does the top of fan {word} go? Write {word} fdn.")
        case [word]:
            readings = _readings(word)
        case _:
            readings = [(words[0], words[1])] if len(words) == 2 else []
    match [pair for pair in readings if pair[0] in _SOURCES and pair[1] in _TARGETS]:
        case [(source, target)]:
            if source == target:
                raise NotationError(f"Fan {source} can't be built on itself.")
            return Move(_SOURCES[source], _TARGETS[target])
        case [one, other]:
            both = " ".join(one), " ".join(other)
            raise NotationError(f"{words[0]} could be {both[0]} or {both[1]}; write the space.")
        case _:
            shown = " ".join(words)[:40]
            raise NotationError(f"{shown!r} is not a move: {HELP}.")


def _readings(word: str) -> list[tuple[str, str]]:
    """Every way to cut a word in two."""
    if len(word) > _LONGEST:
        return []
    return [(word[:cut], word[cut:]) for cut in range(1, len(word))]


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
    if move == TURN:
        return "turn"
    return f"{move.source} {move.target}"


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

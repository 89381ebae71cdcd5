"""The moves of the Clock kind and their notation; ``position.py`` says which are legal."""

from collections.abc import Mapping
from typing import Final

from bigben_rules.cards import RANKS, SUITS
from bigben_rules.position import HAND, Move, NotationError, Pile
from bigben_rules.sentence import sentence

PILES: Final = tuple(Pile(str(number)) for number in range(1, len(RANKS) + 1))
"""The pile of each rank, aces first; 13 is the kings'."""

SIZE: Final = len(SUITS)
"""How many cards are dealt to each pile."""

TURN: Final = Move(HAND, HAND)
"""Tuck the exposed card under the pile of its rank and expose the next; at first only expose."""

SWAPS: Final[Mapping[Pile, tuple[Move, ...]]] = {
    pile: tuple(Move(HAND, pile, depth) for depth in range(1, SIZE + 1)) for pile in PILES
}
"""The exchanges of the exposed card with a face-down card of each pile, its top first."""

_PILES: Final[Mapping[str, Pile]] = {**{pile: pile for pile in PILES}, "c": PILES[-1]}
_DEPTHS: Final[Mapping[str, int]] = {str(depth): depth for depth in range(1, SIZE + 1)}


def parse_move(text: str, *, swaps: bool) -> Move:
    """The move as typed, in a game with exchanges or without. Raises NotationError.

    Case and extra spaces do not matter, and ``c`` is the centre, pile 13.

    >>> format_move(parse_move(" SWAP  c 2", swaps=True))
    'swap 13 2'
    """
    words = text.lower().split()
    match words:
        case ["turn"]:
            return TURN
        case ["swap"] if swaps:
            raise NotationError(sentence("unclear.swap"))
        case ["swap", pile] if swaps and pile in _PILES:
            return SWAPS[_PILES[pile]][0]
        case ["swap", pile, depth] if swaps and pile in _PILES and depth in _DEPTHS:
            return SWAPS[_PILES[pile]][_DEPTHS[depth] - 1]
        case _:
            shown = ascii(" ".join(words)[:40])
            raise NotationError(sentence(f"unclear.turn{'_or_swap' * swaps}", text=shown))


def format_move(move: Move) -> str:
    """The move in the notation of the log."""
    if move == TURN:
        return "turn"
    return f"swap {move.target}" + (f" {move.depth}" if move.depth > 1 else "")

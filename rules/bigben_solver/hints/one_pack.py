"""The best moves of the games with one pack and hidden cards, which need no trials."""

from bigben_rules import Move, clock_kind
from bigben_rules.cards import SUITS
from bigben_rules.germanclock import Position, follows
from bigben_rules.position import HAND


def exchanged(position: clock_kind.Position) -> Move:
    """In Watch: the king goes under as many cards as it can."""
    return max(position.legal_moves(), key=lambda move: (move.target != HAND, move.depth))


def in_known_order(position: Position) -> tuple[Move, int]:
    """In German Clock when the order of the stock is known: the best move, and the cards home then.

    To play at once what fits brings no fewer cards home, in the same order of suits. So only the
    order of the suits is to be chosen, and there are at most eight.
    """
    played = (_at_once(position, suits) for suits in _orders(position.suits))
    home, first = max((one for one in played if one), key=lambda one: one[0])
    return first, home


def _orders(suits: str) -> list[str]:
    """The orders of all four suits that begin so."""
    following = [suit for suit in SUITS if follows(suits, suit)]
    return [whole for suit in following for whole in _orders(suits + suit)] or [suits]


def _at_once(position: Position, suits: str) -> tuple[int, Move] | None:
    """The cards home, and the first move, if all that fits this order of suits is played.

    None if it allows no move at all.
    """
    first: Move | None = None
    while (found := _fitting(position, suits)) is not None:
        move, position = found
        first = first or move
    return (position.progress, first) if first else None


def _fitting(position: Position, suits: str) -> tuple[Move, Position] | None:
    """The first legal move that keeps to this order of suits, and the position after it."""
    for move in position.legal_moves():
        after, _ = position.apply(move)
        if suits.startswith(after.suits):
            return move, after
    return None

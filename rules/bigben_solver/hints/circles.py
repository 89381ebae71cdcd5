"""A way out of the positions that lead back to each other, the same from each of them.

A hint is found anew after every move and remembers nothing. If the moves between two positions can
be taken back, one hint could answer the other for ever. So the positions that such moves connect,
a *circle*, are looked at as one: a plan is made once for all of them, and a hint goes the shortest
way to the first of its moves that can't be taken back. Every hint that is followed comes nearer to
it, and then the circle is left for good.

In Big Ben and Grandfather's Clock no other moves lead back. A card never leaves a foundation, the
waste or the stock for its old place. A card that leaves one on which it could not be built never
lies on such a card again, and a fan that has a gap gets no card before a refill.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from bigben_rules import Move, Position
from bigben_rules.position import STOCK

P = TypeVar("P", bound=Position)

MOST: Final = 300
"""The positions of a circle for which a plan is made. A larger one is left by the shortest way."""
FARTHEST: Final = 2_000
TRIED: Final = 100
"""The positions of a larger circle, and the moves out of it, after which no more are looked at."""
NOWHERE: Final = Move(STOCK, STOCK)
"""The first move of the way to where one is."""


class Way(NamedTuple):
    """The next move of a plan."""

    move: Move
    left: int = 0
    """The moves of the whole plan from here, this one too; 0 if no plan was made."""


def goes_back(position: P, move: Move, after: P) -> bool:
    """Whether a legal move, which led to ``after``, can be taken straight back by another move."""
    try:
        return after.apply(Move(move.target, move.source))[0] == position
    except ValueError:  # it is no move at all, or not a legal one
        return False


def way_out(
    position: P, plan: Callable[[P], Sequence[Move]], good: Callable[[P], bool] | None = None
) -> Way | None:
    """The next move towards what is planned for the circle of a position; None if nothing is.

    The plan may begin with moves that can be taken back, and end anywhere. A circle that is too
    large for a plan is left by the shortest way to a position that is ``good``, or to any if none
    is found.
    """
    circle = circle_of(position)
    if len(circle) > MOST:
        return _nearest(position, good) or (_nearest(position, None) if good else None)
    here = min(circle, key=lambda one: one.text())
    planned = plan(here)
    for done, move in enumerate(planned):
        after = None if STOCK in move[:2] else here.apply(move)[0]
        if after is None or not goes_back(here, move, after):
            first, steps = circle[here]
            if not steps or (after is not None and _can_wait(position, move, after)):
                return Way(move, len(planned) - done)
            return Way(first, steps + len(planned) - done)
        here = after
    return None


def _can_wait(position: P, move: Move, after: P) -> bool:
    """Whether the move can be made at once: what would come before it is possible after it."""
    return move in position.legal_moves() and after in circle_of(position.apply(move)[0])


def _back_and_forth(position: P) -> Iterator[tuple[Move, P]]:
    """The moves that can be taken straight back, and the positions after them."""
    for move in position.legal_moves():
        if STOCK not in move[:2]:
            after, _ = position.apply(move)
            if goes_back(position, move, after):
                yield move, after


def circle_of(position: P) -> dict[P, tuple[Move, int]]:
    """The positions that lead back to this one, with the first move to each and its distance.

    Stops when there are more than ``MOST``, which is so from each of them or from none.
    """
    circle = {position: (NOWHERE, 0)}
    waiting = [position]
    for here in waiting:  # it grows on the way
        if len(circle) > MOST:
            break
        first, steps = circle[here]
        for move, after in _back_and_forth(here):
            if after not in circle:
                circle[after] = (first if steps else move, steps + 1)
                waiting.append(after)
    return circle


def _nearest(position: P, good: Callable[[P], bool] | None) -> Way | None:
    """The shortest way to a move that can't be taken back: a card home if one is as near.

    Levels are looked at whole, so the next position finds the same way or one that is as short.
    """
    seen, level, tried = {position}, [(position, NOWHERE)], 0
    while level and len(seen) < FARTHEST and tried < TRIED:
        following: list[tuple[P, Move]] = []
        found: list[tuple[bool, bool, Move]] = []
        for here, first in level:
            back = dict(_back_and_forth(here))
            for move in here.legal_moves():
                begun = move if here == position else first
                after = back.get(move)
                if after is None:
                    deals = STOCK in move[:2]
                    tried += 1
                    end = here if deals else here.apply(move)[0]
                    if not good or (not deals and good(end)):
                        found.append((end.progress == here.progress, deals, begun))
                elif after not in seen:
                    seen.add(after)
                    following.append((after, begun))
        if found:
            return Way(min(found, key=lambda one: one[:2])[2])
        level = following
    return None

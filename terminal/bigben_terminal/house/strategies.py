"""Four strategies to play Big Ben, which use only what a player sees.

A strategy plans the moves up to the next card from the stock. Every plan ends with such a card or
leaves more cards home than before. So every game ends, although builds could go back and forth.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import pairwise
from random import Random
from typing import Final

from bigben_rules import Move
from bigben_rules.bigben import Position
from bigben_rules.bigben.layout import FAN_SIZE, FOUNDATION, HOURS, PLACES
from bigben_rules.cards import ABOVE, Card
from bigben_rules.game import STOCK, WASTE
from bigben_terminal.house.search import (
    Reached,
    deal_move,
    guessed,
    is_play,
    moves_to,
    reachable,
)

Plan = tuple[Move, ...]
"""Moves to make one after another, each legal then; empty to resign."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One house player."""

    name: str
    plan: Callable[[Position, Random], Plan]
    """Uses only the size of the stock. The same position and chance give the same plan."""


def hasty(position: Position, rng: Random) -> Plan:
    """Plays whatever fits and deals when nothing does; builds only where the rules insist."""
    for move in position.legal_moves():
        if is_play(move):
            return (move,)
    reached = reachable(position, 100 if position.stock else 0)
    nearest = _ends(position, reached)[:1]
    return _plan(nearest[0], reached) if nearest else ()


def hoarder(position: Position, rng: Random) -> Plan:
    """Gathers sequences on long fans and lets them go only when nothing else can be done."""
    return _best(position, reachable(position, 400), _hoard)


def careful(position: Position, rng: Random) -> Plan:
    """Looks through everything that can be played and built before a card is dealt."""
    return _best(position, reachable(position, 2000), _worth)


def gambler(position: Position, rng: Random) -> Plan:
    """Guesses what the stock may hold, again and again, and takes the line that does best."""
    reached = reachable(position, 2000)
    lines = nlargest(6, _ends(position, reached), key=_worth)
    if not position.stock or len(lines) < 2:
        return _best(position, reached, _worth)
    stocks = [guessed(position, rng).stock for _ in range(10)]

    def won_over(end: Position) -> tuple[int, float]:
        return sum(_played_out(replace(end, stock=stock)) for stock in stocks), _worth(end)

    return _plan(max(lines, key=won_over), reached)


STRATEGIES: Final = (
    Strategy("Hasty", hasty),
    Strategy("Hoarder", hoarder),
    Strategy("Careful", careful),
    Strategy("Gambler", gambler),
)


def _best(position: Position, reached: Reached, worth: Callable[[Position], float]) -> Plan:
    ends = _ends(position, reached)
    return _plan(max(ends, key=worth), reached) if ends else ()


def _ends(position: Position, reached: Reached) -> list[Position]:
    """Where a plan may end: a card can be dealt there, or more are home and none are left."""
    dealing = [end for end in reached if deal_move(end)]
    return dealing or [end for end in reached if end.progress > position.progress]


def _plan(end: Position, reached: Reached) -> Plan:
    deal = deal_move(end)
    return (*moves_to(end, reached), *([deal] if deal else []))


def _worth(position: Position) -> float:
    """Cards home, and a little for what helps the next ones: gaps to refill, nothing buried."""
    wait = _waits(position)
    gaps = sum(max(0, FAN_SIZE - len(fan)) for fan in position.fans)
    buried = sum(_buried(pile, wait) for pile in (*position.fans, position.waste))
    return position.progress + 0.2 * gaps - 0.1 * buried


def _hoard(position: Position) -> float:
    """How many cards are in sequence on the fans; cards home count a little less."""
    sequences = sum(
        ABOVE[upper] == lower for fan in position.fans for lower, upper in pairwise(fan)
    )
    return sequences + 0.8 * position.progress


def _waits(position: Position) -> dict[Card, int]:
    """How many cards must go home before each card can; the nearer of its two places."""
    waits: dict[Card, int] = {}
    for hour, count in zip(HOURS, position.foundations, strict=True):
        for ahead, card in enumerate(FOUNDATION[hour][count:]):
            waits[card] = min(ahead, waits.get(card, ahead))
    return waits


def _buried(pile: Iterable[Card], wait: dict[Card, int]) -> int:
    """How many cards cover one that is needed sooner, without cards in sequence."""
    count, soonest, below = 0, 99, None
    for card in pile:
        due = wait[card]
        if due > soonest and ABOVE[card] != below:
            count += 1
        soonest, below = min(soonest, due), card
    return count


def _played_out(position: Position) -> int:
    """Cards home when the rest is played in the simplest sensible way, its stock known.

    Home if anything fits; else a build that opens a card for home or empties a place; else a deal.
    """
    while True:
        moves = position.legal_moves()
        move = (
            next((move for move in moves if is_play(move)), None)
            or next((move for move in moves if _opens(position, move)), None)
            or next((move for move in moves if move.source == STOCK), None)
        )
        if move is None:
            return position.progress
        position, _ = position.apply(move)


def _opens(position: Position, build: Move) -> bool:
    """Whether the build bares a card that fits a foundation, or takes the last card of a fan."""
    if build.source == STOCK:
        return False
    pile = position.waste if build.source == WASTE else position.fans[int(build.source) - 1]
    if len(pile) == 1:
        return build.source != WASTE
    return any(position.foundations[hour - 1] == before for hour, before in PLACES[pile[-2]])

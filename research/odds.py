"""Measures how often the games are won, each by players who play in a certain way.

    python -m research.odds [--deals 1000]

from the root of the project, installed or with PYTHONPATH=rules. Deal number n is dealt from the
seed that is the number n, so everybody measures the same deals. The interval holds the exact share
with 95 % confidence (Wilson's). The share is exact where the cards are exposed in an order that is
as random as the deal, or where a proof says that every deal is won.
"""

import argparse
import random
import sys
from collections.abc import Callable
from heapq import heappop, heappush
from math import comb, sqrt
from typing import Final, NamedTuple

from bigben_rules import Move, Position, game_named, shuffle

Z_95: Final = 1.959964
"""How many standard deviations to each side hold 95 % of a normal distribution."""

BAR: Final = 40


LAST: Final = {k: comb(k - 1, 3) / comb(52, 4) for k in range(4, 53)}
"""By k: how likely the fourth king is the k-th card that is exposed."""


def largest(left: int) -> float:
    """The mean size of the largest pile if ``left`` of the 48 other cards are face down."""
    return sum(1 - _in_piles(most, left) / comb(48, left) for most in range(4))


def _in_piles(most: int, left: int) -> int:
    """The sets of ``left`` cards of twelve ranks that have at most ``most`` of each rank."""
    sets = [1] + [0] * left
    for _ in range(12):
        sets = [
            sum(comb(4, few) * sets[cards - few] for few in range(min(most, cards) + 1))
            for cards in range(left + 1)
        ]
    return sets[left]


def at_random(position: Position, chance: random.Random) -> bool:
    """Any legal move. In Watch, the king is exchanged for any card that is face down."""
    return _played(position, chance.choice)


def deepest(position: Position, chance: random.Random) -> bool:
    """In Watch, the king is exchanged for the bottom card of a pile with the most cards."""
    return _played(position, lambda moves: max(moves, key=lambda move: move.depth))


def at_once(position: Position, chance: random.Random) -> bool:
    """In German Clock, a card goes to its foundation as soon as it fits: it is the first move."""
    return _played(position, lambda moves: moves[0])


def _played(position: Position, choose: Callable[[list[Move]], Move]) -> bool:
    while moves := position.legal_moves():
        position, _ = position.apply(choose(moves))
    return position.won


SEARCHED: Final = 3_000
"""Positions after which a search gives up."""


def searched(position: Position, chance: random.Random) -> bool:
    """Whether a search finds a win among all cards, most cards home first. No card is hidden."""
    seen = {position}
    waiting = [(0, 0, position)]
    while waiting and len(seen) < SEARCHED:
        *_, position = heappop(waiting)
        for move in position.legal_moves():
            after, _ = position.apply(move)
            if after.won:
                return True
            if after not in seen:
                seen.add(after)
                heappush(waiting, (-after.progress, -len(seen), after))
    return False


class Way(NamedTuple):
    """A game, and how it is played."""

    game: str
    rules: str
    wins: Callable[[Position, random.Random], bool]
    exact: float | None = None
    """How likely a win is, if that is known."""
    deals: int = 20_000


WAYS: Final = (
    Way("grandfathersclock", "standard", searched, deals=1_000),
    Way("clock", "standard", at_random, LAST[52]),
    # The exchanged king comes last if it is the bottom card of a pile, and if the last of the other
    # 52 - k cards goes under that pile. Each card that is face down is missing under its own pile.
    Way(
        "watch",
        "standard",
        at_random,
        LAST[52] + sum(LAST[k] / (52 - k) for k in range(4, 52)),
    ),
    Way(
        "watch",
        "standard",
        deepest,
        LAST[52] + sum(LAST[k] * largest(52 - k) / (52 - k) for k in range(4, 52)),
    ),
    Way("travellers", "standard", at_random, LAST[52]),
    Way("hideandseek", "standard", at_random, LAST[52]),
    # Each time through the stock brings at least the suit home that is next on all foundations. The
    # third leaves only the last suit in the waste, and all its cards fit.
    Way("germanclock", "standard", at_once, 1.0),
    Way("germanclock", "1", at_once),
)


class Share(NamedTuple):
    """How many of the deals were won."""

    won: int
    deals: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        share, z2 = self.won / self.deals, Z_95**2
        middle = share + z2 / (2 * self.deals)
        half = Z_95 * sqrt(share * (1 - share) / self.deals + z2 / (4 * self.deals**2))
        return (middle - half) / (1 + z2 / self.deals), (middle + half) / (1 + z2 / self.deals)


def measured(way: Way, deals: int) -> Share:
    """How many of the first deals are won. Shows its progress if somebody watches."""
    game, chance = game_named(way.game), random.Random(1)
    won = 0
    for number in range(deals):
        order = shuffle(game.pack, number.to_bytes(32, "big"))
        won += way.wins(game.deal(order, way.rules), chance)
        if (number + 1) % 500 == 0 and sys.stderr.isatty():
            done = BAR * (number + 1) // deals
            bar = f"{way.game:<18}[{'#' * done:<{BAR}}] {number + 1:,} of {deals:,}"
            print(f"\r{bar}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return Share(won, deals)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m research.odds", description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000, help="at most, of each game")
    most = parser.parse_args().deals
    print(f"{'':<18}{'rules':<10}{'played':<10}{'deals':>8}{'won':>8}   95 % interval       exact")
    for way in WAYS:
        share = measured(way, min(most, way.deals))
        low, high = share.interval
        row = (
            f"{way.game:<18}{way.rules:<10}{way.wins.__name__:<10}{share.deals:>8,}{share.won:>8,}"
        )
        exact = f"{way.exact:.2%}" if way.exact else ""
        print(f"{row}   {low:>6.2%} … {high:<7.2%}{exact:>9}", flush=True)


if __name__ == "__main__":
    main()

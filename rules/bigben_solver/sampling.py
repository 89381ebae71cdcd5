"""Judges moves by what a player sees: the unseen cards are shuffled again and again and played out.

Nothing here reads a face-down card, so positions that look the same are judged the same.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from bigben_rules import Game, Move, Position, bigben, game_named
from bigben_rules.cards import PACK
from bigben_rules.position import HAND, STOCK
from bigben_solver.big_ben import playout
from bigben_solver.big_ben.table import REFILL, TOTAL, Table, number_of

WIN: Final = 20
"""How many cards home a win counts for, beside its own cards, when moves are compared."""

_WITHOUT_NEWS: Final = 40
"""How many moves without a card home or a new card end a playout of any game."""


class Estimate(NamedTuple):
    """What playouts say of a position; a strong player does better."""

    chance: float
    """The share of them that was won."""
    home: float
    """Their mean cards home."""

    @property
    def worth(self) -> float:
        """One number to compare by."""
        return self.home + WIN * self.chance


class Judged(NamedTuple):
    """A legal move, and what playouts say of the position after it."""

    move: Move
    chance: float
    home: float


def judged(position: Position, rng: Random, *, playouts: int) -> Sequence[Judged]:
    """Every legal move, best first, after ``playouts`` playouts of each with the same shuffles.

    Equal moves stay in the order of ``legal_moves``, but moves to a foundation come first.
    """
    legal = position.legal_moves()
    if isinstance(position, bigben.Position):
        estimates = _of_big_ben(position, rng, playouts)
    else:
        estimates = _of_any_game(position, legal, rng, playouts)
    order = sorted(
        range(len(legal)),
        key=lambda at: (-estimates[at].worth, not _goes_home(legal[at]), at),
    )
    return [Judged(legal[at], estimates[at].chance, estimates[at].home) for at in order]


def estimated(
    position: Position, rng: Random, *, playouts: int, first: Move | None = None
) -> Estimate:
    """What this number of playouts says of a position, or of the one after a legal move.

    A playout plays what a move shows, so on average over all shuffles the estimate after ``first``
    is that of the positions to which it can lead.
    """
    if isinstance(position, bigben.Position):
        table = Table.of(position)
        stocks = playout.stocks(table, rng, playouts if position.stock else 1)
        if first:
            return _after(table, number_of(first), stocks)
        return _summary([playout.played_out(table, stock) for stock in stocks], TOTAL)
    worlds = _worlds(position, rng, playouts)
    if first:
        worlds = [world.apply(first)[0] for world in worlds]
    return _summary([_played_out(world, rng) for world in worlds], _game(position).total)


def _of_big_ben(position: bigben.Position, rng: Random, playouts: int) -> list[Estimate]:
    table = Table.of(position)
    stocks = playout.stocks(table, rng, playouts if position.stock else 1)
    return [_after(table, move, stocks) for move in table.legal()]


def _after(table: Table, move: int, stocks: Sequence[bytes]) -> Estimate:
    """What playouts with these stocks say of the position after a move."""
    results = []
    if move < REFILL:
        after = table.copy()
        after.play(move)
        return _summary([playout.played_out(after, stock) for stock in stocks], TOTAL)
    for stock in stocks:
        after = table.copy()
        after.stock = stock
        after.play(move)
        results.append(playout.played_out(after, stock[after.at :]))
    return _summary(results, TOTAL)


def _of_any_game(
    position: Position, legal: Sequence[Move], rng: Random, playouts: int
) -> list[Estimate]:
    worlds, seed = _worlds(position, rng, playouts), rng.getrandbits(64)
    total = _game(position).total
    estimates = []
    for move in legal:
        chance = Random(seed)  # the same for each move, so that equal moves are judged equal
        results = [_played_out(world.apply(move)[0], chance) for world in worlds]
        estimates.append(_summary(results, total))
    return estimates


def _summary(results: Sequence[int], total: int) -> Estimate:
    return Estimate(results.count(total) / len(results), sum(results) / len(results))


def _goes_home(move: Move) -> bool:
    return move.source != STOCK and move.target.startswith("f")  # a refill goes to the fans


def _game(position: Position) -> Game:
    return game_named(position.text().split(maxsplit=1)[0])


def _worlds(position: Position, rng: Random, count: int) -> list[Position]:
    """As many positions that look like this one, with every card known."""
    piles = position.piles().values()
    packs = Counter(PACK * _game(position).description.deal.packs)
    packs.subtract(card for cards in piles for card in cards.up)
    unseen = list(packs.elements())
    worlds = []
    for _ in range(count):
        rng.shuffle(unseen)
        worlds.append(position.with_hidden(unseen))
    return worlds


def _played_out(position: Position, rng: Random) -> int:
    """Cards home when the rest is played in a simple way: home, else a new card, else anything."""
    waited = 0
    while waited < _WITHOUT_NEWS and (moves := position.legal_moves()):
        home = [move for move in moves if _goes_home(move)]
        news = home or [move for move in moves if move.source in (STOCK, HAND)]
        before = position.progress
        position, _ = position.apply(rng.choice(news or moves))
        waited = 0 if news or position.progress > before else waited + 1
    return position.progress

"""How an attempt reads to somebody who knows the house players: how likely each choice was.

The likelihood of a move is that of a mixture of policies: what each house player plans, and some
that follow no plan. Every policy is softened, so each legal move has a likelihood above zero. The
weights of the mixture are those that fit the attempt best: so a strong player's good moves, and a
careless player's odd ones, are no surprise. If in doubt, that makes attempts less alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import fsum
from operator import mul
from random import Random
from typing import Any, Final, NamedTuple

from bigben_rules import Card, Game, Move, Position, bigben
from bigben_rules.position import STOCK
from bigben_solver.analysis.line import Played, line_of
from bigben_solver.players import PLAYERS, Plan
from bigben_solver.players.big_ben import foreknowing

VERSION: Final = 1
"""Of the likelihoods: what another version has read is read again."""
SOFT: Final = (0.01, 0.1, 0.35)
"""How often a policy makes any legal move instead. Each house player is in the mixture with each,
in each of the ``_orders``."""
GUESSES: Final = 3
"""How often is guessed what a player plays who does not know the next cards."""
ROUNDS: Final = 12
"""Of the fit."""
AHEAD: Final = 16
"""How many of the next cards of the stock somebody would know who has seen them before."""
_SLOW: Final = "master", "sharp"
"""These think too long for every move of a season; what they play is among the ``GUESSES``."""


class Step(NamedTuple):
    """A move of an attempt that was not taken back."""

    n: int
    """Its number in the log."""
    move: str
    key: str
    """The same for the same position of the same deal, and then as many cards were seen."""
    hidden: int
    """How many cards were face down before it."""
    legal: tuple[str, ...] = ()
    """Empty if there was no choice."""
    likely: tuple[float, ...] = ()
    """How likely each legal move was for a player who sees what a player sees."""
    agreed: str = ""
    """What every house player would play, if they agree."""
    foreknown: tuple[str, ...] = ()
    """What one would play who knows the next cards of the stock; in any order."""


Planning = Callable[[Any, Random], Plan]  # Any: as in ``HousePlayer``

Reading = tuple[Step, ...]

Ways = Sequence[Sequence[float]]
"""For each policy, how likely it makes each legal move."""


def read(game: Game, rules: str, order: Sequence[Card], moves: Sequence[str]) -> Reading:
    """Read the moves of a log. The same everywhere; it takes about as long as a few playouts.

    Raises ValueError for moves that can't be played. In a game without choices no step has one.
    """
    line = line_of(game.deal(order, rules), moves)
    if not game.description.decides:
        return tuple(_step(played) for played in line)
    reader = _Reader(game, rules)
    steps = [reader.read(played) for played in line]
    return tuple(_fitted(steps, reader.ways))


def _fitted(steps: Sequence[Step], ways: Mapping[int, Ways]) -> Iterator[Step]:
    """The steps with the likelihoods of the mixture that fits them best."""
    made = {
        at: [way[steps[at].legal.index(steps[at].move)] for way in policies]
        for at, policies in ways.items()
    }
    count = len(next(iter(ways.values()), ()))
    weights = [1 / count] * count
    for _ in range(ROUNDS if made else 0):
        sums = [0.0] * count
        for likely in made.values():
            shares = list(map(mul, weights, likely))
            whole = fsum(shares)
            sums = [one + share / whole for one, share in zip(sums, shares, strict=True)]
        weights = [one / len(made) for one in sums]
    for at, step in enumerate(steps):
        by_move = zip(*ways.get(at, ()), strict=True)
        yield step._replace(likely=tuple(fsum(map(mul, weights, one)) for one in by_move))


def _step(played: Played) -> Step:
    position = played.before
    key = sha256(position.text().encode()).hexdigest()[:16]
    hidden = sum(cards.down for cards in position.piles().values())
    return Step(played.n, played.text, key, hidden)


@dataclass(slots=True)
class _Intention:
    """What is left of a house player's plan, up to the next card that is shown."""

    left: list[Move] = field(default_factory=list)

    def wishes(self, legal: Sequence[Move]) -> list[int]:
        """The indices of the moves that can be made now, in the plan's order; cards come last."""
        found = [legal.index(move) for move in dict.fromkeys(self.left) if move in legal]
        return [at for at in found if legal[at].source != STOCK] or found

    def follow(self, played: Played, move: Move) -> None:
        if played.shows:
            self.left.clear()
        elif move in self.left:
            self.left.remove(move)


class _Reader:
    def __init__(self, game: Game, rules: str) -> None:
        self.game, self.rules = game, rules
        players = [one for one in PLAYERS[game.name] if one.key not in _SLOW]
        self.plans = [one.plan for one in players]
        if game.name == "bigben":
            # Without the knowledge, which alone makes the difference. Of lines that are about as
            # good chance takes one, so there are several.
            self.plans += [foreknowing] * GUESSES
        self.intentions = [_Intention() for _ in self.plans]
        self.foreknowing = _Intention()
        self.ways: dict[int, Ways] = {}
        """By the index of each step with a choice: how likely each policy makes each legal move."""
        self.count = 0

    def read(self, played: Played) -> Step:
        position, step = played.before, _step(played)
        legal = position.legal_moves()
        move = position.parse(played.text)
        if len(legal) > 1:
            seen = self.game.seen(position.piles(), self.rules)
            wishes = [
                self._wishes(plan, _chance(seen, n), self.intentions[n], seen, legal)
                for n, plan in enumerate(self.plans)
            ]
            self.ways[self.count] = [*_softened(wishes, len(legal)), *_aimless(legal)]
            agreed = {tuple(one) for one in wishes}
            texts = tuple(map(position.format, legal))
            step = step._replace(
                legal=texts,
                agreed=texts[wishes[0][0]] if len(agreed) == 1 == len(wishes[0]) else "",
                foreknown=tuple(texts[at] for at in self._foreknown(position, seen, legal)),
            )
        self.count += 1
        for intention in (*self.intentions, self.foreknowing):
            intention.follow(played, move)
        return step

    def _wishes(
        self,
        plan: Planning,
        chance: Random,
        intention: _Intention,
        seen: Position,
        legal: Sequence[Move],
    ) -> list[int]:
        if not (found := intention.wishes(legal)):
            intention.left = [*plan(seen, chance)]
            found = intention.wishes(legal)
        return found or [*range(len(legal))]  # the house player would give up

    def _foreknown(self, position: Position, seen: Position, legal: Sequence[Move]) -> list[int]:
        """Only Big Ben has cards of a stock to know."""
        if not isinstance(position, bigben.Position) or not position.stock:
            return []
        assert isinstance(seen, bigben.Position)
        if not (found := self.foreknowing.wishes(legal)):
            known = position.stock[:AHEAD]
            self.foreknowing.left = [*foreknowing(seen, _chance(seen, 0), known=known)]
            found = self.foreknowing.wishes(legal)
        return found


def _softened(wishes: Sequence[Sequence[int]], count: int) -> list[list[float]]:
    orders = [order for wished in wishes for order in _orders(wished)]
    return [_way(order, count, soft) for order in orders for soft in SOFT]


def _orders(wished: Sequence[int]) -> Sequence[Sequence[int]]:
    """Any move of a plan, its first one, the first on the table, and the last one."""
    return wished, wished[:1], [min(wished)], [max(wished)]


def _way(wished: Sequence[int], count: int, soft: float) -> list[float]:
    """Any of the wished moves, and now and then any move at all."""
    way = [soft / count] * count
    for at in wished:
        way[at] += (1 - soft) / len(wished)
    return way


def _aimless(legal: Sequence[Move]) -> list[list[float]]:
    """Any move; any move home if there is one."""
    home = [at for at, move in enumerate(legal) if _goes_home(move)]
    everything = range(len(legal))
    return [_way(everything, len(legal), 0), _way(home or everything, len(legal), SOFT[1])]


def _goes_home(move: Move) -> bool:
    return move.source != STOCK and move.target.startswith("f")


def _chance(seen: Position, n: int) -> Random:
    """The same for positions that look the same."""
    return Random(int.from_bytes(sha256(b"%d %s" % (n, seen.text().encode())).digest()[:8], "big"))

"""How one seat played a deal: its winning chances, the moves that cost most, skill and luck.

Sampling every move would take minutes, so an analysis looks only where something can be lost:

- Between two stock actions nothing is left to chance. The position before a stock action gives all
  of them their winning chance: what that action is worth, plus what the moves cost until then.
- The position before each stock action is judged, and the first one after it. The moves between
  them are judged only if the best plan at first was worth more than what was reached at the end.
- A difference that chance can explain costs nothing. The largest others are sampled again with
  more playouts, and cost what the second sampling says. A better move that was still there after
  the move that was played is not lost yet.
- Once the player knows all cards, nothing is sampled: a win is found or not, and the last position
  with a win is found by halving.

A value is the winning chance, and the cards home that are to be expected. What the two are together
is the ``worth`` of a move, by which moves are compared: as in ``sampling``.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from typing import Final

from bigben_rules import Card, Game, Position
from bigben_solver.analysis.asked import Answer, Choice, Kind, Question
from bigben_solver.analysis.line import Played, is_hidden, line_of
from bigben_solver.analysis.values import CARD, CERTAIN, CostlyMove, Point, SeatAnalysis
from bigben_solver.games import CERTIFIED
from bigben_solver.sampling import WIN

LOOK: Final = 128
"""Playouts of each move in a first look at a position."""
AGAIN: Final = 384
"""Playouts of each move in the second look at a move that seems to have cost something."""
MOST_AGAIN: Final = 8
"""The most second looks; what cost less than these costs nothing."""
MOST_BETWEEN: Final = 20
"""The most looks between the first position after a stock action and the next stock action."""
NODES: Final = 20_000
"""Of the solver, for a position whose cards are all known."""
PAR_NODES: Final = 60_000
SHOWN: Final = 3
_SPREAD: Final = 13.0
"""The deviation of the cards home of a playout."""

Value = tuple[int, int]
"""A chance, of ``CERTAIN``, and cards, of which one is ``CARD``."""

Asking = Generator[Question, Answer, SeatAnalysis]
"""Send each answer back; the analysis is the generator's return value."""


def analysed(
    game: Game, rules: str, order: Sequence[Card], moves: Sequence[str], *, seed: bytes
) -> Asking:
    """Analyse the moves of a seat's log. ``seed`` is the race's.

    Raises ValueError for a game that the solver does not know, and for moves that can't be played.
    """
    if game.name not in CERTIFIED:
        raise ValueError(f"{game.name} is not analysed")
    start = game.deal(order, rules)
    return (yield from _Seat(game, rules, start, line_of(start, moves), seed).analyse())


def par_of(game: Game, rules: str, order: Sequence[Card]) -> Question:
    """The question for par: its answer is a line that wins, or nothing if none was found."""
    return Question("solve", game.deal(order, rules).text(), 0, PAR_NODES)


@dataclass(slots=True)
class _Cost:
    better: str
    chance: int
    cards: int


def _value(choice: Choice) -> Value:
    return round(CERTAIN * choice.chance), round(CARD * choice.home)


@dataclass(slots=True)
class _Seat:
    """One analysis. Positions have numbers: 0 the deal, i + 1 the one after ``line[i]``."""

    game: Game
    rules: str
    start: Position
    line: list[Played]
    seed: bytes
    looks: dict[int, Answer] = field(default_factory=dict)
    looked_again: set[int] = field(default_factory=set)
    costs: dict[int, _Cost] = field(default_factory=dict)
    done: int = 0
    of: int = 1

    def analyse(self) -> Asking:
        end = len(self.line)
        known = next((i for i in range(end + 1) if not is_hidden(self.at(i))), end + 1)
        ends = [i for i in range(min(known, end)) if self.line[i].shows]
        if known > end:
            ends.append(end)  # the player stopped here, and the position is judged as it is
        firsts = [0, *(i + 1 for i in ends)]
        spans = list(zip(firsts, ends, strict=False))
        looked = [i for span in spans for i in dict.fromkeys(span)]
        self.of = len(looked) + MOST_BETWEEN + 2 * MOST_AGAIN + (known <= end) * 4
        for i in looked:
            yield from self.look(i)
        for i in self.between(spans):
            yield from self.look(i)
        yield from self.confirm()
        values = [(0, 0)] * (end + 1)
        yield from self.solved(known, values)
        return self.summed(spans, values)

    def at(self, i: int) -> Position:
        return self.line[i].before if i < len(self.line) else self.last

    @property
    def last(self) -> Position:
        return self.line[-1].after if self.line else self.start

    @property
    def most(self) -> Value:
        """The value of a position that is won."""
        return CERTAIN, CARD * self.game.total

    # Sampling

    def ask(self, kind: Kind, i: int, effort: int) -> Generator[Question, Answer, Answer]:
        position = self.at(i)
        if kind == "judge":
            position = self.game.seen(position.piles(), self.rules)
        key = b"bigben-analysis %s %d %d" % (self.seed, i, effort)
        seed = int.from_bytes(sha256(key).digest()[:6], "big")
        done, self.done = min(self.done, self.of - 1), self.done + 1
        return (yield Question(kind, position.text(), seed, effort, done, self.of))

    def look(self, i: int) -> Generator[Question, Answer, None]:
        self.looks[i] = yield from self.ask("judge", i, LOOK)

    def look_again(self, i: int) -> Generator[Question, Answer, None]:
        if i not in self.looked_again:
            self.looked_again.add(i)
            self.looks[i] = yield from self.ask("judge", i, AGAIN)

    def chosen(self, i: int, choices: Answer) -> Choice:
        """What was played there; the best if the player stopped there."""
        if i == len(self.line):
            return self.best(choices)
        return next(one for one in choices if one.move == self.line[i].text)

    def best(self, choices: Answer) -> Choice:
        return max(choices, key=self.worth)

    def worth(self, choice: Choice) -> float:
        return choice.home + WIN * choice.chance

    def is_chance(self, more: Choice, less: Choice, playouts: int) -> bool:
        """Whether chance explains that one is worth more than the other.

        The limit is the deviation of a difference of independent samples. Moves are compared by
        the same shuffles, so it is nearly two deviations.
        """
        variances = sum(WIN**2 * one.chance * (1 - one.chance) for one in (more, less))
        limit = sqrt((variances + 2 * _SPREAD**2) / playouts)
        return self.worth(more) - self.worth(less) <= limit

    def between(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """The positions inside of spans whose first position was worth more than their last."""
        lost: list[tuple[float, int, int]] = []
        for first, end in spans:
            if end > first + 1:
                at_first, at_end = (self.best(self.looks[i]) for i in (first, end))
                if not self.is_chance(at_first, at_end, LOOK):
                    lost.append((self.worth(at_end) - self.worth(at_first), first, end))
        inside = [i for _, first, end in sorted(lost) for i in range(first + 1, end)]
        return [i for i in inside if len(self.at(i).legal_moves()) > 1][:MOST_BETWEEN]

    def confirm(self) -> Generator[Question, Answer, None]:
        """Look again at the moves that seem to have cost most; the others cost nothing."""
        seeming: list[tuple[float, int, str]] = []
        for i, choices in self.looks.items():
            played, better = self.chosen(i, choices), self.best(choices)
            if not self.is_chance(better, played, LOOK):
                seeming.append((self.worth(played) - self.worth(better), i, better.move))
        for _, i, move in sorted(seeming)[:MOST_AGAIN]:
            yield from self.look_again(i)
            better = next(one for one in self.looks[i] if one.move == move)
            reached = self.chosen(i, self.looks[i])
            if not self.line[i].shows:
                # The better move may still have been there after this one.
                yield from self.look_again(i + 1)
                reached = max(reached, self.best(self.looks[i + 1]), key=self.worth)
            if not self.is_chance(better, reached, AGAIN):
                more, less = _value(better), _value(reached)
                self.costs[i] = _Cost(move, max(more[0] - less[0], 0), max(more[1] - less[1], 0))

    # Solving

    def solved(self, known: int, values: list[Value]) -> Generator[Question, Answer, None]:
        """The values of the positions from ``known`` on, in which the player knows all cards."""
        end = len(self.line)
        home = CARD * self.last.progress
        if known > end:
            return
        won, line = (end if self.last.won else known - 1), Answer()
        lost = end if self.last.blocked else end + 1
        probe = known
        while lost - won > 1 and not self.last.won:
            found = yield from self.ask("solve", probe, NODES)
            won, line, lost = (probe, found, lost) if found else (won, line, probe)
            probe = (won + lost) // 2
        while won < end and line and line[0].move == self.line[won].text:
            won, line = won + 1, line[1:]  # the search found no win here, but there is one
        for i in range(known, end + 1):
            values[i] = self.most if i <= won else (0, home)
        if known <= won < end and line:
            self.costs[won] = _Cost(line[0].move, CERTAIN, self.most[1] - home)

    # The sum

    def summed(self, spans: Sequence[tuple[int, int]], values: list[Value]) -> SeatAnalysis:
        end, luck = len(self.line), [0, 0]
        for first, last in reversed(spans):
            level = self.chosen(last, self.looks[last])
            value = _value(level)
            if last < end:
                for k in (0, 1):
                    luck[k] += values[last + 1][k] - value[k]
            for i in range(last, first - 1, -1):
                if cost := self.costs.get(i):
                    # Nothing is worth more than a win, and all must add up.
                    cost.chance = min(cost.chance, self.most[0] - value[0])
                    cost.cards = min(cost.cards, self.most[1] - value[1])
                    value = value[0] + cost.chance, value[1] + cost.cards
                values[i] = value
        numbers = [0, *(played.n for played in self.line)]
        points = tuple(Point(n, *values[i], self.at(i).progress) for i, n in enumerate(numbers))
        chance = sum(cost.chance for cost in self.costs.values())
        cards = sum(cost.cards for cost in self.costs.values())
        return SeatAnalysis(points, self.costly(), -chance, luck[0], -cards, luck[1])

    def costly(self) -> tuple[CostlyMove, ...]:
        def worth(i: int) -> float:
            cost = self.costs[i]
            return cost.cards / CARD + WIN * cost.chance / CERTAIN

        found = sorted(self.costs, key=lambda i: (-worth(i), i))[:SHOWN]
        return tuple(
            CostlyMove(
                self.line[i].n,
                self.line[i].text,
                self.costs[i].better,
                self.costs[i].chance,
                self.costs[i].cards,
            )
            for i in found
            if worth(i)
        )

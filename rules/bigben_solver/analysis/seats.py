"""How one seat played a deal: its winning chances, the moves that cost most, skill and luck.

Two measures are taken, and neither is made from the other.

**The curve, skill and luck** are told in what a simple player would make of a position who does not
know the stock: playouts with the unseen cards shuffled. Between two stock actions nothing is left
to chance, and what the value gains or loses there is skill. What it gains or loses when cards are
dealt is luck: the value of the position that was dealt, less the mean value of those that could
have been. So luck is zero on average, however strong the player is and however weak the playouts
are. Both ends of a span are looked at with the same shuffles, so a player who does what the simple
player would do gains and loses nothing by noise.

**The costly moves** are compared with the best move at that moment. Sampling every move would take
minutes, so an analysis looks only where something can be lost:

- The position before each stock action is judged, and the first one after it. The moves between
  them are judged only if the best plan at first was worth more than what was reached at the end.
- A difference that chance can explain costs nothing. A better move that is still there after the
  move that was played is not lost yet, also if cards were dealt: it can cost something only once,
  where it was there for the last time. The largest differences are sampled again with more
  playouts, and cost what the second sampling says.
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
from bigben_rules.position import STOCK
from bigben_solver.analysis.asked import Answer, Choice, Kind, Question
from bigben_solver.analysis.line import Played, is_hidden, line_of
from bigben_solver.analysis.values import CARD, CERTAIN, CostlyMove, Point, SeatAnalysis
from bigben_solver.games import CERTIFIED
from bigben_solver.sampling import WIN

VALUE: Final = 256
"""Playouts of each position for the curve, skill and luck."""
LOOK: Final = 128
"""Playouts of each move in a first look at a position."""
AGAIN: Final = 384
"""Playouts of each move in the second look at a move that seems to have cost something."""
MOST_AGAIN: Final = 8
"""The most second looks; what cost less than these costs nothing."""
MOST_BETWEEN: Final = 20
"""The most looks between the first position after a stock action and the next stock action."""
MOST_INSIDE: Final = 20
"""The most places of the curve between stock actions."""
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


def _with_luck(luck: list[int], before: Value | None, after: Value) -> list[int]:
    """The luck with what a deal has brought, if there was one."""
    return [luck[k] + after[k] - before[k] for k in (0, 1)] if before else luck


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
        most_looks = len(looked) + MOST_BETWEEN + 2 * MOST_AGAIN
        self.of = 2 * len(spans) + MOST_INSIDE + most_looks + (known <= end) * 5
        values, luck = yield from self.valued(spans, known)
        for i in looked:
            yield from self.look(i)
        for i in self.between(spans):
            yield from self.look(i)
        yield from self.confirm()
        yield from self.solved(known, values)
        skill = [0, 0]
        for k in (0, 1):
            skill[k] = values[end][k] - values[0][k] - luck[k]
            most = (CERTAIN, CARD * (self.game.total - self.start.progress))[k]
            skill[k] = max(-most, min(most, skill[k]))  # no more than was at stake
            luck[k] = values[end][k] - values[0][k] - skill[k]
        numbers = [0, *(played.n for played in self.line)]
        points = tuple(Point(n, *values[i], self.at(i).progress) for i, n in enumerate(numbers))
        return SeatAnalysis(points, self.costly(), skill[0], luck[0], skill[1], luck[1])

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

    def ask(
        self, kind: Kind, i: int, effort: int, *, shuffles: int | None = None, first: str = ""
    ) -> Generator[Question, Answer, Answer]:
        """``shuffles`` names the position whose shuffles are used: this one, or an earlier one with
        the same unseen cards."""
        position = self.at(i)
        if kind != "solve":
            position = self.game.seen(position.piles(), self.rules)
        named = i if shuffles is None else shuffles
        key = b"bigben-analysis %s %d %d" % (self.seed, named, effort)
        seed = int.from_bytes(sha256(key).digest()[:6], "big")
        done, self.done = min(self.done, self.of - 1), self.done + 1
        return (yield Question(kind, position.text(), seed, effort, done, self.of, first))

    def value(self, i: int, span: int, first: str = "") -> Generator[Question, Answer, Value]:
        """What a simple player would make of a position, after ``first`` if that is a move.

        ``span`` is the first position of its span.
        """
        told, *_ = yield from self.ask("play", i, VALUE, shuffles=span, first=first)
        return _value(told)

    def valued(
        self, spans: Sequence[tuple[int, int]], known: int
    ) -> Generator[Question, Answer, tuple[list[Value], list[int]]]:
        """The values of the curve up to ``known``, and the luck.

        The last position of a span has its value after the stock action, before a card is seen;
        but the only one of a span has that of its beginning.
        """
        end = len(self.line)
        values, luck, before = [(0, 0)] * (end + 1), [0, 0], None
        inside = MOST_INSIDE
        for first, last in spans:
            at_first = yield from self.value(first, first)
            stock = self.line[last].text if last < end else ""
            at_last = yield from self.value(last, first, stock)
            luck = _with_luck(luck, before, at_first)
            for i in range(first, last):
                changes = at_first != at_last and first < i and inside > 0
                inside -= changes
                values[i] = (yield from self.value(i, first)) if changes else at_first
            values[last], before = at_first if first == last else at_last, at_last
        if before and known <= end:
            luck = _with_luck(luck, before, (yield from self.value(known, known)))
        return values, luck

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

    def is_lost(self, i: int, choice: Choice) -> bool:
        """Whether a move is no longer there after the one that was played.

        If it is, the same card to the same place, then it is not lost yet, or it is played later.
        """
        if i == len(self.line):
            return True
        before, after, text = self.at(i), self.at(i + 1), choice.move
        if text not in after.reading().legal:
            return True
        move = before.parse(text)
        return (
            STOCK in move[:2]
            or move != after.parse(text)
            or any(before.pile(pile).up[-1:] != after.pile(pile).up[-1:] for pile in move[:2])
        )

    def confirm(self) -> Generator[Question, Answer, None]:
        """Look again at the moves that seem to have cost most; the others cost nothing."""
        seeming: list[tuple[float, int, str]] = []
        for i, choices in self.looks.items():
            played = self.chosen(i, choices)
            lost = tuple(choice for choice in choices if self.is_lost(i, choice))
            better = self.best(lost or (played,))
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
                most = CERTAIN, CARD * (self.game.total - self.at(i).progress)
                cost = (min(max(more[k] - less[k], 0), most[k]) for k in (0, 1))
                self.costs[i] = _Cost(move, *cost)

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

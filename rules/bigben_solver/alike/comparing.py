"""How alike two attempts at one deal are, by the one that began later.

Three players could have made its moves: one who knows nothing of the other attempt, one who copies
what it has done by then, and one who knows the cards that it has turned by then. A score is the
logarithm of how much more likely the moves are for the second or third than for the first. Each
step's ratio is at most 1 on average for a player who knows nothing, whatever the other attempt
looks like; so of N independent ones, one reaches ln N, if the likelihoods are right.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import log
from typing import Final, NamedTuple

from bigben_solver.alike.reading import AHEAD, Reading, Step

COPIES: Final = 0.5
"""How often somebody who copies does so."""
FORESEES: Final = 0.2
"""How often somebody who knows the cards plays what we would."""
STOPS: Final = 0.02
"""How often somebody who copies stops for good, at each choice."""
USUAL: Final = 0.8
"""What was to be expected with at least this likelihood says nothing, whatever was played."""
MOST: Final = 8.0
"""The most that one choice says: even a very odd one may be an idea that two people had."""
OWN: Final = 2.0
"""What the house players expect weighs as much as the choices of so many others there."""


class Attempt:
    """A player's attempt, and when its moves were made."""

    def __init__(self, begun_at: int, times: Sequence[int], reading: Reading) -> None:
        """``times`` are those of all moves of the log, in ms on the player's own clock."""
        self.begun_at, self.times, self.reading = begun_at, times, reading

    def at(self, step: Step) -> int:
        """When it was made, by the clock of all."""
        return self.begun_at + self.times[step.n - 1]

    @cached_property
    def moves(self) -> Mapping[str, Step]:
        """The step at each position, the first if it was there again."""
        return {step.key: step for step in reversed(self.reading)}

    @cached_property
    def by_hidden(self) -> Mapping[int, Sequence[Step]]:
        """The steps while so many cards were face down."""
        found = defaultdict[int, list[Step]](list)
        for step in self.reading:
            found[step.hidden].append(step)
        return found

    @cached_property
    def turned(self) -> Sequence[tuple[int, int]]:
        """When how many cards were still face down, in the order of time."""
        return [(self.at(step), step.hidden) for step in self.reading]

    def hidden_at(self, moment: int) -> int:
        """How many cards its player had not seen then, at most."""
        done = bisect_left(self.turned, (moment, -1))
        return self.turned[done - 1][1] if done else 10**6


class Shared(NamedTuple):
    """A choice of the later attempt, and how much it says."""

    n: int
    """Its number in the log of the later attempt."""
    move: str
    score: float


class Likeness(NamedTuple):
    """Logarithms: 0 says nothing, and less than 0 that the attempts are independent."""

    copying: float = 0.0
    foresight: float = 0.0
    copied: tuple[Shared, ...] = ()
    """What says most, first."""
    foreseen: tuple[Shared, ...] = ()


Crowd = Mapping[str, Counter[str]]
"""By position: how many attempts made which move."""


def crowd_of(attempts: Iterable[Attempt]) -> Crowd:
    found = defaultdict[str, Counter[str]](Counter)
    for attempt in attempts:
        for key, step in attempt.moves.items():
            found[key][step.move] += 1
    return found


def compared(earlier: Attempt, later: Attempt, crowd: Crowd, *, most: int = 3) -> Likeness:
    """Compare two attempts at one deal; ``crowd`` is that of all, these two among them."""
    copying, foresight = _Score(COPIES, STOPS), _Score(FORESEES)
    for step in later.reading:
        if step.legal:
            copied, foreknown = _copied(step, earlier, later), _foreknown(step, earlier, later)
            if copied or foreknown:
                likely = _expected(step, earlier, crowd)
                copying.add(step, likely, copied)
                foresight.add(step, likely, foreknown)
    return Likeness(copying.total, foresight.total, copying.best(most), foresight.best(most))


def _expected(step: Step, earlier: Attempt, crowd: Crowd) -> Mapping[str, float]:
    """How likely each move is, by the house players and by what others did there."""
    others = Counter(crowd.get(step.key, {}))
    others.subtract([step.move])
    if there := earlier.moves.get(step.key):
        others.subtract([there.move])
    whole = OWN + sum(count for count in others.values() if count > 0)
    return {
        move: (OWN * likely + max(0, others[move])) / whole
        for move, likely in zip(step.legal, step.likely, strict=True)
    }


def _copied(step: Step, earlier: Attempt, later: Attempt) -> Sequence[str]:
    """The moves that would copy the earlier attempt, as far as it had come."""
    now = later.at(step)
    there = earlier.moves.get(step.key)
    if there and earlier.at(there) < now:
        return (there.move,)
    done = {one.move for one in later.by_hidden[step.hidden] if one.n < step.n}
    seen = (
        one.move
        for one in earlier.by_hidden.get(step.hidden, ())
        if earlier.at(one) < now and one.move not in done
    )
    return [move for move in dict.fromkeys(seen) if move in step.legal]


def _foreknown(step: Step, earlier: Attempt, later: Attempt) -> Sequence[str]:
    """What somebody would play who has seen the next cards in the earlier attempt."""
    known = earlier.hidden_at(later.at(step)) <= max(0, step.hidden - AHEAD)
    return step.foreknown if known else ()


class _Score:
    """The logarithm of a likelihood ratio that grows choice by choice."""

    def __init__(self, often: float, stops: float = 0.0) -> None:
        self.often, self.stops = often, stops
        self.going, self.stopped = 1.0, 0.0
        """The shares of the ratio, of players who still act on it and who have stopped."""
        self.total = 0.0
        self.steps: list[Shared] = []

    def add(self, step: Step, likely: Mapping[str, float], wished: Sequence[str]) -> None:
        if not wished or [*wished] == [step.agreed]:
            return
        if sum(likely[move] for move in wished) > USUAL:
            return  # decided before the move is looked at, so it favours nobody
        share = step.move in wished and 1 / len(wished)
        ratio = min(MOST, 1 - self.often + self.often * share / likely[step.move])
        stopping = self.stops * self.going
        going, stopped = (self.going - stopping) * ratio, self.stopped + stopping
        self.total += log(whole := going + stopped)
        self.going, self.stopped = going / whole, stopped / whole
        if ratio > 1:
            self.steps.append(Shared(step.n, step.move, log(ratio)))

    def best(self, most: int) -> tuple[Shared, ...]:
        return tuple(sorted(self.steps, key=lambda one: (-one.score, one.n))[:most])

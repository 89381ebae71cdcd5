"""Which pairs of players a season's organisers should look at, from all weeks together."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, fsum, log
from typing import Final, Literal, NamedTuple

from bigben_rules import Card, game_named
from bigben_solver.alike.comparing import Attempt, Likeness, compared, crowd_of
from bigben_solver.alike.reading import Reading, read

ONE_IN: Final = 10_000
"""Of so many pairs who know nothing of each other, at most one reaches the limit."""
LIMIT: Final = 13.0
"""The score that is reported. docs/fairness.md says how it was measured."""
AS_WELL: Final = 2.0
"""Other attempts explain somebody's foresight as well if their scores are at most so much less."""
TOGETHER: Final = 300
"""How many comparisons are asked for at once."""
_WORTH_TELLING: Final = 1.0

Kind = Literal["copied", "foreseen"]


class Compared(NamedTuple):
    """Two players' attempts at one deal."""

    earlier: str
    later: str
    likeness: Likeness


class Choice(NamedTuple):
    """What somebody played that speaks for it."""

    week: int
    player: str
    n: int
    move: str
    score: float


class Pair(NamedTuple):
    """Two players to look at."""

    kind: Kind
    players: tuple[str, str]
    """If ``foreseen``, first who seems to have known cards; the other is empty if several players'
    attempts explain it."""
    weeks: tuple[int, ...]
    """In which both raced; if there is no other player, in which the one raced after somebody."""
    score: float
    choices: tuple[Choice, ...]
    """Those that say most, first."""
    explained_by: int
    """How many players' attempts explain it as well as each other."""


def read_log(game: str, rules: str, order: Sequence[Card], moves: Sequence[str]) -> Reading:
    """See ``read``."""
    return read(game_named(game), rules, order, moves)


def compare(attempts: Mapping[str, Attempt], players: Sequence[str]) -> list[Compared]:
    """Compare the attempts of these ``players`` at one deal with all that began before."""
    crowd, begun = crowd_of(attempts.values()), _in_order(attempts)
    found = []
    for later in players:
        for earlier in begun[: begun.index(later)]:
            likeness = compared(attempts[earlier], attempts[later], crowd)
            found.append(Compared(earlier, later, _short(likeness)))
    return found


def portions(attempts: Mapping[str, Attempt]) -> Iterator[Sequence[str]]:
    """All players of a deal, in groups for ``compare`` that take about as long as each other."""
    begun, portion = _in_order(attempts), list[str]()
    comparisons = 0
    for before, player in enumerate(begun):
        portion.append(player)
        comparisons += before
        if comparisons >= TOGETHER:
            yield portion
            portion, comparisons = [], 0
    if portion:
        yield portion


def _in_order(attempts: Mapping[str, Attempt]) -> list[str]:
    return sorted(attempts, key=lambda player: (attempts[player].begun_at, player))


def _short(likeness: Likeness) -> Likeness:
    """Without the choices of what says little."""
    copied = likeness.copied if likeness.copying > _WORTH_TELLING else ()
    foreseen = likeness.foreseen if likeness.foresight > _WORTH_TELLING else ()
    return likeness._replace(copied=copied, foreseen=foreseen)


def score_of(weeks: Iterable[tuple[float, float]]) -> float:
    """The score of two players over weeks, from the copying and the foresight in each.

    Of N pairs that know nothing of each other, one reaches ln N, if the likelihoods are right.
    """
    copying, foresight = map(fsum, zip(*weeks, strict=True))
    most = max(copying, foresight)
    return most + log((exp(copying - most) + exp(foresight - most)) / 2)


@dataclass(slots=True)
class _Both:
    """All weeks of two players."""

    weeks: list[tuple[int, Compared]] = field(default_factory=list)

    @property
    def score(self) -> float:
        return score_of(one.likeness[:2] for _, one in self.weeks)

    @property
    def copying(self) -> float:
        return fsum(one.likeness.copying for _, one in self.weeks)

    def foresight_of(self, player: str) -> float:
        return fsum(one.likeness.foresight for _, one in self.weeks if one.later == player)

    def choices(self, kind: Kind, most: int) -> tuple[Choice, ...]:
        found = [
            Choice(week, one.later, *shared)
            for week, one in self.weeks
            for shared in (one.likeness.copied if kind == "copied" else one.likeness.foreseen)
        ]
        return tuple(sorted(found, key=lambda one: (-one.score, one.week, one.n))[:most])


def suspicious(
    weeks: Mapping[int, Sequence[Compared]], *, limit: float = LIMIT, most: int = 5
) -> list[Pair]:
    """The pairs whose attempts are suspiciously alike, the most alike first.

    A player who seems to have known cards is told once, not with each player who was there before.
    """
    both = defaultdict[frozenset[str], _Both](_Both)
    for week, of_week in weeks.items():
        for two in of_week:
            both[frozenset((two.earlier, two.later))].weeks.append((week, two))
    reached = {pair: one for pair, one in both.items() if one.score >= limit}
    found = []
    knowing = defaultdict[str, list[tuple[float, str, _Both]]](list)
    for pair, one in reached.items():
        first, second = sorted(pair, key=lambda player: (-one.foresight_of(player), player))
        if one.copying >= limit:
            numbers = tuple(week for week, _ in one.weeks)
            choices = one.choices("copied", most)
            found.append(Pair("copied", (first, second), numbers, one.score, choices, 1))
        else:
            knowing[first].append((one.score, second, one))
    for player, explaining in knowing.items():
        found.append(_foreseen(player, explaining, most))
    return sorted(found, key=lambda pair: (-pair.score, pair.players))


def _foreseen(player: str, explaining: list[tuple[float, str, _Both]], most: int) -> Pair:
    score, other, best = max(explaining, key=lambda one: one[:2])
    as_well = sum(score - one[0] <= AS_WELL for one in explaining)
    numbers = tuple(week for week, one in best.weeks if one.later == player)
    players = (player, other if as_well == 1 else "")
    return Pair("foreseen", players, numbers, score, best.choices("foreseen", most), as_well)

"""Points for a day, and ratings after a race: always the same for the same results."""

from collections.abc import Sequence
from itertools import groupby
from math import fsum, log, sqrt, tanh
from operator import add, mul
from typing import Final, NamedTuple

from bigben_rules import game_named
from bigben_server.race.ranking import Key

MOST: Final = 100
LEAST: Final = 1
"""A day played badly is worth more than a day not played."""

PROVISIONAL_RACES: Final = 10
MOST_RATINGS: Final = 320
"""The most different ratings in a field that are all compared with each other."""
GROUPS: Final = 64
"""Of more different ratings, neighbours are taken together: the cost grows with their number."""
_DIGITS: Final = 6  # decimals of mu and sigma as they are stored
_MU: Final = 25.0
_SIGMA: Final = _MU / 3
_GAME: Final = (_MU / 6) ** 2
"""The variance of how well one player plays from game to game, around their strength."""
_DRIFT: Final = (_MU / 300) ** 2
"""The variance that a player's strength may have gained since the last race."""
_LEAST: Final = 0.0001
"""The least part of the variance that one race leaves."""


def is_rated(game: str) -> bool:
    """Whether players of a game are rated: not if nothing is decided in it."""
    return game_named(game).description.decides


class Rating(NamedTuple):
    """An estimate of a player's strength: ``mu`` with the uncertainty ``sigma``."""

    mu: float = _MU
    sigma: float = round(_SIGMA, _DIGITS)
    races: int = 0

    @property
    def shown(self) -> int:
        """The number on boards, first 1500. With 99.9 % probability, the player is better."""
        return 1500 + round(25 * (self.mu - 3 * self.sigma))

    @property
    def uncertainty(self) -> int:
        """How far the estimate is above the number shown; the strength may be as far above that."""
        return round(25 * 3 * self.sigma)

    @property
    def provisional(self) -> bool:
        return self.races < PROVISIONAL_RACES


class _Opponents(NamedTuple):
    """Players of a field whose ratings are the same, or neighbours."""

    mu: float
    variance: float
    players: int


def rated(field: Sequence[tuple[Key, Rating]]) -> list[Rating]:
    """The ratings after a race, from those before it, in any order. Equal keys are draws.

    Two players change as by the Bradley-Terry model of Weng and Lin ("A Bayesian approximation
    method for online ranking", 2011). Each player of a larger field is compared with all others,
    and `_together` says what the comparisons are worth. So players with equal keys and equal
    ratings change alike, and one more opponent beaten, or a better place, never makes a rating
    worse.
    """
    after = [before for _, before in field]
    if len(field) < 2:
        return after
    opponents, group = _gathered(after)
    ahead = [0] * len(opponents)

    def place(i: int) -> Key:
        return field[i][0]

    for _, level in groupby(sorted(range(len(field)), key=place), place):
        players = [*level]
        equal = [0] * len(opponents)
        for i in players:
            equal[group[after[i]]] += 1
        new = {
            before: _rated(before, group[before], opponents, ahead, equal)
            for before in {after[i] for i in players}
        }
        for i in players:
            after[i] = new[after[i]]
        ahead = [*map(add, ahead, equal)]
    return after


def together(one: Rating, other: Rating) -> Rating:
    """The rating of a player whom two ratings estimate, each from other races.

    Both began with what is thought of everybody, which counts only once.

    >>> together(Rating(27.0, 2.0, 30), Rating()) == Rating(27.0, 2.0, 30)
    True
    >>> together(Rating(27.0, 2.0, 30), Rating(30.0, 3.0, 12))
    Rating(mu=28.044481, sigma=1.698307, races=42)
    """
    weights = [1 / one.sigma**2, 1 / other.sigma**2, -1 / Rating().sigma ** 2]
    means = [one.mu, other.mu, Rating().mu]
    weight = sum(weights)
    return Rating(
        round(sum(map(mul, weights, means)) / weight, _DIGITS),
        round(1 / sqrt(weight), _DIGITS),
        one.races + other.races,
    )


def _gathered(ratings: Sequence[Rating]) -> tuple[list[_Opponents], dict[Rating, int]]:
    """The field as opponents, and to which of them each rating belongs."""
    different = sorted({*ratings})
    groups = GROUPS if len(different) > MOST_RATINGS else len(different)
    group = {one: i * groups // len(different) for i, one in enumerate(different)}
    members: list[list[Rating]] = [[] for _ in range(groups)]
    for one in sorted(ratings):
        members[group[one]].append(one)
    opponents = [
        _Opponents(
            fsum(one.mu for one in each) / len(each),
            fsum(one.sigma**2 + _DRIFT for one in each) / len(each),
            len(each),
        )
        for each in members
    ]
    return opponents, group


def _rated(
    before: Rating,
    own: int,
    opponents: Sequence[_Opponents],
    ahead: Sequence[int],
    equal: Sequence[int],
) -> Rating:
    """The rating after a race: how many of each of the opponents were ahead, and how many equal."""
    variance = before.sigma**2 + _DRIFT
    least = sqrt(variance + 2 * _GAME)  # the spread if the opponent's strength were known exactly
    better = worse = learned = 0.0
    for i, ((mu, its, players), beaten_by, draws) in enumerate(
        zip(opponents, ahead, equal, strict=True)
    ):
        spread = sqrt(variance + its + 2 * _GAME)
        expected = 0.5 + tanh((before.mu - mu) / spread / 2) / 2
        others, drawn = (players - 1, draws - 1) if i == own else (players, draws)
        worse += beaten_by * expected / spread
        better += (others - drawn - beaten_by) * (1 - expected) / spread
        if expected > 0.5:
            worse += drawn * (expected - 0.5) / spread
        else:
            better += drawn * (0.5 - expected) / spread
        learned += others * expected * (1 - expected) / spread**3
    change = _together(better * least) - _together(worse * least)
    most = 1 / (4 * least**3)  # what one opponent can tell
    left = 1 - variance**1.5 * most * _together(learned / most)
    return Rating(
        round(before.mu + variance / least * change, _DIGITS),
        round(sqrt(variance * max(left, _LEAST)), _DIGITS),
        before.races + 1,
    )


def _together(comparisons: float) -> float:
    """What comparisons within one race are worth, where 1 is the most that a single one can be.

    A single one counts in full. More of them tell of the same game of the same player: they count
    ever less, but never nothing.
    """
    return comparisons if comparisons <= 1 else 1 + log(comparisons) / 2


def write_rating(rating: Rating) -> str:
    return f"{rating.mu!r} {rating.sigma!r} {rating.races}"


def read_rating(text: str) -> Rating:
    mu, sigma, races = text.split(" ")
    return Rating(float(mu), float(sigma), int(races))


def points(keys: Sequence[Key]) -> list[int]:
    """The points of each key of a day, the best first; equal keys get the same.

    They go from 100 for a player who beat everybody to 1 for one whom everybody beat, in proportion
    to the others who were beaten; an equal key counts half. A single player gets the middle.

    >>> points([Key(0, 60_000), Key(0, 90_000), Key(0, 90_000), Key(50, 10_000)])
    [100, 50, 50, 1]
    >>> points([Key(0, 60_000)])
    [50]
    """
    others = len(keys) - 1
    if not others:
        return [(LEAST + MOST) // 2]
    result: list[int] = []
    for _, group in groupby(keys):
        equal = len([*group])
        behind = len(keys) - len(result) - equal
        each = LEAST + (MOST - LEAST) * (2 * behind + equal - 1) // (2 * others)
        result += [each] * equal
    return result

"""Points for a day, and ratings after a race: always the same for the same results."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from bigben_rules import game_named
from bigben_server.race.ranking import Key, pack

MOST: Final = 100
LEAST: Final = 1
"""A day played badly is worth more than a day not played."""

PROVISIONAL_RACES: Final = 10
HEAT: Final = 16
"""The most players in a heat: the cost grows with the square, and a larger field adds little."""
_DIGITS: Final = 6  # decimals of mu and sigma as they are stored
_MODEL: Final = PlackettLuce()


def is_rated(game: str) -> bool:
    """Whether players of a game are rated: not if nothing is decided in it."""
    return game_named(game).description.decides


class Rating(NamedTuple):
    """An estimate of a player's strength: ``mu`` with the uncertainty ``sigma``."""

    mu: float = _MODEL.mu
    sigma: float = round(_MODEL.sigma, _DIGITS)
    races: int = 0

    @property
    def shown(self) -> int:
        """The number on boards, first 1500. With 99.9 % probability, the player is better."""
        return 1500 + round(25 * (self.mu - 3 * self.sigma))

    @property
    def provisional(self) -> bool:
        return self.races < PROVISIONAL_RACES


def rated(field: Sequence[tuple[Key, Rating]]) -> list[Rating]:
    """The ratings after a race, from those before it, the best first. Equal keys are draws."""
    after = [before for _, before in field]
    if len(field) < 2:
        return after
    heats = -(-len(field) // HEAT)  # each takes every n-th player, so strong and weak ones
    for heat in range(heats):
        indices = range(heat, len(field), heats)
        teams = [[_MODEL.rating(mu=after[i].mu, sigma=after[i].sigma)] for i in indices]
        new = _MODEL.rate(teams, ranks=[float(pack(field[i][0])) for i in indices])
        for i, (team,) in zip(indices, new, strict=True):
            mu, sigma = round(team.mu, _DIGITS), round(team.sigma, _DIGITS)
            after[i] = Rating(mu, sigma, after[i].races + 1)
    return after


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

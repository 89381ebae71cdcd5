"""Ratings: how good a player probably is, after each closed race. Plackett-Luce by openskill.

Knows no player and no race, and stores nothing. The same field in the same order gives the same
ratings to the last digit, so that they can be made again from the results.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from bigben_server.race.ranking import Key, places

PROVISIONAL_RACES: Final = 10
"""A rating says little before so many races."""
HEAT: Final = 16
"""The most that are rated against each other: a larger field costs its square and says less."""
_DIGITS: Final = 6
"""Of mu and sigma as they are kept."""
_MODEL: Final = PlackettLuce()


class Rating(NamedTuple):
    """A belief about a player's strength: about ``mu``, give or take ``sigma``."""

    mu: float = _MODEL.mu
    sigma: float = round(_MODEL.sigma, _DIGITS)
    races: int = 0

    @property
    def shown(self) -> int:
        """The one number that boards go by: 1500 + 25 (mu - 3 sigma), rounded.

        A player is better than that with a probability of 99.9 %. All begin at 1500.
        """
        return 1500 + round(25 * (self.mu - 3 * self.sigma))

    @property
    def provisional(self) -> bool:
        """Whether it rests on too few races."""
        return self.races < PROVISIONAL_RACES


def rated(field: Sequence[tuple[Key, Rating]]) -> list[Rating]:
    """The ratings after a race, of ratings before it; the best first. Equal keys are draws.

    A race needs two. A field of more than ``HEAT`` is rated in heats of every n-th of it, so that
    each heat has strong and weak players.
    """
    if len(field) < 2:
        return [before for _, before in field]
    ranks = places([key for key, _ in field])
    heats = -(-len(field) // HEAT)
    after = [before for _, before in field]
    for heat in range(heats):
        indices = range(heat, len(field), heats)
        teams = [[_MODEL.rating(mu=after[i].mu, sigma=after[i].sigma)] for i in indices]
        new = _MODEL.rate(teams, ranks=[float(ranks[i]) for i in indices])
        for i, (team,) in zip(indices, new, strict=True):
            after[i] = Rating(
                round(team.mu, _DIGITS), round(team.sigma, _DIGITS), after[i].races + 1
            )
    return after


def write_rating(rating: Rating) -> str:
    """``mu sigma races``."""
    return f"{rating.mu!r} {rating.sigma!r} {rating.races}"


def read_rating(text: str) -> Rating:
    """The rating written so."""
    mu, sigma, races = text.split(" ")
    return Rating(float(mu), float(sigma), int(races))

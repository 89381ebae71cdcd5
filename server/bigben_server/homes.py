"""Which worker is the home of a race: a hint that brings its players together, and no promise.

A wrong, old or dead home costs speed, and never a move: Redis refuses what does not follow.
"""

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b

from bigben_protocol import RaceId


def home_of(race: RaceId, workers: Collection[int]) -> int:
    """The number of the worker that is the home of this race, one of ``workers``.

    It is the same in every process and version. If a worker ends, only its own races move; if one
    comes, only those move that it gets (rendezvous hashing).
    """
    return max(workers, key=lambda number: (_weight(race, number), number))


def _weight(race: RaceId, number: int) -> bytes:
    return blake2b(f"{number} {race}".encode(), digest_size=8).digest()


@dataclass(slots=True, eq=False)
class Homes:
    """What a process knows of the workers beside it. A process that is alone has none."""

    own: int = 0
    """Its number among them, from 1; 0 if it is alone."""
    living: Collection[int] = ()
    """Those that players are sent to now, as their parent says."""

    def is_here(self, race: RaceId) -> bool:
        """Whether no other worker of this server would serve the race better."""
        return not self.living or home_of(race, self.living) == self.own

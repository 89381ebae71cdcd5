"""Which worker is the home of a race: a hint that brings its players together, and no promise.

A wrong, old or dead home costs speed, and never a move: Redis refuses what does not follow.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from bigben_protocol import RaceId

_NAMED: Final = re.compile(rb"[^ ?]*\?(?:[^ ]*&)?race=([0-9A-Za-z]{6})")
"""The code of a race; an invitation may come after it."""


def race_named(target: bytes) -> RaceId | None:
    """The race that the target of a request names, whatever follows it.

    >>> race_named(b"/?race=k7qpxm HTTP/1.1")
    'K7QPXM'
    """
    named = _NAMED.match(target)
    return RaceId(named[1].decode().upper()) if named else None


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

    others: bool = False
    """Whether other servers live, before which a proxy chooses one by the race in the address."""

    def is_here(self, race: RaceId) -> bool:
        """Whether no other worker of this server would serve the race better."""
        return not self.living or home_of(race, self.living) == self.own

    def is_best(self, race: RaceId, named: RaceId | None) -> bool:
        """Whether a connection that has named this one could come to no better process by naming
        ``race``.
        """
        return named == race or (self.is_here(race) and not self.others)

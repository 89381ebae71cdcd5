"""The races that a connection follows or has asked to follow, with a running count."""

from collections import Counter
from collections.abc import Callable, Iterator

from bigben_protocol import RaceId


class Subscriptions:
    """Counts each race once; ``total`` is told of every change."""

    def __init__(self) -> None:
        self._follows: set[RaceId] = set()
        self._requests: dict[object, object] = {}
        """Races that it has asked to follow and has no answer about, each by ``Request.place``."""
        self._reasons: Counter[object] = Counter()
        """By race: one for following it, and one for each request."""
        self.total: Callable[[int], None] = lambda change: None
        """Adds the change to a total over several connections."""

    def __len__(self) -> int:
        """How many races it follows, if all that it has asked for is granted."""
        return len(self._reasons)

    def __iter__(self) -> Iterator[RaceId]:
        """The races that it follows now."""
        return iter(tuple(self._follows))

    def request(self, place: object, race: object) -> bool:
        """Ask to follow a race, until ``answered``; whether the race is one more."""
        self._requests[place] = race
        return self._add(race)

    def answered(self, place: object) -> None:
        """Forget a request; idempotent."""
        if place in self._requests:
            self._remove(self._requests.pop(place))

    def follow(self, race: RaceId) -> None:
        """Follow from now on; idempotent."""
        if race not in self._follows:
            self._follows.add(race)
            self._add(race)

    def unsubscribe(self, race: RaceId) -> None:
        """Follow no longer; idempotent."""
        if race in self._follows:
            self._follows.remove(race)
            self._remove(race)

    def _add(self, race: object) -> bool:
        self._reasons[race] += 1
        is_new = self._reasons[race] == 1
        if is_new:
            self.total(1)
        return is_new

    def _remove(self, race: object) -> None:
        self._reasons[race] -= 1
        if not self._reasons[race]:
            del self._reasons[race]
            self.total(-1)

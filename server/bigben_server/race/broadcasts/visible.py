"""Whose progress each follower of a race sees: of a large field, not everybody's."""

from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from bigben_protocol import PlayerId
from bigben_server.race.ranking import Ranking

SMALL_FIELD: Final = 100
"""The most seats of which everybody sees everything; of more, the best and the near ones."""
BEST: Final = 12
"""The places at the top that everybody sees; the page shows as many."""
NEAR: Final = 3
"""The places above their own, and below, that a player sees."""


class Changes:
    """The last change of each seat of a race. Changes have the numbers 1, 2, 3 and so on."""

    def __init__(self) -> None:
        self.number = 0
        """Of the last change."""
        self._numbers: dict[PlayerId, int] = {}
        """The number of each seat's last change; the latest is last."""

    def add(self, player: PlayerId) -> None:
        """The seat of this player has changed."""
        self.number += 1
        self._numbers.pop(player, None)
        self._numbers[player] = self.number

    def forget(self) -> None:
        """Forget which seats have changed until now."""
        self._numbers.clear()

    def since(self, number: int) -> tuple[PlayerId, ...]:
        """All seats that have changed after this change, the latest first."""
        later = takewhile(lambda item: item[1] > number, reversed(self._numbers.items()))
        return tuple(player for player, _ in later)

    def visible(self, player: PlayerId, number: int, ranking: Ranking) -> tuple[PlayerId, ...]:
        """The seats that changed after this change and that a player sees in a large field.

        A player whose own seat has changed also sees those near the new place that did not.
        """
        best = ranking.page(0, BEST)
        seen = [other for other in best if self._numbers.get(other, 0) > number]
        moved = self._numbers.get(player, 0) > number
        for other in ranking.around(player, NEAR):
            if other not in best and (moved or self._numbers.get(other, 0) > number):
                seen.append(other)
        return tuple(seen)


def who_see(players: Iterable[PlayerId], ranking: Ranking, seats: int) -> set[PlayerId] | None:
    """The players who see any of these seats, in a field of so many; None if everybody does."""
    best = set(ranking.page(0, BEST))
    seeing: set[PlayerId] = set()
    for player in players:
        if seats <= SMALL_FIELD or player in best:
            return None
        seeing.update(ranking.around(player, NEAR))
    return seeing

"""Whose progress each follower of a race sees: of a large field, not everybody's."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from bigben_protocol import PlayerId
from bigben_server.race.ranking import Ranking

SMALL_FIELD: Final = 100
"""Of up to so many seats everybody sees everything, and of more the best and the near ones."""
BEST: Final = 12
"""Everybody sees so many, the best; the page shows as many."""
NEAR: Final = 3
"""A player sees so many places above their own, and below."""


class Visible(NamedTuple):
    """Whose progress each follower sees, of those who moved."""

    moved: tuple[PlayerId, ...]
    by_all: tuple[PlayerId, ...]
    by_player: dict[PlayerId, dict[PlayerId, None]]
    """What a player sees beyond ``by_all``: the seats near their own."""


def visible(moved: Iterable[PlayerId], ranking: Ranking, seats: int) -> Visible:
    """Who sees these players who moved, in a field of so many seats.

    A player who moved also sees those near the new place who did not move.
    """
    moved = tuple(moved)
    if seats <= SMALL_FIELD:
        return Visible(moved, moved, {})
    best = ranking.page(0, BEST)
    by_player: dict[PlayerId, dict[PlayerId, None]] = {}
    for player in moved:
        for other in ranking.around(player, NEAR):
            if player not in best:
                by_player.setdefault(other, {})[player] = None
            if other not in best:
                by_player.setdefault(player, {})[other] = None
    return Visible(moved, tuple(player for player in moved if player in best), by_player)

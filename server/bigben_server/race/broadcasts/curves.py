"""How the cards of finished seats came home, from their statuses alone, which name no card."""

from collections.abc import Sequence
from typing import Final

from bigben_protocol import PlayerId, Rules
from bigben_rules import Game
from bigben_server.race.events import SeatStatus
from bigben_server.race.transitions import OVER

Points = tuple[tuple[int, int], ...]
"""See ``Curve``."""
MOST_POINTS: Final = 240
"""A player who takes moves back again and again makes more; then some are left out."""
MOST_KEPT: Final = 200
"""A daily may have thousands of finished seats."""


class Curves:
    """The curves that were read of one race, the newest ones."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._points: dict[PlayerId, Points] = {}

    def get(self, player: PlayerId) -> Points | None:
        """Without points if the log is damaged; None if it is not read yet."""
        return self._points.get(player)

    def take(self, player: PlayerId, statuses: Sequence[SeatStatus] | None) -> None:
        """Take every durable status of a seat, in order, if the last one says that it is over; None
        if its log is damaged.
        """
        if statuses is None:
            self._keep(player, ())
            return
        if not statuses or statuses[-1].state not in OVER:
            return
        # Whatever the deal, it is the same.
        points = [(0, self._game.deal(self._game.pack, self._rules.rules).progress)]
        for status in statuses:
            if status.home != points[-1][1]:
                points.append((status.ms, status.home))
        step = -(-len(points) // MOST_POINTS)
        self._keep(player, (*points[:-1:step], points[-1]))

    def _keep(self, player: PlayerId, points: Points) -> None:
        self._points[player] = points
        if len(self._points) > MOST_KEPT:
            del self._points[next(iter(self._points))]

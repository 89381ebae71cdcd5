"""Ghosts: how far those who have finished were at the player's own time."""

from bisect import bisect_right
from collections.abc import Mapping

from bigben_client import Client, RefusedError
from bigben_protocol import Curve, PlayerId


def home_at(curve: Curve, ms: int) -> int:
    """The cards home of a curve at a time on the seat's clock; the curve has at least one point.

    >>> curve = Curve(PlayerId("guest:bob"), "Bob", ((1000, 13), (4000, 14), (9000, 16)))
    >>> [home_at(curve, ms) for ms in (999, 1000, 4000, 60_000)]
    [12, 13, 14, 16]
    """
    at = bisect_right(curve.points, ms, key=lambda point: point[0])
    # The first change brings one card home.
    return curve.points[at - 1][1] if at else curve.points[0][1] - 1


class Ghosts:
    """The curves of one race, asked for once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._race = ""
        self._curves: tuple[Curve, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anybody has finished before."""
        return bool(self._curves)

    async def fetch(self, race: str) -> None:
        """Ask for the curves of this race; calling it again changes nothing."""
        if race == self._race:
            return
        self._race = race
        try:
            self._curves = (await self._client.curves(race)).curves
        except RefusedError:
            self._curves = ()  # a race without ghosts

    def at(self, ms: int) -> Mapping[PlayerId, int]:
        """The cards home of each ghost at that time on the player's clock."""
        return {
            curve.player: home_at(curve, ms)
            for curve in self._curves
            if curve.player != self._client.player and curve.points
        }

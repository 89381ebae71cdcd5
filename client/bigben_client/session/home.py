"""Which of its races a connection is for: the server brings the players of that race together."""

from collections.abc import Iterable, Mapping
from typing import Final

from bigben_protocol import PlayerId, Room

_OVER: Final = ("closed", "cancelled")
_WATCHED: Final = 2


def race_of(player: PlayerId, rooms: Iterable[Room]) -> str:
    """The race that matters most: one that the player plays, else one that they wait for, else one
    that they watch, else one that they have finished; of several the last one entered. Empty for
    none. A daily never matters: wherever its players are, they are spread.
    """
    named = [room for room in rooms if room.kind != "daily" and room.phase not in _OVER]
    best = max(reversed(named), key=lambda room: _weight(player, room), default=None)
    return best.race if best else ""


def may_change_over(player: PlayerId, rooms: Mapping[str, Room], race: str) -> bool:
    """Whether another connection, for this race, costs nobody anything: no countdown runs, and this
    one has nothing else to do but to show the end of races that the player has finished.
    """
    room = rooms.get(race)
    if room is None or room.phase in ("countdown", *_OVER):
        return False
    others = (one for one in rooms.values() if one is not room)
    return all(_weight(player, one) < _WATCHED for one in others)


def _weight(player: PlayerId, room: Room) -> int:
    if room.phase in _OVER:
        return 0
    own = next((seat.state for seat in room.seats if seat.player == player), None)
    if own == "playing" or (room.phase == "countdown" and own == "ready"):
        return 4
    if own in ("joined", "ready"):
        return 3
    return 1 if own else _WATCHED

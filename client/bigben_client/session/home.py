"""Which of its races a connection is for: the server brings the players of that race together."""

from collections.abc import Reversible
from typing import Final

from bigben_protocol import PlayerId, Room

_OVER: Final = ("closed", "cancelled")
_WAITING: Final = ("joined", "ready")


def race_of(player: PlayerId, rooms: Reversible[Room]) -> str:
    """The race that matters most: one that the player plays, else one that they wait for, else one
    that they watch; of several the last one entered. Empty for none.

    A daily never matters: wherever its players are, they are spread.
    """
    best = max(reversed(rooms), key=lambda room: _weight(player, room), default=None)
    return best.race if best and _weight(player, best) else ""


def _weight(player: PlayerId, room: Room) -> int:
    if room.kind == "daily" or room.phase in _OVER:
        return 0
    own = next((seat.state for seat in room.seats if seat.player == player), "")
    counts = room.phase == "countdown" and own == "ready"
    return 3 if own == "playing" or counts else 2 if own in _WAITING else 1

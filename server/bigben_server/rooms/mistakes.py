"""Mistakes of ours in one race: logged, told to whoever waits, and all other races go on.

What is raised here for a player's sake, a refusal, is passed on to the player.
"""

import functools
import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from bigben_protocol import RaceId
from bigben_server.race.transitions import Refusal
from bigben_server.rooms.batch import Request
from bigben_server.rooms.room import Room

_log = logging.getLogger(__name__)
_Self = TypeVar("_Self")
_Decide = Callable[[_Self, Room, Request], None]


def admit(race: RaceId, waiting: Iterable[Request]) -> None:
    """Log the exception that is being handled; whoever waits comes back, and finds it mended."""
    _log.exception("race %s can't go on", race)
    for asked in waiting:
        asked.session.fail()


def contained(decide: _Decide[_Self]) -> _Decide[_Self]:
    """``decide`` that raises nothing. The race is read again: it may be half changed."""

    @functools.wraps(decide)
    def guarded(self: _Self, held: Room, asked: Request) -> None:
        try:
            decide(self, held, asked)
        except Refusal as refusal:
            asked.refuse(refusal.code, refusal.text)
        except Exception:
            held.stale = True
            admit(held.race.id, [asked])

    return guarded

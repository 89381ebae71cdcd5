"""Compares quiet rooms with the store, because updates of peers may have been lost."""

import time
from collections.abc import Iterable
from typing import Final

from bigben_protocol import RaceId
from bigben_server.race.events import Log
from bigben_server.race.state import Race
from bigben_server.rooms.room import Room
from bigben_server.storage.client import Damaged, chunks
from bigben_server.storage.entries import write_status
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store

QUIET_SWEEPS: Final = 2
"""A room is compared after this many sweeps in which nothing changed, and so on."""
_TOGETHER: Final = 20
"""How many rooms are compared in one pipeline, in a few ms."""


def is_due(room: Room) -> bool:
    """Whether to compare a room now. Call this once in each sweep."""
    room.quiet += 1
    together = room.race.opened.kind in ("live", "deadline")
    is_played = room.subscribers and together and not room.race.ended
    return bool(is_played) and room.quiet % QUIET_SWEEPS == 0


async def changed(rooms: Iterable[Room], store: Store, pubsub: PubSub) -> list[RaceId]:
    """The races of these rooms in which the store has something else. Raises StoreLost.

    While there are no peers, each room is compared once, because a peer may have died before it
    published what it had written. Call this in each sweep: it finds out that all peers have gone.
    """
    began, peers_at = time.monotonic(), await pubsub.peers_at()
    doubtful = [room for room in rooms if room.compared_at <= peers_at]
    races: dict[RaceId, None] = {}
    for some in chunks(doubtful, _TOGETHER):
        ends = [(room.race.id, log, end) for room in some for log, end in _ends(room.race)]
        try:
            found = await store.changed({log: end for _, log, end in ends})
        except Damaged:  # each is then read on its own
            races |= {room.race.id: None for room in some}
        else:
            races |= {race: None for race, log, _ in ends if log in found}
        for room in some:
            room.compared_at = began
    return list(races)


def _ends(race: Race) -> Iterable[tuple[Log, str]]:
    """Each log of a race, and how it ends as far as this process knows."""
    yield (race.id, None), str(race.event_count)
    for player, seat in race.seats.items():
        yield (race.id, player), write_status(seat.status)

"""A race is read while others write to it: nothing that they tell meanwhile is lost."""

import asyncio
from collections.abc import Callable

from tests.server.guests import SECRET
from tests.server.stage import ADA, BOB, CARL, live
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import RaceId
from bigben_server.race.events import (
    Joined,
    PeerUpdate,
    Player,
    Readied,
    RoomAppend,
    RoomEvent,
    SeatStatus,
)
from bigben_server.race.state import Race
from bigben_server.rooms.registry import Rooms
from bigben_server.rooms.room import Room
from bigben_server.storage.client import Client
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import Supervisor


class BusyStore(Store):
    """A Redis in which something happens each time a room's events have been read."""

    def __init__(self, client: Client, happens: list[Callable[[], bool]]) -> None:
        super().__init__(client)
        self._happens = happens

    async def events(self, race: RaceId, *, after: int = 0, most: int = 0) -> list[RoomEvent]:
        events = await super().events(race, after=after, most=most)
        if self._happens:
            assert self._happens.pop(0)()
        return events


async def test_updates_that_arrive_while_a_race_is_read_again_are_not_lost(client: Client) -> None:
    stage = live(ADA)
    (opened, ada) = stage.room_log
    race, wire = stage.race.id, PubSub(Store(client), "here")

    def joined(k: int, player: Player) -> dict[int, RoomEvent]:
        return {k: Joined(player.id, player.name, NOON)}

    def told(events: dict[int, RoomEvent]) -> Callable[[], bool]:
        return lambda: reader.keep(PeerUpdate(race, events, {}))

    # Bob is already in the log when Carl is told of first, which has it read once more.
    store = BusyStore(client, [told(joined(4, CARL)), told(joined(4, CARL) | joined(3, BOB))])
    reader = Rooms(store, wire, Supervisor(store.ping), SECRET, Clock(NOON))
    await store.append([RoomAppend(race, 1, opened), RoomAppend(race, 2, ada)], {})
    listening = asyncio.ensure_future(anext(wire.updates()))
    read = await reader.race(race)
    listening.cancel()
    await asyncio.wait([listening])
    await wire.close()
    assert read is not None
    assert list(read.seats) == [ADA.id, BOB.id, CARL.id]


def test_a_room_whose_statuses_are_newer_than_its_events_is_read_again() -> None:
    room = Room(Race(live(ADA).race.id, live(ADA).room_log), NOON)
    # The store had no events yet when they were read, and Ada's whole game when her status was.
    resigned = SeatStatus("resigned", moves=1, ms=5_000, begun_at=NOON)
    room.race.take_status(ADA.id, resigned)
    room.apply(PeerUpdate(room.race.id, {3: Readied(ADA.id, "", NOON)}, {}))
    assert room.stale

    later = Room(Race(live(ADA).race.id, live(ADA).room_log), NOON)
    later.apply(PeerUpdate(later.race.id, {}, {ADA.id: resigned}))
    assert later.stale

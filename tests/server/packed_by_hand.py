"""Packs races by hand, as the packer does it when they are old enough. Tests nothing itself."""

from bigben_protocol import RaceId
from bigben_server.race.events import Joined
from bigben_server.race.state import Race
from bigben_server.storage.admin import maintenance
from bigben_server.storage.client import sound
from bigben_server.storage.log_reading import Part, read_logs
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.value import Logs, pack
from bigben_server.storage.race_log import Store


async def logs_of(store: Store, race: RaceId) -> Logs:
    """The log of the room, and of each seat that has one."""
    events = await store.events(race)
    players = [event.player for event in events if isinstance(event, Joined)]
    whose = [None, *dict.fromkeys(players)]
    found = await read_logs(store, [Part(race, player) for player in whose])
    logs = zip(whose, map(sound, found), strict=True)
    return {player: [(id_, [*words]) for id_, words in log] for player, log in logs if log}


async def pack_race(store: Store, race: RaceId) -> None:
    logs = await logs_of(store, race)
    assert await Swaps(store).pack(race, pack(race, logs), logs)


async def pack_closed(store: Store) -> list[RaceId]:
    """Pack all races that have ended; returns which."""
    packed = []
    for race in (await maintenance.names(store)).rooms:
        if Race(race, await store.events(race)).ended:
            await pack_race(store, race)
            packed.append(race)
    return packed


async def are_packed(store: Store) -> list[RaceId]:
    names = (await maintenance.names(store)).rooms
    there = await store.ask(*(("EXISTS", store.keys.packed(race)) for race in names))
    return [race for race, is_packed in zip(names, there, strict=True) if is_packed]

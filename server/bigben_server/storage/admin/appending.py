"""Reads races for commands of the operator, and appends what these decide, as a process would."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.broadcasts.updates import updates_of
from bigben_server.race.events import Append, RoomEvent, log_of, version_of
from bigben_server.race.state import Race
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.client import reading
from bigben_server.storage.pubsub import news
from bigben_server.storage.race_log import Store

_PROCESS: Final = f"admin-{secrets.token_hex(4)}"


async def read_room(store: Store, race: RaceId) -> Race | None:
    """A race by the log of its room; None if there is none. Raises StoreLost and Damaged."""
    if not (events := await store.events(race)):
        return None
    with reading(store.keys.log(race)):
        return Race(race, events)


async def read_race(store: Store, race: RaceId, player: PlayerId) -> Race | None:
    """A race, with this player's game if it has begun; None if there is none.

    Raises StoreLost and Damaged.
    """
    read = await read_room(store, race)
    if read is None or read.ended:
        return read
    # A daily may have thousands of seats, which do not depend on each other.
    seats = [player] if read.opened.kind == "daily" else list(read.seats)
    wanted = [one for one in seats if one in read.seats]
    for one, status in (await store.statuses(race, wanted)).items():
        read.take_status(one, status)
    seat = read.seats.get(player)
    if seat and seat.status.begun_at:
        entries = await store.entries(race, player)
        with reading(store.keys.log(race, player)):
            read.remember(player, entries)
    read.take_moved()
    return read


def check_version(store: Store, event: RoomEvent) -> None:
    """Raises NotDone if a server that still uses these data can't read the event."""
    if version_of(event) > store.version:
        raise NotDone(
            "Servers of an older version can't read what this writes into open races, and one may"
            " still use these data: do it again when a server of this version runs, and no older"
            " one."
        )


async def append(store: Store, appends: Sequence[Append], agenda: Mapping[RaceId, int]) -> bool:
    """Write, and tell the servers what is written.

    False if another process was first in a log: then read the race again. ``agenda``: see
    ``Store.append``. Raises StoreLost.
    """
    refused = await store.append(appends, agenda)
    await tell_servers(store, [one for one in appends if log_of(one) not in refused])
    return not refused


async def tell_servers(store: Store, appends: Sequence[Append]) -> None:
    """Let the server processes know of appends that are durable. Raises StoreLost."""
    for update in updates_of(appends):
        await store.ask(news(store.keys, _PROCESS, update))


async def let_read_again(store: Store, race: RaceId) -> None:
    """Let the server processes read a race again: a command may have died before it told them.

    Raises StoreLost.
    """
    await store.ask(("PUBLISH", store.keys.news(race), b""))  # an update that can't be read

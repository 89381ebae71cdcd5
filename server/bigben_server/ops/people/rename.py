"""Gives a player another name: on boards, in open races, and for what they do next."""

from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.ops.command import now_ms
from bigben_server.race.events import Renamed
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.appending import (
    append,
    check_version,
    let_read_again,
    read_race,
)
from bigben_server.storage.admin.directives import DirectiveStore
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.admin.processes import Processes
from bigben_server.storage.client import StoreLost
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

_TRIES: Final = 100
"""How often a race is read again because a server was first."""


async def rename(store: Store, player: PlayerId, name: str) -> list[RaceId]:
    """Rename a player; return the open races in which they have a seat. Idempotent.

    Raises NotDone, StoreLost, and Damaged if one of these races can't be read; then all before it
    is done.
    """
    people = People(store)
    races = await people.all_races(player)
    if not (races or await maintenance.is_known(store, player)):
        raise NotDone(f"there is no player {player} with a result or an open race")
    if races:
        check_version(store, Renamed(player, name, 0))
    await people.rename(player, name, is_known=True)
    await DirectiveStore(store).name(player, name)
    # Once they have answered, no server process gives a new seat the old name.
    await Processes(store).asked()
    listed = await people.all_races(player)
    return [race for race in listed if await _rename_in(store, race, player, name)]


async def _rename_in(store: Store, race: RaceId, player: PlayerId, name: str) -> bool:
    """Whether the player has a seat in an open race; it has the new name now."""
    for _ in range(_TRIES):
        read = await read_race(store, race, player)
        seat = read and not read.ended and read.seats.get(player)
        if not read or not seat:
            return False
        if seat.name == name:
            await let_read_again(store, race)
            return True
        if await append(store, [read.write(Renamed(player, name, now_ms()))], {}):
            return True
    raise StoreLost(f"{race} changes all the time; start it again")

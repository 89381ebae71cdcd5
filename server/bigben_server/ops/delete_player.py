"""A player deleted: their results stay, and become those of a nameless "deleted player".

Everything that names them is changed to another id, the logs of their races included, so that
boards keep their places and closed races can still be verified. Broken off, it is started again.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.leaderboards.pages import DELETED
from bigben_server.ops.rebuild import FAR_AWAY
from bigben_server.race.events import Joined, Opened, RoomAppend, RoomEvent
from bigben_server.race.state import Race
from bigben_server.scoring.divisions import deleted_id
from bigben_server.scoring.results import ties
from bigben_server.storage import maintenance
from bigben_server.storage.client import Damaged, reading
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store, log_name


class NotDeleted(Exception):
    """There is no such player, or they are in a race that is open or can't be read. Its message is
    a sentence.
    """


class Deleted(NamedTuple):
    """What is left of a player."""

    instead: PlayerId
    """The id under which their results go on."""
    unread: list[Damaged]
    """Races that can't be read. Nothing in them holds the player's id."""


async def delete(store: Store, player: PlayerId, new: str) -> Deleted:
    """Delete a player. ``new`` is random text, of which the id of their results is made.

    Raises NotDeleted, Damaged for what is the player's own and can't be read, and StoreLost.
    """
    boards = Boards(store)
    (history,) = await boards.histories(player)
    races = dict.fromkeys(entry.race for entry in history)
    unread: dict[RaceId, Damaged] = {}
    async for race, log in maintenance.room_logs(store):
        try:
            if await _is_named_in(store, player, race, maintenance.events_of(log)):
                races[race] = None
        except Damaged as damaged:
            if await maintenance.is_named_in(store, race, log, player):
                text = f"{player} is named in a race that can't be read ({damaged}); put it back"
                text += f" from a backup, or delete the key {log.key}, and delete the player again"
                raise NotDeleted(text) from None
            unread[race] = damaged
    if not (races or await maintenance.is_known(store, player)):
        raise NotDeleted(f"there is no player {player}")
    async with Ledger(store).alone():
        # Kept until the end: broken off and started again, it must come to the same id.
        instead = await maintenance.deleted_as(store, player, deleted_id(player, new))
        for race in races:
            if (found := await boards.results(race)) and player in found[1]:
                # The last first: broken off in between, it is the same order.
                changed = ties(*found, player)[::-1]
                await maintenance.swap_in_results(store, race, player, instead, changed)
            if race not in unread:
                entries = await maintenance.room_entries(store, race)
                renamed = [[_renamed(a, player, instead) for a in entry] for entry in entries]
                await maintenance.swap_in_logs(store, race, player, instead, renamed)
        await maintenance.swap_on_boards(store, player, instead)
        await maintenance.swap_in_histories(store, player, instead)
    return Deleted(instead, list(unread.values()))


async def _is_named_in(
    store: Store, player: PlayerId, race: RaceId, events: Sequence[RoomEvent]
) -> bool:
    """Whether a race names the player.

    Raises Damaged, and NotDeleted if a server may still write what it knows of this player.
    """
    if not any(_names(event, player) for event in events):
        return False
    with reading(log_name(race)):
        read = Race(race, list(events))
    if player not in read.seats:
        return True
    if not read.ended:
        text = f"{player} has a seat in {race}, which is open; delete them when it is closed"
        raise NotDeleted(text)
    if race in await store.due(FAR_AWAY):
        text = f"{race} is closed, but not all of it is recorded; try again in a minute"
        raise NotDeleted(f"{text}, with a server running")
    return True


def _names(event: RoomEvent, player: PlayerId) -> bool:
    if isinstance(event, Opened):
        return player in (event.host, *event.invited)
    return player == getattr(event, "player", "")


def _renamed(append: RoomAppend, old: PlayerId, new: PlayerId) -> RoomAppend:
    """The event as if ``new`` had been there."""
    event = append.event
    if not _names(event, old):
        return append
    # Any: the events that name a player have these fields, and mypy can't see it.
    changed: dict[str, Any] = {"player": new}
    if isinstance(event, Opened):
        host, *invited = (new if who == old else who for who in (event.host, *event.invited))
        changed = {"host": host, "invited": tuple(invited)}
    elif isinstance(event, Joined):
        changed["name"] = DELETED
    return append._replace(event=msgspec.structs.replace(event, **changed))

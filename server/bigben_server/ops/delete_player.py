"""A player deleted: their results stay, and become those of a nameless "deleted player".

Everything that names them is changed to another id, the logs of their races included, so that
boards keep their places and closed races can still be verified. Broken off, it is started again.
"""

from typing import Any, NamedTuple

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.leaderboards.pages import DELETED
from bigben_server.race.events import Joined, Opened, RoomAppend, RoomEvent
from bigben_server.race.state import Race
from bigben_server.scoring.boards import daily_boards, long_boards
from bigben_server.scoring.divisions import Ranked, deleted_id, division_of
from bigben_server.scoring.results import ties
from bigben_server.storage import maintenance
from bigben_server.storage.damage import Damaged, reading
from bigben_server.storage.keys import room_log
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.maintenance import PlayerSwap, RoomLog
from bigben_server.storage.store import Store


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
    (history,) = await Boards(store).histories(player)
    races = dict.fromkeys(entry.race for entry in history)
    unread: dict[RaceId, Damaged] = {}
    async for log in maintenance.room_logs(store):
        try:
            if await _is_named_in(store, player, log):
                races[log.race] = None
        except Damaged as damaged:
            await _check_unnamed(store, player, log, damaged)
            unread[log.race] = damaged
    if not (races or await maintenance.is_known(store, player)):
        raise NotDeleted(f"there is no player {player}")
    async with Ledger(store).alone():
        # Kept until the end: broken off and started again, it must come to the same id.
        instead = await maintenance.deleted_as(store, player, deleted_id(player, new))
        swap = PlayerSwap(store, player, instead)
        # By the setting that the boards were made for, whatever the environment says.
        ranked = await maintenance.made_for(store)
        for race in races:
            await _swap_on_boards(store, race, swap, ranked)
            if race not in unread:
                log = await maintenance.room_log(store, race)
                renamed = [[_renamed(a, player, instead) for a in entry] for entry in log.entries()]
                await swap.in_logs(log, renamed)
        await swap.in_history()
        await maintenance.forget_player(store, player)
    return Deleted(instead, list(unread.values()))


async def _is_named_in(store: Store, player: PlayerId, log: RoomLog) -> bool:
    """Whether a race names the player.

    Raises Damaged, and NotDeleted if a server may still write what it knows of this player.
    """
    events = log.events()
    if not any(_names(event, player) for event in events):
        return False
    with reading(room_log(log.race)):
        race = Race(log.race, events)
    if player not in race.seats:
        return True
    if not race.ended:
        text = f"{player} has a seat in {race.id}, which is open; delete them when it is closed"
        raise NotDeleted(text)
    if await maintenance.is_due(store, race.id):
        text = f"{race.id} is closed, but not all of it is recorded; try again in a minute"
        raise NotDeleted(f"{text}, with a server running")
    return True


async def _check_unnamed(store: Store, player: PlayerId, log: RoomLog, damaged: Damaged) -> None:
    """Raises NotDeleted if the player's id is in what can't be read of a race."""
    if log.names(player) or await maintenance.has_seat_log(store, log.race, player):
        text = f"{player} is named in a race that can't be read ({damaged}); put it back from a"
        key = room_log(log.race)
        raise NotDeleted(f"{text} backup, or delete the key {key}, and delete the player again")


async def _swap_on_boards(store: Store, race: RaceId, swap: PlayerSwap, ranked: Ranked) -> None:
    found = await Boards(store).results(race)
    if found is None:
        return
    summary, results = found
    result = results.get(swap.old) or results.get(swap.new)
    if result is None:
        return
    if swap.old in results and len(equals := ties(summary, results, swap.old)) > 1:
        # The last first: broken off in between, it is the same order.
        await maintenance.write_results(store, race, equals[::-1])
    boards = [
        *daily_boards(summary, swap.old, result, ranked),
        *long_boards(summary, swap.old, result, ranked, "points"),
        *long_boards(summary, swap.old, result, ranked, "rating"),
    ]
    division = division_of(swap.old, ranked, bot=result.bot)
    await swap.on_boards(race, summary, division, boards)


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

"""Deletes a player; everything that names them gets another id, the logs of their races too.

So boards keep their places, and closed races can still be verified. If it is interrupted, start it
again.
"""

from collections.abc import Collection

from msgspec.structs import replace

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Joined, Left, Opened, Readied, RoomEvent, Unreadied
from bigben_server.race.state import Race
from bigben_server.scoring.results import DELETED, deleted_id, ties
from bigben_server.storage import maintenance
from bigben_server.storage.client import Damaged, reading
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.maintenance import NotDone
from bigben_server.storage.race_log import Store, log_name


async def delete(store: Store, player: PlayerId, new: str) -> tuple[PlayerId, list[Damaged]]:
    """Delete a player. ``new`` is random text for the new id of their results.

    Return that id, and the races that can't be read; they do not contain the player's id.
    Raises NotDone, StoreLost, and Damaged if the player's own data can't be read.
    """
    boards = Boards(store)
    (history,) = await boards.histories(player)
    races = dict.fromkeys(entry.race for entry in history)
    unread: dict[RaceId, Damaged] = {}
    due = frozenset(await store.due())
    for race in (await maintenance.names(store)).rooms:
        try:
            if _is_named_in(player, race, await store.events(race), due):
                races[race] = None
        except Damaged as damaged:
            if await maintenance.is_named_in(store, race, player):
                text = f"{player} is named in a race that can't be read ({damaged}); restore it "
                text += f"from a backup, or delete the key {log_name(race)}"
                raise NotDone(f"{text}; then delete the player again") from None
            unread[race] = damaged
    if not (races or await maintenance.is_known(store, player)):
        raise NotDone(f"there is no player {player}")
    async with Ledger(store).lease(wait=True):
        # Kept until the end, so that a second run after an interruption uses the same id.
        instead = await maintenance.deleted_as(store, player, deleted_id(player, new))
        for race in races:
            # The last first, so that an interruption does not change the order.
            changed = ties(await boards.results(race), player)[::-1]
            await maintenance.swap_in_results(store, race, player, instead, changed)
            if race not in unread:
                events = [_renamed(e, player, instead) for e in await store.events(race)]
                await maintenance.swap_in_logs(store, race, player, instead, events)
        await maintenance.swap_on_boards(store, player, instead)
        await maintenance.swap_in_histories(store, player, instead)
    return instead, list(unread.values())


def _is_named_in(
    player: PlayerId, race: RaceId, events: list[RoomEvent], due: Collection[RaceId]
) -> bool:
    """Whether a race names the player. ``due``: the races that are on the agenda.

    Raises Damaged, and NotDone if a server may still write what it knows of this player.
    """
    if all(_renamed(event, player, PlayerId("")) == event for event in events):
        return False
    with reading(log_name(race)):
        read = Race(race, events)
    if player in read.seats and not read.ended:
        text = f"{player} has a seat in {race}, which is open; delete them when it is closed"
        raise NotDone(text)
    if player in read.seats and race in due:
        text = f"{race} is closed, but not all of it is recorded; try again in a minute"
        raise NotDone(f"{text}, with a server running")
    return True


def _renamed(event: RoomEvent, old: PlayerId, new: PlayerId) -> RoomEvent:
    match event:
        case Opened(host=host, invited=invited):
            host, *others = (new if who == old else who for who in (host, *invited))
            return replace(event, host=host, invited=tuple(others))
        case Joined() if event.player == old:
            return replace(event, player=new, name=DELETED)
        case Left() | Readied() | Unreadied() if event.player == old:
            return replace(event, player=new)
        case _:
            return event

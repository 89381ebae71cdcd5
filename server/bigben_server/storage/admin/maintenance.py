"""The reads and writes of ``bigben admin``. Every function raises StoreLost if Redis fails."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Deleted, RoomEvent
from bigben_server.scoring.results import Finish, Ranked, Result, is_bot
from bigben_server.storage.admin.dump import missed, values
from bigben_server.storage.client import Damaged, StoreLost, chunks, reading, script
from bigben_server.storage.keys import BOT, DELETED_AS, part_of, race_of
from bigben_server.storage.leaderboards import write
from bigben_server.storage.log_reading import Part, read_logs
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.work import AGE_MS
from bigben_server.storage.race_log import Store

_encode = msgspec.json.Encoder().encode
_raw = msgspec.msgpack.Encoder().encode
"""Any answer of Redis, with the same bytes in it."""


class NotDone(Exception):
    """A command of the operator can't be carried out. The message is a sentence."""


class NotThere(NotDone):
    """There is no such player."""


async def made_for(store: Store) -> Ranked:
    """The setting that the stored boards were made for."""
    (ranked,) = await store.ask(("GET", store.keys.ranked))
    return "verified" if ranked == b"verified" else "all"


async def make_for(store: Store, ranked: Ranked) -> None:
    """Store the setting that the boards are made for."""
    key = store.keys.ranked
    await store.ask(("DEL", key) if ranked == "all" else ("SET", key, ranked))


async def servers(store: Store) -> int:
    """How many server processes use this store now."""
    counted = await store.everywhere("PUBSUB", "NUMSUB", store.keys.processes)
    return sum(int(answer[-1]) for answer in counted.values())


class Names(NamedTuple):
    """The races and players that are named by keys, in order."""

    rooms: list[RaceId]
    """The races with a log of their room, packed or not."""
    recorded: list[RaceId]
    """The races with results."""
    players: list[PlayerId]
    """The players with a history."""
    missing: list[Damaged]
    """The races on the agenda whose log is lost, and the closed ones that have no results."""
    unopened: list[RaceId]
    """The races on the agenda of which nothing else is stored: it is written before the log, and
    a server was stopped between."""


async def names(store: Store) -> Names:
    """All races and players."""
    (to_pack,) = await store.ask(("ZRANGE", store.keys.to_pack, 0, -1))
    listed = [RaceId(race.decode(errors="replace")) for race in to_pack]
    found = [key async for key in store.scan(store.keys.races)]
    there = sorted([*found, *await missed(store, found, listed=listed)])
    rooms = [*dict.fromkeys(race_of(key) for key in there if part_of(key) in ("packed", "room"))]
    recorded = [race_of(key) for key in there if part_of(key) == "results"]
    history = store.keys.history(PlayerId(""))
    players = sorted([PlayerId(key.removeprefix(history)) async for key in store.scan(history)])
    missing: list[Damaged] = []
    unopened: list[RaceId] = []
    has_more = {race_of(key) for key in there}
    for key, known in ((store.keys.agenda, {*rooms}), (store.keys.closed, {*recorded})):
        (listed,) = await store.ask(("ZRANGE", key, 0, -1))
        for race in (raw for raw in listed if raw.decode(errors="replace") not in known):
            if key == store.keys.agenda and race.isascii() and race.decode() not in has_more:
                (opened,) = await store.ask(("EXISTS", store.keys.room_log(RaceId(race.decode()))))
                unopened += [] if opened else [RaceId(race.decode())]
            else:
                missing.append(Damaged(key, f"there is no such race: {race!r}"))
    return Names(rooms, recorded, players, missing, unopened)


# One player's id replaced by another. Calling a function again changes nothing.


async def is_named_in(store: Store, race: RaceId, player: PlayerId) -> bool:
    """Whether the player has a seat's log, or their id is in the room's, readable or not.

    It may be anywhere in a packed race that can't be read.
    """
    logs = await read_logs(store, [Part(race, player, last=True), Part(race)])
    packed = store.keys.packed(race)
    if any(isinstance(log, Damaged) and log.key == packed for log in logs):
        return True
    texts = [_raw(log) async for *_, log in values(store, [store.keys.room_log(race)])]
    spellings = player.encode(), _encode(player)[1:-1]
    return bool(logs[0]) or any(one in text for text in texts for one in spellings)


async def is_known(store: Store, player: PlayerId) -> bool:
    """Whether the player has a name or is tied, or anything else is stored about them."""
    fields = (("HEXISTS", key, player) for key in (store.keys.names, store.keys.aliases))
    hashes = (store.keys.player(player), *store.keys.challenges_of(player))
    return any(await store.ask(*fields, *(("EXISTS", key) for key in hashes)))


async def all_names(store: Store) -> AsyncIterator[tuple[dict[PlayerId, str], int]]:
    """The names of all players with a result, some at a time, and about how many there are."""
    key, cursor = store.keys.names, -1
    while cursor:
        scan = ("HSCAN", key, max(cursor, 0), "COUNT", 1_000)
        (cursor, found), many = await store.ask(scan, ("HLEN", key))
        cursor = int(cursor)
        yield {PlayerId(who.decode()): name.decode() for who, name in found.items()}, many


async def bots(store: Store, players: Sequence[PlayerId]) -> set[PlayerId]:
    """Those of these players who are bots."""
    marked = await store.ask(*(("HEXISTS", store.keys.player(one), BOT) for one in players))
    return {one for one, is_one in zip(players, marked, strict=True) if is_one or is_bot(one)}


async def about(store: Store, player: PlayerId) -> dict[str, str]:
    """What is stored about the player besides names and races."""
    (found,) = await store.ask(("HGETALL", store.keys.player(player)))
    return {field.decode(): value.decode() for field, value in found.items()}


async def results_of_player(
    store: Store, player: PlayerId, races: Sequence[RaceId]
) -> dict[RaceId, Result]:
    """The player's results in those of these races in which they have one. Raises Damaged."""
    found = await store.ask(*(("HGET", store.keys.results(race), player) for race in races))
    results: dict[RaceId, Result] = {}
    for race, text in zip(races, found, strict=True):
        if text:
            with reading(store.keys.results(race)):
                results[race] = msgspec.json.decode(text, type=Result)
    return results


async def is_served(store: Store) -> bool:
    """Whether a server process runs; True if nobody knows, as in a cluster."""
    return bool(store.cluster) or await servers(store) > 0


async def deleted_as(store: Store, player: PlayerId, candidate: PlayerId) -> PlayerId:
    """The id that replaces a player's: the first candidate that was ever offered."""
    about, field = store.keys.player(player), DELETED_AS
    _, chosen = await store.ask(("HSETNX", about, field, candidate), ("HGET", about, field))
    return PlayerId(chosen.decode())


async def swap_on_boards(store: Store, old: PlayerId, new: PlayerId) -> None:
    """The player's scores on all boards, and their ratings."""
    for prefix in store.keys.rankings:
        for some in chunks([key async for key in store.scan(prefix)], 1_000):
            await store.ask(*(("EVAL", script("swap"), 1, key, old, new) for key in some))


async def swap_in_results(
    store: Store, race: RaceId, old: PlayerId, new: PlayerId, changed: Iterable[Finish]
) -> None:
    """The player's result in a race, after these results were changed, in this order."""
    key = store.keys.results(race)
    await store.ask(*(("HSET", key, one.player, write(one.result)) for one in changed))
    await store.ask(("EVAL", script("swap"), 1, key, old, new))


async def swap_in_logs(
    store: Store,
    race: RaceId,
    old: PlayerId,
    new: PlayerId,
    events: Sequence[RoomEvent],
    deleted: Deleted | None,
    now: int,
) -> bool:
    """The player's seat in a race, in one step; ``events`` replace those of the room's log.

    ``deleted`` follows them. False if the log has grown since it was read; it is unchanged then.
    A packed race is unpacked first.
    """
    await Swaps(store).unpack(race, now + AGE_MS)
    keys, after = store.keys, [*events, *([deleted] if deleted else [])]
    texts = (_encode(event).decode() for event in after)
    entries = [_encode((f"{k}-0", f"{k}", text)) for k, text in enumerate(texts, start=1)]
    logs = keys.room_log(race), keys.seat_log(race, old), keys.seat_log(race, new)
    (written,) = await store.ask(("EVAL", script("rewrite"), 3, *logs, len(events), *entries))
    return bool(written)


async def swap_in_histories(store: Store, old: PlayerId, new: PlayerId) -> None:
    """Move the player's history, and delete their name and everything else stored about them."""
    from_, to = store.keys.history(old), store.keys.history(new)
    (history,) = await store.ask(("HGETALL", from_))
    if history:
        words = [word for field in history.items() for word in field]
        await store.ask(("HSET", to, *words), ("DEL", from_))
    about = (("DEL", key) for key in (store.keys.player(old), store.keys.open_races(old)))
    await store.ask(("HDEL", store.keys.names, old), *about)


# The append-only files

_LOOK_S: Final = 0.1
_BUSY: Final = ("aof_rewrite_in_progress", "aof_rewrite_scheduled")
"""A Redis that is saving a snapshot begins after it."""
_REWRITING: Final = "already in progress"


async def rewrite(store: Store) -> AsyncIterator[tuple[int, int]]:
    """Make Redis rewrite its append-only files, which also contain deleted data.

    Yields the number of keys written and the number of all keys. Ends when no file contains deleted
    data. Raises NotDone if a node fails.
    """
    begun = False
    while True:
        nodes = await store.everywhere("INFO", "persistence")
        busy = [about for about in nodes.values() if any(int(about[word]) for word in _BUSY)]
        if busy:  # possibly since before the data were deleted
            done = sum(int(about.get("current_save_keys_processed", 0)) for about in busy)
            yield done, max(1, sum(int(about.get("current_save_keys_total", 0)) for about in busy))
            await asyncio.sleep(_LOOK_S)
        elif begun or not any(int(about["aof_enabled"]) for about in nodes.values()):
            break
        else:
            try:
                await store.everywhere("BGREWRITEAOF")
                begun = True
            except StoreLost as lost:  # Redis may have started its own meanwhile
                if _REWRITING not in str(lost):
                    raise
    for node, about in nodes.items():
        if begun and about["aof_last_bgrewrite_status"] != "ok":
            raise NotDone(f"it failed on {node}, see the log of that Redis")

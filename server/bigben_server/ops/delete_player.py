"""A player deleted: their results stay, and become those of a nameless "deleted player".

Everything that names them is changed to another id, the logs of their races included, so that
boards keep their places and closed races can still be verified. Broken off, it is started again.
"""

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.leaderboards.pages import DELETED
from bigben_server.ops.rebuild import alone
from bigben_server.race.events import Joined, Opened, RoomAppend, RoomEvent
from bigben_server.race.state import Race
from bigben_server.scoring.boards import Board, Order, daily_boards, long_boards
from bigben_server.scoring.divisions import Ranked, deleted_id, division_of
from bigben_server.scoring.results import ties
from bigben_server.storage import board_keys, keys
from bigben_server.storage.damage import Damaged, reading
from bigben_server.storage.leaderboards import Boards, chunks
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.store import Command, Store

_ROOMS_AT_ONCE: Final = 500
_FIRST: Final = 50
"""Entries of a room's log that are read at once with those of other rooms; few have more."""
_ENTRIES_AT_ONCE: Final = 5_000

_SWAP_FIELD: Final = """
local value = redis.call('HGET', KEYS[1], ARGV[1])
if value then redis.call('HSET', KEYS[1], ARGV[2], value) redis.call('HDEL', KEYS[1], ARGV[1]) end
"""
_SWAP_MEMBER: Final = """
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score then redis.call('ZADD', KEYS[1], score, ARGV[2]) redis.call('ZREM', KEYS[1], ARGV[1]) end
"""
_MOVE: Final = """
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], KEYS[2]) end
"""
_REWRITE: Final = """
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return redis.error_reply('changed') end
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
for i = 2, #ARGV do redis.call('XADD', KEYS[1], unpack(cjson.decode(ARGV[i]))) end
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
"""
"""A whole log written anew, unless it has grown since it was read."""


_READ_WHOLE: Final[dict[bytes, tuple[str | int, ...]]] = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", 0, -1),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", 0, -1),
}
"""The command that reads all that lies under a key, and what follows the key in it."""


class NotDeleted(Exception):
    """There is no such player, or they are in a race that is open or can't be read. Its message is
    a sentence.
    """


async def delete(
    store: Store,
    player: PlayerId,
    who: str,
    new: str,
    *,
    ranked: Ranked = "all",
    skipped: Callable[[Damaged], None] = lambda _: None,
) -> PlayerId:
    """Delete a player; the id under which their results go on.

    ``new`` is random text, of which that id is made. ``skipped`` is called at the end with each
    race that can't be read; nothing in it holds the player's id. Raises NotDeleted, Damaged for
    what is the player's own and can't be read, and StoreLost.
    """
    (history,) = await Boards(store).histories(player)
    races = dict.fromkeys(past.race for past in history)
    unread: dict[RaceId, Damaged] = {}
    async for race in _races_that_name(store, player, unread):
        if player in race.seats:
            await _check_over(store, player, race)
        races[race.id] = None
    named, known = await store.ask(
        ("HEXISTS", keys.NAMES, player), ("EXISTS", board_keys.player(player))
    )
    if not (races or named or known):
        raise NotDeleted(f"there is no player {player}")
    async with alone(Ledger(store), who):
        # Kept until the end: broken off and started again, it must come to the same id.
        about = board_keys.player(player)
        _, chosen = await store.ask(
            ("HSETNX", about, board_keys.DELETED_AS, deleted_id(player, new)),
            ("HGET", about, board_keys.DELETED_AS),
        )
        instead = PlayerId(chosen.decode())
        for race_id in races:
            await _swap_in_boards(store, race_id, player, instead, ranked)
            if race_id not in unread:
                await _swap_in_logs(store, race_id, player, instead)
        await _swap_history(store, player, instead)
        await store.ask(("HDEL", keys.NAMES, player), ("DEL", about))
    for damaged in unread.values():
        skipped(damaged)
    return instead


async def _check_over(store: Store, player: PlayerId, race: Race) -> None:
    """Raises NotDeleted while a server may still write what it knows of this player."""
    if not race.ended:
        text = f"{player} has a seat in {race.id}, which is open; delete them when it is closed"
        raise NotDeleted(text)
    (due,) = await store.ask(("ZSCORE", keys.AGENDA, race.id))
    if due is not None:
        text = f"{race.id} is closed, but not all of it is recorded; try again in a minute"
        raise NotDeleted(f"{text}, with a server running")


async def _races_that_name(
    store: Store, player: PlayerId, unread: dict[RaceId, Damaged]
) -> AsyncIterator[Race]:
    """Those that can't be read and do not hold the player's id come to be in ``unread``."""
    rooms = [key async for key in store.keys("bb:{") if key.endswith("}:room")]
    for some in chunks(rooms, _ROOMS_AT_ONCE):
        kinds = await store.ask(*(("TYPE", room) for room in some))
        logs = [room for room, kind in zip(some, kinds, strict=True) if kind == b"stream"]
        begin = await store.ask(*(("XRANGE", room, "-", "+", "COUNT", _FIRST) for room in logs))
        entries = dict(zip(logs, begin, strict=True))
        for room, kind in zip(some, kinds, strict=True):
            race = RaceId(room.removeprefix("bb:{").removesuffix("}:room"))
            try:
                if kind in _READ_WHOLE:
                    raise Damaged(room, "another kind of value is there")
                read = await _race_if_named(store, player, race, entries.get(room, []))
            except Damaged as damaged:
                await _check_unnamed(store, player, race, damaged)
                unread[race] = damaged
            else:
                if read is not None:
                    yield read


async def _race_if_named(
    store: Store, player: PlayerId, race: RaceId, entries: list[Any]
) -> Race | None:
    """The race whose log begins so, if it names the player. Raises Damaged."""
    if len(entries) == _FIRST:
        entries = entries + await _log(store, race, after=entries[-1][0])
    with reading(keys.room_log(race)):
        events = keys.read_events(fields for _, fields in entries)
        return Race(race, events) if any(_names(event, player) for event in events) else None


async def _check_unnamed(store: Store, player: PlayerId, race: RaceId, damaged: Damaged) -> None:
    """Raises NotDeleted if the player's id is in what can't be read of a race."""
    room = keys.room_log(race)
    kind, seat = await store.ask(("TYPE", room), ("EXISTS", keys.seat_log(race, player)))
    if kind in _READ_WHOLE:
        command, *rest = _READ_WHOLE[kind]
        (whole,) = await store.ask((command, room, *rest))
    else:
        whole = await _log(store, race)
    ids = (player.encode(), msgspec.json.encode(player)[1:-1])
    if seat or any(_holds(whole, each) for each in ids):
        text = f"{player} is named in a race that can't be read ({damaged}); put it back from a"
        raise NotDeleted(f"{text} backup, or delete the key {room}, and delete the player again")


def _holds(value: Any, text: bytes) -> bool:
    """Whether the text is anywhere in what Redis answered."""
    match value:
        case bytes():
            return text in value
        case dict():
            return any(_holds(each, text) for pair in value.items() for each in pair)
        case list() | tuple() | set():
            return any(_holds(each, text) for each in value)
        case _:
            return False


async def _log(store: Store, race: RaceId, *, after: bytes = b"0-0") -> list[Any]:
    """The entries of a room's log, with their ids; of a daily that may be many thousands."""
    entries: list[Any] = []
    while True:
        span = (b"(" + after, "+", "COUNT", _ENTRIES_AT_ONCE)
        (more,) = await store.ask(("XRANGE", keys.room_log(race), *span))
        entries += more
        if len(more) < _ENTRIES_AT_ONCE:
            return entries
        after = more[-1][0]


async def _swap_in_boards(
    store: Store, race: RaceId, old: PlayerId, new: PlayerId, ranked: Ranked
) -> None:
    results = board_keys.results(race)
    found = await Boards(store).results(race)
    if found is None:
        return
    summary, players = found
    result = players.get(old) or players.get(new)
    if result is None:
        return
    if old in players and len(equals := ties(summary, players, old)) > 1:
        # The last first: broken off in between, it is the same order.
        await store.ask(*(("HSET", results, who, board_keys.write(it)) for who, it in equals[::-1]))
    division = division_of(old, ranked, bot=result.bot)
    boards: list[Board] = [*daily_boards(summary, old, result, ranked)]
    orders: tuple[Order, ...] = ("points", "rating")
    for order in orders:
        boards += long_boards(summary, old, result, ranked, order)
    pool = board_keys.ratings(summary.game, summary.rules, division)
    commands: list[Command] = [("EVAL", _SWAP_FIELD, 1, key, old, new) for key in (pool, results)]
    commands += [
        ("EVAL", _SWAP_MEMBER, 1, board_keys.board(board.name), old, new) for board in boards
    ]
    await store.ask(*commands)


async def _swap_in_logs(store: Store, race: RaceId, old: PlayerId, new: PlayerId) -> None:
    room = keys.room_log(race)
    entries = await _log(store, race)
    lines: list[bytes] = []
    for _, fields in entries:
        numbers = sorted(int(k) for k in fields)
        events = keys.read_events([fields], after=numbers[0] - 1)
        appends = [
            RoomAppend(race, k, _renamed(event, old, new))
            for k, event in zip(numbers, events, strict=True)
        ]
        words = [word if isinstance(word, str) else word.decode()
                 for word in keys.entry_of([*appends])]  # fmt: skip
        lines.append(msgspec.json.encode(words))
    seats = (keys.seat_log(race, old), keys.seat_log(race, new))
    await store.ask(("EVAL", _REWRITE, 1, room, len(entries), *lines), ("EVAL", _MOVE, 2, *seats))


async def _swap_history(store: Store, old: PlayerId, new: PlayerId) -> None:
    (history,) = await store.ask(("HGETALL", board_keys.history(old)))
    if history:
        words = [word for field in history.items() for word in field]
        await store.ask(("HSET", board_keys.history(new), *words), ("DEL", board_keys.history(old)))


def _names(event: RoomEvent, player: PlayerId) -> bool:
    if isinstance(event, Opened):
        return player in (event.host, *event.invited)
    return player == getattr(event, "player", "")


def _renamed(event: RoomEvent, old: PlayerId, new: PlayerId) -> RoomEvent:
    """The event as if ``new`` had been there."""
    if not _names(event, old):
        return event
    if isinstance(event, Opened):
        host, *invited = (new if who == old else who for who in (event.host, *event.invited))
        return msgspec.structs.replace(event, host=host, invited=tuple(invited))
    # Any: the other events that name a player all have the field, and mypy can't see it.
    changed: dict[str, Any] = {"player": new}
    if isinstance(event, Joined):
        changed["name"] = DELETED
    return msgspec.structs.replace(event, **changed)

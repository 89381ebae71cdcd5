"""The raw reads and writes behind ``bigben admin``. Decides nothing.

Every function raises StoreLost when Redis does not answer as it should.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Append, RoomAppend, RoomEvent
from bigben_server.scoring.boards import Board
from bigben_server.scoring.divisions import Division, Ranked
from bigben_server.scoring.results import RaceSummary, Result
from bigben_server.storage import board_keys, keys
from bigben_server.storage.damage import Damaged, reading
from bigben_server.storage.leaderboards import chunks
from bigben_server.storage.store import Store, StoreLost

# The setting that the stored boards were made for


async def made_for(store: Store) -> Ranked:
    """The setting that the stored boards were made for."""
    (ranked,) = await store.ask(("GET", board_keys.RANKED))
    return "verified" if ranked == b"verified" else "all"


async def make_for(store: Store, ranked: Ranked) -> None:
    """Store the setting that the boards are made for."""
    key = board_keys.RANKED
    await store.ask(("DEL", key) if ranked == "all" else ("SET", key, ranked))


async def forget_derived(store: Store) -> None:
    """Delete all that is made of results. The caller holds the lease to settle."""
    # First, so that whatever is deleted after this is sure to be settled again.
    await store.ask(("DEL", board_keys.SETTLED))
    for prefix in board_keys.DERIVED:
        for some in chunks([key async for key in store.keys(prefix)], 1_000):
            await store.ask(*(("UNLINK", key) for key in some))


# What there is


async def races(store: Store) -> tuple[set[RaceId], set[RaceId]]:
    """The races that have a room's log, and those that have results."""
    there = [key async for key in store.keys("bb:{")]
    rooms = {_race_of(key) for key in there if key.endswith("}:room")}
    return rooms, {_race_of(key) for key in there if key.endswith("}:results")}


async def listed(store: Store) -> tuple[list[bytes], list[bytes]]:
    """The names on the agenda, and those of the closed races."""
    agenda, closed = await store.ask(
        ("ZRANGE", keys.AGENDA, 0, -1), ("ZRANGE", board_keys.CLOSED, 0, -1)
    )
    return agenda, closed


async def players_with_history(store: Store) -> list[PlayerId]:
    """All players who have a result, in order."""
    prefix = board_keys.history(PlayerId(""))
    return sorted([PlayerId(key.removeprefix(prefix)) async for key in store.keys(prefix)])


def _race_of(key: str) -> RaceId:
    return RaceId(key[len("bb:{") : key.index("}")])


# One player's id replaced by another. Each function may be called again after it broke off.

_ROOMS_AT_ONCE: Final = 500
_FIRST: Final = 50
"""Entries of a room's log that are read at once with those of other rooms; few have more."""
_ENTRIES_AT_ONCE: Final = 5_000

_WHOLE: Final[dict[bytes, tuple[str | int, ...]]] = {
    b"stream": ("XRANGE", "-", "+", "COUNT", _FIRST),
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", 0, -1),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", 0, -1),
}
"""The command that reads what lies under a key, by its kind; the key follows the first word."""

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


class RoomLog(NamedTuple):
    """All that lies under the key of a room's log, whatever it is."""

    race: RaceId
    is_log: bool
    value: Any
    """As Redis answers it; of a log the entries with their ids."""

    def events(self) -> list[RoomEvent]:
        """Raises Damaged."""
        key = keys.room_log(self.race)
        if not self.is_log:
            raise Damaged(key, "another kind of value is there")
        with reading(key):
            return keys.read_events(fields for _, fields in self.value)

    def entries(self) -> list[list[RoomAppend]]:
        """The events, by the entry of the log that they are in. Read ``events`` first."""
        found: list[list[RoomAppend]] = []
        for _, fields in self.value:
            first = min(map(int, fields))
            events = keys.read_events([fields], after=first - 1)
            found.append([RoomAppend(self.race, k, e) for k, e in enumerate(events, start=first)])
        return found

    def names(self, player: PlayerId) -> bool:
        """Whether the player's id is anywhere in it, also where it can't be read."""
        escaped = msgspec.json.encode(player)[1:-1]
        return _holds(self.value, player.encode()) or _holds(self.value, escaped)


async def room_logs(store: Store) -> AsyncIterator[RoomLog]:
    """The log of every race, in no order."""
    found = [key async for key in store.keys("bb:{") if key.endswith("}:room")]
    for some in chunks(found, _ROOMS_AT_ONCE):
        kinds = await store.ask(*(("TYPE", key) for key in some))
        there = [(key, kind) for key, kind in zip(some, kinds, strict=True) if kind in _WHOLE]
        values = await store.ask(*((_WHOLE[k][0], key, *_WHOLE[k][1:]) for key, k in there))
        for (key, kind), value in zip(there, values, strict=True):
            race, is_log = _race_of(key), kind == b"stream"
            if is_log and len(value) == _FIRST:
                value += await _entries(store, race, after=value[-1][0])
            yield RoomLog(race, is_log, value)


async def room_log(store: Store, race: RaceId) -> RoomLog:
    """The log of a race. Raises Damaged if another kind of value is there."""
    return RoomLog(race, True, await _entries(store, race))


async def has_seat_log(store: Store, race: RaceId, player: PlayerId) -> bool:
    """Whether the player began a game in this race."""
    return bool((await store.ask(("EXISTS", keys.seat_log(race, player))))[0])


async def is_due(store: Store, race: RaceId) -> bool:
    """Whether the race is on the agenda."""
    return (await store.ask(("ZSCORE", keys.AGENDA, race)))[0] is not None


async def is_known(store: Store, player: PlayerId) -> bool:
    """Whether the player has a name, or anything else is stored about them."""
    name, about = ("HEXISTS", keys.NAMES, player), ("EXISTS", board_keys.player(player))
    return any(await store.ask(name, about))


async def deleted_as(store: Store, player: PlayerId, candidate: PlayerId) -> PlayerId:
    """The id that takes the place of a player: the first candidate ever offered."""
    about = board_keys.player(player)
    _, chosen = await store.ask(
        ("HSETNX", about, board_keys.DELETED_AS, candidate),
        ("HGET", about, board_keys.DELETED_AS),
    )
    return PlayerId(chosen.decode())


async def forget_player(store: Store, player: PlayerId) -> None:
    """Delete the name of a player, and all else that is stored about them."""
    await store.ask(("HDEL", keys.NAMES, player), ("DEL", board_keys.player(player)))


async def write_results(
    store: Store, race: RaceId, results: Iterable[tuple[PlayerId, Result]]
) -> None:
    """Change results that are recorded, in this order."""
    key = board_keys.results(race)
    await store.ask(*(("HSET", key, player, board_keys.write(r)) for player, r in results))


class PlayerSwap:
    """Replaces one player's id by another. Calling a method again changes nothing."""

    def __init__(self, store: Store, old: PlayerId, new: PlayerId) -> None:
        self._store = store
        self.old = old
        self.new = new

    async def on_boards(
        self, race: RaceId, summary: RaceSummary, division: Division, boards: Iterable[Board]
    ) -> None:
        """The player's scores on these boards, their rating, and their result in the race."""
        pool = board_keys.ratings(summary.game, summary.rules, division)
        members = [board_keys.board(board.name) for board in boards]
        commands = [
            *((_SWAP_FIELD, key) for key in (pool, board_keys.results(race))),
            *((_SWAP_MEMBER, key) for key in members),
        ]
        await self._store.ask(
            *(("EVAL", script, 1, key, self.old, self.new) for script, key in commands)
        )

    async def in_logs(self, read: RoomLog, entries: Iterable[Sequence[Append]]) -> None:
        """The player's seat; the room's log is replaced by these entries.

        Raises StoreLost, and the log is unchanged, if it has grown since it was read.
        """
        race, lines = read.race, list[bytes]()
        for entry in entries:
            words = (w if isinstance(w, str) else w.decode() for w in keys.entry_of([*entry]))
            lines.append(msgspec.json.encode([*words]))
        await self._store.ask(
            ("EVAL", _REWRITE, 1, keys.room_log(race), len(read.value), *lines),
            ("EVAL", _MOVE, 2, keys.seat_log(race, self.old), keys.seat_log(race, self.new)),
        )

    async def in_history(self) -> None:
        """The player's history."""
        old, new = board_keys.history(self.old), board_keys.history(self.new)
        (history,) = await self._store.ask(("HGETALL", old))
        if history:
            words = [word for field in history.items() for word in field]
            await self._store.ask(("HSET", new, *words), ("DEL", old))


async def _entries(store: Store, race: RaceId, *, after: bytes = b"0-0") -> list[Any]:
    """The entries of a room's log, with their ids; of a daily that may be many thousands."""
    entries: list[Any] = []
    while True:
        span = (b"(" + after, "+", "COUNT", _ENTRIES_AT_ONCE)
        (more,) = await store.ask(("XRANGE", keys.room_log(race), *span))
        entries += more
        if len(more) < _ENTRIES_AT_ONCE:
            return entries
        after = more[-1][0]


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


# The append-only files

_REWRITING: Final = "already in progress"


class Persistence(NamedTuple):
    """What a node of Redis does to its append-only file."""

    has_file: bool
    busy: bool
    """It is rewriting the file, or will as soon as it has saved a snapshot."""
    failed: bool
    """The last rewrite was not completed."""
    done: int
    of: int
    """How many keys are written, and how many there are; 0 if unknown."""


async def start_rewrite(store: Store) -> bool:
    """Have every node rewrite its file; False if one is just doing so."""
    try:
        await store.everywhere("BGREWRITEAOF")
    except StoreLost as lost:
        if _REWRITING not in str(lost):
            raise
        return False
    return True


async def persistence(store: Store) -> dict[str, Persistence]:
    """What each node does to its file, by the node's address."""
    found: dict[str, Persistence] = {}
    for node, about in (await store.everywhere("INFO", "persistence")).items():
        statuses = ("aof_rewrite_in_progress", "aof_rewrite_scheduled")
        found[node] = Persistence(
            bool(int(about["aof_enabled"])),
            any(int(about[status]) for status in statuses),
            about["aof_last_bgrewrite_status"] != "ok",
            int(about.get("current_save_keys_processed", 0)),
            int(about.get("current_save_keys_total", 0)),
        )
    return found

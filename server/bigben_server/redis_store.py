"""Races in Redis: logs appended once and read back, results, boards. The one user of redis-py.

Decides nothing. Every method raises StoreLost when Redis does not answer as it should; what was
being written is then unknown until it is read again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import msgspec
from redis.exceptions import RedisError, ResponseError

from bigben_protocol import PlayerId, RaceId, Standing
from bigben_server import redis_keys as keys
from bigben_server.log import Append, Entry, Mark, RoomEvent
from bigben_server.ranking import Key, pack
from bigben_server.redis_client import Client

_results = msgspec.json.Decoder(Standing)
_ALREADY_WRITTEN = "The ID specified in XADD"
"""How Redis begins its refusal of an entry whose number is taken."""


Command = tuple[str | bytes | int | float, ...]
"""A Redis command in its own words."""


class StoreLost(Exception):
    """Redis is away or can't write. What was under way may have happened or not."""


class Result(NamedTuple):
    """How a seat ended, to be recorded once; ``board`` is empty where none keeps it."""

    race: RaceId
    standing: Standing
    board: str
    key: Key


class Row(NamedTuple):
    """One player on a board."""

    player: PlayerId
    name: str
    place: int
    result: Standing


class Page(NamedTuple):
    """A part of a board, the asker's own row, and how many there are in all."""

    total: int
    rows: list[Row]
    mine: Row | None


class Store:
    """One logical Redis, used through pipelines: a method is one round trip or two."""

    def __init__(self, client: Client) -> None:
        self._redis = client

    async def ping(self) -> None:
        """Whether Redis answers."""
        await self._ask(("PING",))

    async def secret(self, candidate: bytes) -> bytes:
        """The secret all processes share: the first candidate ever offered."""
        _, secret = await self._ask(("SETNX", keys.SECRET, candidate), ("GET", keys.SECRET))
        return cast(bytes, secret)

    async def spend(self, once: str, seconds: int) -> bool:
        """Use a one-time link; whether it was unused. Forgotten after ``seconds``."""
        (answer,) = await self._ask(("SET", keys.spent(once), 1, "NX", "EX", seconds))
        return answer is not None

    async def append(
        self, appends: Iterable[Append], agenda: Mapping[RaceId, int]
    ) -> frozenset[str]:
        """Write to logs, durable on return; the logs that refused, since others wrote first.

        ``agenda`` says when time will next change a race, 0 for never.
        """
        logs: dict[str, list[Append]] = {}
        for append in appends:
            logs.setdefault(keys.log_of(append), []).append(append)
        # Before the logs: a race that is on the agenda for nothing does no harm.
        commands: list[Command] = [
            ("ZADD", keys.AGENDA, at, race) if at else ("ZREM", keys.AGENDA, race)
            for race, at in agenda.items()
        ]
        commands += [("XADD", log, *keys.entry_of(entries)) for log, entries in logs.items()]
        answers = await self._ask(*commands, raise_on_error=False)
        refused: set[str] = set()
        for log, answer in zip(logs, answers[len(agenda) :], strict=True):
            if isinstance(answer, ResponseError) and str(answer).startswith(_ALREADY_WRITTEN):
                refused.add(log)
            elif isinstance(answer, Exception):
                raise StoreLost(str(answer)) from answer
        return frozenset(refused)

    async def events(self, race: RaceId) -> list[RoomEvent]:
        """Every event of a room; empty when there is no such race."""
        (entries,) = await self._ask(("XRANGE", keys.room_log(race), "-", "+"))
        return keys.read_events(fields for _, fields in entries)

    async def marks(self, race: RaceId, players: Sequence[PlayerId]) -> dict[PlayerId, Mark]:
        """Where those seats stand whose log has begun."""
        logs = await self._ask(
            *(("XREVRANGE", keys.seat_log(race, p), "+", "-", "COUNT", 1) for p in players)
        )
        return {
            player: keys.read_mark(entries[0][1][keys.MARK].decode())
            for player, entries in zip(players, logs, strict=True)
            if entries
        }

    async def entries(self, race: RaceId, player: PlayerId) -> list[Entry]:
        """The whole log of a seat."""
        (entries,) = await self._ask(("XRANGE", keys.seat_log(race, player), "-", "+"))
        return keys.read_entries(fields for _, fields in entries)

    async def due(self, now: int) -> list[RaceId]:
        """The races that time has changed by ``now``."""
        (races,) = await self._ask(("ZRANGEBYSCORE", keys.AGENDA, "-inf", now))
        return [RaceId(race.decode()) for race in races]

    async def strike(self, race: RaceId) -> None:
        """Take a race off the agenda."""
        await self._ask(("ZREM", keys.AGENDA, race))

    async def record(self, results: Sequence[Result]) -> None:
        """Record how seats ended; again is the same as once."""
        commands: list[Command] = []
        for race, standing, board, key in results:
            record = msgspec.json.encode(standing)
            commands.append(("HSETNX", keys.results(race), standing.player, record))
            commands.append(("HSET", keys.NAMES, standing.player, standing.name))
            if board:
                commands.append(("ZADD", keys.board(board), pack(key), standing.player))
        await self._ask(*commands)

    async def page(
        self, board: str, race: RaceId, start: int, count: int, player: PlayerId
    ) -> Page:
        """``count`` rows of a board after the first ``start``, and the row of ``player``."""
        name = keys.board(board)
        members, mine, total = await self._ask(
            ("ZRANGE", name, start, start + count - 1, "WITHSCORES"),
            ("ZSCORE", name, player),
            ("ZCARD", name),
        )
        scores = {member.decode(): int(score) for member, score in _pairs(members)}
        asked = dict(scores) if mine is None else {**scores, player: int(mine)}
        if not asked:
            return Page(total, [], None)
        names, records, *better = await self._ask(
            ("HMGET", keys.NAMES, *asked),
            ("HMGET", keys.results(race), *asked),
            *(("ZCOUNT", name, "-inf", f"({score}") for score in asked.values()),
        )
        rows = {
            member: Row(
                PlayerId(member),
                called.decode() if called else member,
                before + 1,
                _results.decode(record),
            )
            for member, called, record, before in zip(asked, names, records, better, strict=True)
        }
        return Page(total, [rows[member] for member in scores], rows.get(player))

    async def _ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        """The answers to the commands, sent in one go. ``Any``: each has a shape of its own."""
        if not commands:
            return []
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                for command in commands:
                    _ = pipe.execute_command(*command)
                return await pipe.execute(raise_on_error=raise_on_error)
        except (RedisError, OSError) as error:
            raise StoreLost(str(error)) from error


def _pairs(members: list[Any]) -> list[Any]:
    """Members with their scores, as RESP3 pairs them and RESP2 does not."""
    if members and not isinstance(members[0], list | tuple):
        return list(zip(members[::2], members[1::2], strict=True))
    return members

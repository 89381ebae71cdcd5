"""Races in Redis: logs appended once and read back. Knows no results and no boards.

Decides nothing. Every method raises StoreLost when Redis does not answer as it should; what was
being written is then unknown until it is read again.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.exceptions import NoScriptError, ResponseError, SlotNotCoveredError

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Append, Entry, RoomEvent, SeatAppend, SeatStatus
from bigben_server.storage import append_script, keys
from bigben_server.storage.client import ANSWER_S, LOST, Client, look_again, reason
from bigben_server.storage.damage import Damaged, reading
from bigben_server.tasks import not_cancelled

Command = tuple[str | bytes | int | float, ...]
"""A Redis command in its own words."""


AT_ONCE = 50
"""Questions under way; more would each open a connection. The group commit never waits here."""

AWAY_S = 5.0
"""For so long, or until all have answered a ping, a node of a cluster that did not answer is not
asked again: one that hangs would hold up every commit that has something for it."""

REPLICATED_MS = 1_000
"""How long replicas may take to say that they have something."""


class StoreLost(Exception):
    """Redis is away or can't write. What was under way may have happened or not."""


class NodeLost(StoreLost):
    """A node of a cluster is away. Data on other nodes can be read and changed."""


class PartlyLost(NodeLost):
    """Some logs lie on a node that is away. Appends to other nodes are durable or refused."""

    def __init__(self, text: str, *, lost: frozenset[str], refused: frozenset[str]) -> None:
        super().__init__(text)
        self.lost = lost
        """The logs for which it is unknown whether they were written."""
        self.refused = refused


@contextmanager
def as_lost() -> Iterator[None]:
    """Raises StoreLost for whatever else redis-py raises; a task that was cancelled ends."""
    try:
        yield
    except LOST as error:
        if not not_cancelled():
            raise asyncio.CancelledError from error
        raise StoreLost(reason(error)) from error
    if not not_cancelled():
        # redis-py looks for data with a timeout of 0, in which a cancellation can get lost.
        raise asyncio.CancelledError


class Store:
    """One logical Redis, used through pipelines: a method is one round trip or two.

    ``replicas``: how many must have all that a method has written or read before it returns.
    """

    def __init__(self, client: Client, *, replicas: int = 0) -> None:
        self._redis = client
        self._replicas = replicas
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._away: dict[str, float] = {}
        """Nodes that did not answer, and the loop time until which they are not asked again."""
        self._late: dict[RaceId, int] = {}
        """Agenda entries that could not be written."""

    async def ping(self) -> None:
        """Whether Redis answers, every node of it; in a cluster, find out who has what now."""
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                await look_again(self._redis)
        self._away.clear()

    async def secret(self, candidate: bytes) -> bytes:
        """The secret all processes share: the first candidate ever offered."""
        _, secret = await self.ask(("SETNX", keys.SECRET, candidate), ("GET", keys.SECRET))
        return cast(bytes, secret)

    async def spend(self, once: str, seconds: int) -> bool:
        """Use a one-time link; whether it was unused. Forgotten after ``seconds``."""
        (answer,) = await self.ask(("SET", keys.spent(once), 1, "NX", "EX", seconds))
        return answer is not None

    async def append(
        self, appends: Iterable[Append], agenda: Mapping[RaceId, int]
    ) -> frozenset[str]:
        """Write to logs, durable on return; the logs that refused, since they do not end with what
        the append follows: others wrote first, or the store has lost what was there.

        ``agenda`` says when time will next change a race, 0 for never. Where its node of a cluster
        is away, no race waits for that: it is written when ``due`` is asked next. Raises StoreLost,
        or PartlyLost where the others may go on, and Damaged.
        """
        logs: dict[str, list[Append]] = {}
        # Rooms first: what is appended to a seat may stand on an event of the same batch.
        for append in sorted(appends, key=lambda append: isinstance(append, SeatAppend)):
            logs.setdefault(keys.log_of(append), []).append(append)
        # Before the logs: a race that is on the agenda for nothing does no harm.
        due = [_due(race, at) for race, at in agenda.items()]
        entries = [append_script.command(log, logs) for log in logs]
        answers = await self._send(due + entries, raise_on_error=False)
        for (race, at), answer in zip(agenda.items(), answers, strict=False):
            if isinstance(answer, Exception):
                self._late[race] = at
            else:
                self._late.pop(race, None)
        written = answers[len(due) :]
        # A Redis that was started again, or a node of a cluster, has not seen the script yet.
        unseen = [i for i, answer in enumerate(written) if isinstance(answer, NoScriptError)]
        if unseen:
            with_script = [append_script.taught(entries[i]) for i in unseen]
            again = await self._send(with_script, raise_on_error=False)
            for i, answer in zip(unseen, again, strict=True):
                written[i] = answer
        refused = frozenset(log for log, done in zip(logs, written, strict=True) if done == 0)
        lost = {
            log: answer
            for log, answer in zip(logs, written, strict=True)
            if isinstance(answer, Exception)
        }
        if not lost:
            return refused
        error = next(iter(lost.values()))
        if not isinstance(error, NodeLost):
            raise StoreLost(reason(error)) from error
        raise PartlyLost(reason(error), lost=frozenset(lost), refused=refused) from error

    def reaches(self, race: RaceId) -> bool:
        """Whether the node that has this race, or would have it, is not known to be away."""
        if not (self._away and isinstance(self._redis, RedisCluster)):
            return True
        return not self._is_away(self._redis.get_node_from_key(keys.room_log(race)))

    async def events(self, race: RaceId, *, after: int = 0) -> list[RoomEvent]:
        """The events of a room after the first ``after``; empty when there is no such race.

        Raises Damaged.
        """
        (entries,) = await self.ask(("XRANGE", keys.room_log(race), f"{after + 1}-0", "+"))
        with reading(keys.room_log(race)):
            return keys.read_events((fields for _, fields in entries), after=after)

    async def statuses(
        self, race: RaceId, players: Sequence[PlayerId]
    ) -> dict[PlayerId, SeatStatus]:
        """Where those seats stand whose log has begun. Raises Damaged."""
        logs = await self.ask(
            *(("XREVRANGE", keys.seat_log(race, p), "+", "-", "COUNT", 1) for p in players)
        )
        statuses: dict[PlayerId, SeatStatus] = {}
        for player, entries in zip(players, logs, strict=True):
            if entries:
                with reading(keys.seat_log(race, player)):
                    statuses[player] = keys.read_status(entries[0][1][keys.MARK].decode())
        return statuses

    async def entries(self, race: RaceId, player: PlayerId) -> list[Entry]:
        """The whole log of a seat. Raises Damaged."""
        (entries,) = await self.ask(("XRANGE", keys.seat_log(race, player), "-", "+"))
        with reading(keys.seat_log(race, player)):
            return keys.read_entries(fields for _, fields in entries)

    async def due(self, now: int) -> list[RaceId]:
        """The races that time has changed by ``now``. What is no race's name is left out."""
        if late := dict(self._late):
            await self.ask(*(_due(race, at) for race, at in late.items()))
            self._late = {race: at for race, at in self._late.items() if late.get(race) != at}
        (races,) = await self.ask(("ZRANGEBYSCORE", keys.AGENDA, "-inf", now))
        return [RaceId(race.decode()) for race in races if race.isascii()]

    async def postpone(self, races: Sequence[RaceId], at: int) -> None:
        """Have races that are on the agenda come up at ``at`` instead, ms since 1970."""
        if races:
            words = (word for race in races for word in (at, race))
            await self.ask(("ZADD", keys.AGENDA, "XX", *words))

    async def strike(self, race: RaceId) -> None:
        """Take a race off the agenda."""
        await self.ask(("ZREM", keys.AGENDA, race))

    async def keep(self, race: RaceId, players: Iterable[PlayerId], seconds: int) -> None:
        """Keep a race no longer than that; its seats a little longer, so that none is missed."""
        await self.ask(
            ("EXPIRE", keys.room_log(race), seconds),
            *(("EXPIRE", keys.seat_log(race, player), seconds + 60) for player in players),
        )

    async def keys(self, prefix: str) -> AsyncIterator[str]:
        """All keys that begin so, in no order. For the operator: it looks at every key there is."""
        with as_lost():
            async for key in self._redis.scan_iter(match=f"{prefix}*", count=1_000):
                yield key.decode(errors="replace")

    async def everywhere(self, *words: str) -> dict[str, Any]:
        """Each node's answer, by its address, to a command without a key."""
        redis = self._redis
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if isinstance(redis, RedisCluster):
                    return {
                        node.name: await redis.execute_command(*words, target_nodes=node)
                        for node in redis.get_nodes()
                    }
                # redis-py has no types for what a command answers.
                return {"Redis": await redis.execute_command(*words)}  # type: ignore[no-untyped-call]

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        """The answers to the commands, sent in one go. ``Any``: each has a shape of its own."""
        if not commands:
            return []
        async with self._turns:
            return await self._send(commands, raise_on_error=raise_on_error)

    async def _send(self, commands: Sequence[Command], *, raise_on_error: bool) -> list[Any]:
        """The answers, among them exceptions unless these are to be raised.

        In a cluster each node is asked on its own: where one is away, the others answer.
        """
        if not isinstance(self._redis, RedisCluster):
            answers = await self._send_to(None, commands)
        else:
            answers = await self._send_to_nodes(self._redis, commands)
        for command, answer in zip(commands, answers, strict=True):
            if isinstance(answer, ResponseError) and "WRONGTYPE" in str(answer):
                raise Damaged(str(_key(command)), "another kind of value is there") from answer
            if raise_on_error and isinstance(answer, StoreLost):
                raise answer
            if raise_on_error and isinstance(answer, Exception):
                raise StoreLost(reason(answer)) from answer
        return answers

    async def _send_to_nodes(self, cluster: RedisCluster, commands: Sequence[Command]) -> list[Any]:
        nodes: dict[ClusterNode, list[int]] = {}
        with as_lost():
            _ = await cluster.initialize()  # once: finds out which node has what
            for i, command in enumerate(commands):
                node = cluster.get_node_from_key(str(_key(command)))
                if node is None:
                    raise SlotNotCoveredError(f"no node of the cluster has {_key(command)!r}")
                nodes.setdefault(node, []).append(i)
        answers: list[Any] = [None] * len(commands)

        async def send(node: ClusterNode, numbers: list[int]) -> None:
            try:
                if self._is_away(node):
                    raise StoreLost(f"{node.name} has not answered")
                answered = await self._send_to(node, [commands[i] for i in numbers])
                self._away.pop(node.name, None)
            except StoreLost as error:
                if not self._is_away(node):
                    self._away[node.name] = asyncio.get_running_loop().time() + AWAY_S
                answered = [NodeLost(str(error))] * len(numbers)
            for i, answer in zip(numbers, answered, strict=True):
                answers[i] = answer

        await asyncio.gather(*(send(node, numbers) for node, numbers in nodes.items()))
        return answers

    def _is_away(self, node: ClusterNode | None) -> bool:
        return node is None or self._away.get(node.name, 0) > asyncio.get_running_loop().time()

    async def _send_to(self, node: ClusterNode | None, commands: Sequence[Command]) -> list[Any]:
        """Send all of it to Redis, or to the one node that has all these keys. Raises StoreLost."""
        with as_lost():
            async with asyncio.timeout(ANSWER_S), self._redis.pipeline(transaction=False) as pipe:
                for command in commands:
                    _ = pipe.execute_command(*command)
                if self._replicas and commands:
                    # Replicas are to have what the commands have written, and also what they have
                    # read: it may have been written by somebody who waited in vain. Goes over the
                    # same connection, after them.
                    to = {"target_nodes": node} if node else {}
                    _ = pipe.execute_command("WAIT", self._replicas, REPLICATED_MS, **to)
                answers = await pipe.execute(raise_on_error=False)
        for have_it in answers[len(commands) :]:
            if isinstance(have_it, Exception):
                raise StoreLost(reason(have_it)) from have_it
            if have_it < self._replicas:
                raise StoreLost(
                    f"only {have_it} of the {self._replicas} replicas keep up that must"
                    " (BIGBEN_REDIS_WAIT)"
                )
        return answers[: len(commands)]


def _due(race: RaceId, at: int) -> Command:
    return ("ZADD", keys.AGENDA, at, race) if at else ("ZREM", keys.AGENDA, race)


def _key(command: Command) -> str | bytes | int | float:
    """A key of a command, which says where in a cluster it goes."""
    return command[3] if command[0] in ("EVAL", "EVALSHA") else command[1]

"""Sends commands to one Redis or a cluster, and raises an exception if it does not answer."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, Self, TypeVar, cast

from redis import exceptions
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, SentinelConnectionPool
from redis.backoff import NoBackoff

from bigben_protocol import RaceId
from bigben_rules import IllegalMove
from bigben_server.counters import COUNTS
from bigben_server.race.events import Log
from bigben_server.readiness import AWAY, Trouble, refused_writes, unconfirmed_writes
from bigben_server.storage import exchange
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys, pattern
from bigben_server.tasks import not_cancelled

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

Client = Redis | RedisCluster

ANSWER_S = 5.0
"""How long the answers to one pipeline may take before Redis counts as away. One timer for all of
them: redis-py's own would cost a timer for each answer and a task for each write, and on Python
3.11 such a task can swallow the cancellation of the task that waits for it."""
NODE_S = 2.0
"""How long one of several nodes may take before redis-py asks another."""
ATONCE = 50
"""Pipelines under way, without the group commit's; more would each open a connection."""
AWAY_S = 5.0
"""How long not to ask a cluster node that did not answer, unless a ping finds all nodes up."""
REPLICATED_MS = 1_000
"""How long replicas may take to confirm a write."""
LOST = (exceptions.RedisError, exceptions.RedisClusterException, OSError, RuntimeError)
"""What a client raises if Redis does not do what it was asked, including timeouts. uvloop raises
RuntimeError for a write to a connection that has just been lost."""

ONCE = Retry(NoBackoff(), 0, supported_errors=())
"""A client sends no command twice, because the caller first reads what became of it, and does not
reconnect after an error, because a subscriber has to know that updates may have been missed."""


class Damaged(Exception):
    """The value of a key can't be read, or it makes no sense. The text tells the operator why."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")
        self.key, self.why = key, why

    def __reduce__(self) -> tuple[type["Damaged"], tuple[str, str]]:
        return Damaged, (self.key, self.why)


class StoreLost(Exception):
    """Redis is away or can't write. Commands under way may or may not have been carried out."""

    def __init__(self, text: str, trouble: Trouble = AWAY) -> None:
        super().__init__(text)
        self.trouble = trouble


class NodeLost(StoreLost):
    """A node of a cluster is away. Data on other nodes can be read and changed."""


class PartlyLost(NodeLost):
    """It is unknown whether the ``lost`` logs were written. The others are, or were ``refused``."""

    def __init__(
        self,
        text: str,
        trouble: Trouble = AWAY,
        *,
        lost: frozenset[Log],
        refused: frozenset[Log],
    ) -> None:
        super().__init__(text, trouble)
        self.lost, self.refused = lost, refused


def lost(error: BaseException) -> StoreLost:
    """Why Redis is lost, for the operator."""
    if isinstance(error, StoreLost):
        return error
    if refused := refused_writes(error):
        return StoreLost(*refused)
    return StoreLost(_reason(error))


def _reason(error: BaseException) -> str:
    # redis-py has a class for this, but not in all of its clients.
    password = re.search("HELLO (<proto> )?AUTH|username-password pair|auth:", str(error))
    if isinstance(error, MasterNotFoundError):  # redis-py lists all its settings
        if password:
            return "the password of the sentinels (sentinel_password) is missing or wrong"
        tls = ", or none can be reached with TLS and its certificate verified"
        return f"no sentinel knows of a master that is up{tls * ('SSLConnection' in str(error))}"
    if password:
        return "its password is missing or wrong"
    return str(error).rstrip(".") or "it does not answer"


@contextmanager
def as_lost() -> Iterator[None]:
    """Turns every error of redis-py into StoreLost. A cancelled task ends."""
    try:
        yield
    except LOST as error:
        if not not_cancelled():
            raise asyncio.CancelledError from error
        raise lost(error) from error
    if not not_cancelled():
        # redis-py looks for data with a timeout of 0, in which a cancellation can get lost.
        raise asyncio.CancelledError


@contextmanager
def reading(key: str) -> Iterator[None]:
    """Turns every error while the value of ``key`` is decoded into Damaged."""
    try:
        yield
    except Damaged:
        raise
    # Anything: bytes that are not text, an event of a later version, an illegal move.
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) else repr(error)
        if isinstance(error, IllegalMove):  # its text has the whole position, including the stock
            why = str(error.said)
        raise Damaged(key, why.rstrip(".") or type(error).__name__) from error


def read_each(
    keys: Iterable[str],
    answers: Iterable[Any],  # Any: of each the value, or Damaged
    read: Callable[[str, Any], _T],
) -> list[_T | Damaged]:
    """What ``read`` makes of the value of each key, or Damaged in its place."""
    found: list[_T | Damaged] = []
    for key, answer in zip(keys, answers, strict=True):
        try:
            if isinstance(answer, Damaged):
                raise answer
            with reading(key):
                found.append(read(key, answer))
        except Damaged as damaged:
            found.append(damaged)
    return found


def sound(found: _T | Damaged) -> _T:
    """What was read. Raises Damaged if it could not be."""
    if isinstance(found, Damaged):
        raise found
    return found


@dataclass(eq=False, repr=False)
class Connection:
    """One logical Redis, used through pipelines. Every method raises StoreLost if Redis fails."""

    client: Client
    keys: Keys = field(default=Keys(), kw_only=True)
    replicas: int = field(default=0, kw_only=True)
    """How many must have everything that a pipeline has written or read before it returns."""
    url: str = field(default="", kw_only=True)
    """Where other processes find it; empty if they can't."""
    _pipelines: asyncio.Semaphore = field(
        default_factory=lambda: asyncio.Semaphore(ATONCE), init=False
    )
    _away: dict[str, float] = field(default_factory=dict, init=False)
    """Nodes that did not answer, each with the loop time until which it is not asked again."""
    _kept: AbstractConnection | None = field(default=None, init=False)
    """One that is idle: the pool takes long to hand one out."""
    _reported: set[str] = field(default_factory=set, init=False)

    def report(self, damaged: Damaged) -> None:
        """Log damage that was found, once."""
        if str(damaged) not in self._reported:
            continues = "Everything else continues; `bigben admin check` lists what is damaged."
            _log.error("%s. %s", damaged, continues)
        self._reported.add(str(damaged))

    def readable(self, found: Iterable[_T | Damaged]) -> list[_T]:
        """What could be read; the damage is reported."""
        readable: list[_T] = []
        for one in found:
            if isinstance(one, Damaged):
                self.report(one)
            else:
                readable.append(one)
        return readable

    def __post_init__(self) -> None:
        # Asked once: redis-py's class is a Protocol, for which isinstance is slow.
        self.cluster = self.client if isinstance(self.client, RedisCluster) else None

    async def ping(self) -> None:
        """Return if every node of Redis answers. In a cluster, find out which node has what."""
        cluster = self.cluster
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if cluster is None:
                    await self.client.ping()
                    return
                _ = await cluster.initialize()
                await cluster.nodes_manager.initialize()
                for node in cluster.get_primaries():
                    about = await cluster.execute_command("CLUSTER INFO", target_nodes=node)
                    if about["cluster_state"] != "ok":
                        state = f"to {node.name} the cluster is {about['cluster_state']}"
                        raise exceptions.ClusterDownError(state)
        self._away.clear()

    async def revive(self) -> None:
        """Return if all of Redis answers. An embedded Redis is first started again."""
        await self.ping()

    def unconfirmed(self) -> Self:
        """The same Redis without waiting for replicas: for what only says how things are."""
        return replace(self, replicas=0) if self.replicas else self

    def is_up(self, race: RaceId) -> bool:
        """Whether the node of this race is not known to be away."""
        if not (self._away and self.cluster):
            return True
        return not self._is_away(self.cluster.get_node_from_key(self.keys.room_log(race)))

    async def scan(self, beginning: str) -> AsyncIterator[str]:
        """All keys that begin like this, in no order.

        It reads every key: only for operators, and for groups that go.
        """
        with as_lost():
            async for key in self.client.scan_iter(match=pattern(beginning), count=1_000):
                yield key.decode(errors="replace")

    async def everywhere(self, *words: str) -> dict[str, Any]:
        """The answer of each node, by its address, to a command without a key."""
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if (cluster := self.cluster) is None:
                    return {"Redis": await self.client.execute_command(*words)}
                ask = cluster.execute_command
                return {n.name: await ask(*words, target_nodes=n) for n in cluster.get_nodes()}

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        """Send the commands in one pipeline. ``Any``: each answer has its own type."""
        async with self._pipelines:
            return await self.send(commands, raise_on_error=raise_on_error)

    async def ask_each(self, *commands: Command) -> list[Any]:
        """The same; Damaged is in the place of an answer if the key has a value of another kind."""
        try:
            return await self.ask(*commands)
        except Damaged as damaged:
            if len(commands) == 1:
                return [damaged]
        half = len(commands) // 2
        return [*await self.ask_each(*commands[:half]), *await self.ask_each(*commands[half:])]

    async def send(self, commands: Sequence[Command], *, raise_on_error: bool) -> list[Any]:
        """Send the commands without waiting for other pipelines.

        The answers contain exceptions unless ``raise_on_error``. If a node of a cluster is away,
        the others answer. Raises Damaged. Without commands, Redis is not asked and may be away.
        """
        if not commands:
            return []
        if self.cluster:
            answers = await self._send_to_nodes(self.cluster, commands)
        else:
            answers = await self._send_to(None, commands)
        for command, answer in zip(commands, answers, strict=True):
            if isinstance(answer, Exception):
                check_kind(_key(command), answer)
                if raise_on_error:
                    raise lost(answer)
        return answers

    async def _send_to_nodes(self, cluster: RedisCluster, commands: Sequence[Command]) -> list[Any]:
        nodes: dict[ClusterNode, list[int]] = {}
        with as_lost():
            _ = await cluster.initialize()  # once: finds out which node has what
        for i, command in enumerate(commands):
            node = cluster.get_node_from_key(_key(command))
            if node is None:
                raise StoreLost(f"no node of the cluster has {_key(command)!r}")
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
                answered = [NodeLost(str(error), error.trouble)] * len(numbers)
            for i, answer in zip(numbers, answered, strict=True):
                answers[i] = answer

        await asyncio.gather(*(send(node, numbers) for node, numbers in nodes.items()))
        return answers

    def _is_away(self, node: ClusterNode | None) -> bool:
        return node is None or self._away.get(node.name, 0) > asyncio.get_running_loop().time()

    async def _send_to(self, node: ClusterNode | None, commands: Sequence[Command]) -> list[Any]:
        """Send all of it to Redis, or to the one node that has all these keys. Raises StoreLost."""
        sent: Sequence[Command] = commands
        if self.replicas and commands[0][0] not in ("PUBLISH", "SPUBLISH", "PUBSUB"):
            # Replicas must also have what the commands have read: another process may have written
            # it and waited in vain. Goes over the same connection, after them.
            sent = [*commands, ("WAIT", self.replicas, REPLICATED_MS)]
        began = perf_counter()
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if self.cluster and node:
                    answers = await exchange.with_node(self.cluster, node, sent)
                else:
                    answers = await self._ask_redis(cast(Redis, self.client), sent)
        COUNTS.redis.add(perf_counter() - began)
        for confirmed in answers[len(commands) :]:
            if isinstance(confirmed, Exception):
                raise lost(confirmed) from confirmed
            if confirmed < self.replicas:
                raise StoreLost(*unconfirmed_writes(confirmed, self.replicas))
        return answers[: len(commands)]

    async def _ask_redis(self, redis: Redis, commands: Sequence[Command]) -> list[Any]:
        pool = redis.connection_pool
        if connection := self._kept:
            self._kept = None
        else:
            # redis-py has no types for its deprecated arguments.
            connection = await pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            # The pool goes through its retries even for a connection that is ready.
            if not connection.is_connected or await connection.can_read():
                await pool.ensure_connection(connection)
            return await exchange.on(connection, commands, redis.response_callbacks)
        finally:
            # A pool of Sentinel must have all that are idle: it closes them after a fail-over.
            if self._kept or isinstance(pool, SentinelConnectionPool):
                await asyncio.shield(pool.release(connection))
            else:
                self._kept = connection


@dataclass(slots=True, eq=False)
class Stored:
    """One part of what is stored, such as the boards, through pipelines of ``store``."""

    store: Connection

    @property
    def keys(self) -> Keys:
        return self.store.keys


def check_kind(key: str, answer: Exception) -> None:
    """Raises Damaged if Redis answered that ``key`` has a value that is not of our kind."""
    if isinstance(answer, exceptions.ResponseError) and "WRONGTYPE" in str(answer):
        raise Damaged(key, "another kind of value is there") from answer


@cache
def script(name: str) -> str:
    """The text of a Lua script in the folder ``lua``."""
    return Path(__file__).with_name("lua").joinpath(f"{name}.lua").read_text()


def chunks(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    for first in range(0, len(items), size):
        yield items[first : first + size]


def _key(command: Command) -> str:
    """The key of a command, which decides its node in a cluster."""
    return str(command[3] if command[0] in ("EVAL", "EVALSHA") else command[1])

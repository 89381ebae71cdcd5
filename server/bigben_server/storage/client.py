"""How commands are sent to one Redis or a cluster, and what is raised where it does not answer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError
from redis.backoff import NoBackoff
from redis.exceptions import (
    ClusterDownError,
    RedisClusterException,
    RedisError,
    ResponseError,
    SlotNotCoveredError,
)

from bigben_rules import IllegalMove
from bigben_server.tasks import not_cancelled

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

Client = Redis | RedisCluster
Command = tuple[str | bytes | int | float, ...]
"""A Redis command and its arguments."""

ANSWER_S = 5.0
"""How long the answers to one pipeline may take before Redis counts as away.

The caller enforces it. redis-py would set a timer for every single answer and a task for every
write, which costs more than all the rest, and on Python 3.11 such a task can swallow the
cancellation of the task that waits for it.
"""
NODE_S = 2.0
"""How long one of several nodes may take before redis-py asks another."""

ATONCE = 50
"""Pipelines under way; more would each open a connection. The group commit never waits here."""

AWAY_S = 5.0
"""How long a cluster node that did not answer is left alone, unless a ping finds all nodes up:
a node that hangs would hold up every commit that has something for it."""

REPLICATED_MS = 1_000
"""How long replicas may take to confirm that they have something."""

LOST = (RedisError, RedisClusterException, OSError)
"""What a client raises when Redis does not do what it was asked. Timeouts are among them."""

# A command is never sent twice by the client: the caller first reads what became of it. Nor does
# the client reconnect after an error: a subscriber has to know that updates may have been missed.
ONCE = Retry(NoBackoff(), 0, supported_errors=())

_NO_PASSWORD = ("HELLO AUTH", "username-password pair")
"""What Redis answers to a client without a password, or with a wrong one."""


class Damaged(Exception):
    """What lies under a key can't be read, or nothing can be built on it.

    The text is for the operator: the key, and why.
    """

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")


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


def reason(error: BaseException) -> str:
    """Why Redis is lost, in words for the operator."""
    if isinstance(error, MasterNotFoundError):
        return "no sentinel knows of a master that is up"  # redis-py lists all its settings
    # redis-py has a class for this, but not in all of its clients.
    if any(words in str(error) for words in _NO_PASSWORD):
        return "its password is missing or wrong"
    return str(error).rstrip(".") or "it does not answer"


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


@contextmanager
def reading(key: str) -> Iterator[None]:
    """Raises Damaged for anything that is raised while what lies under ``key`` is decoded."""
    try:
        yield
    except Damaged:
        raise
    # Anything: bytes that are no text, an event of a later version, a move that is not legal.
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) else repr(error)
        if isinstance(error, IllegalMove):  # whose text has the whole position, stock and all
            why = error.reason
        raise Damaged(key, why.rstrip(".") or type(error).__name__) from error


class DamageLog:
    """What this process has found damaged. Each is logged once, however often it is
    come across.
    """

    def __init__(self) -> None:
        self._reported: set[str] = set()

    def report(self, damaged: Damaged) -> None:
        """Log it, unless it was logged before."""
        if str(damaged) not in self._reported:
            self._reported.add(str(damaged))
            _log.error("%s. All else goes on; `bigben admin check` lists what is damaged.", damaged)


class Connection:
    """One logical Redis, used through pipelines. Every method raises StoreLost when Redis does not
    answer as it should.

    ``replicas``: how many must have all that a pipeline has written or read before it returns.
    """

    def __init__(self, client: Client, *, replicas: int = 0) -> None:
        self.client = client
        self._replicas = replicas
        self._pipelines = asyncio.Semaphore(ATONCE)
        self._away: dict[str, float] = {}
        """Nodes that did not answer, and the loop time until which they are not asked again."""

    async def ping(self) -> None:
        """Return if every node of Redis answers. In a cluster, find out who has what now."""
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if isinstance(self.client, RedisCluster):
                    await _look_again(self.client)
                else:
                    await self.client.ping()
        self._away.clear()

    async def revive(self) -> None:
        """Return if all of Redis answers; an embedded one is started again first."""
        await self.ping()

    def is_up(self, key: str) -> bool:
        """Whether the node that has this key, or would have it, is not known to be away."""
        if not (self._away and isinstance(self.client, RedisCluster)):
            return True
        return not self._is_away(self.client.get_node_from_key(key))

    async def scan(self, prefix: str) -> AsyncIterator[str]:
        """All keys that begin so, in no order. For the operator: it looks at every key there is."""
        with as_lost():
            async for key in self.client.scan_iter(match=f"{prefix}*", count=1_000):
                yield key.decode(errors="replace")

    async def everywhere(self, *words: str) -> dict[str, Any]:
        """Each node's answer, by its address, to a command without a key."""
        client = self.client
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if isinstance(client, RedisCluster):
                    return {
                        node.name: await client.execute_command(*words, target_nodes=node)
                        for node in client.get_nodes()
                    }
                # redis-py has no types for what a command answers.
                return {"Redis": await client.execute_command(*words)}  # type: ignore[no-untyped-call]

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        """The answers to the commands, sent in one go. ``Any``: each has a shape of its own."""
        if not commands:
            return []
        async with self._pipelines:
            return await self.send(commands, raise_on_error=raise_on_error)

    async def send(self, commands: Sequence[Command], *, raise_on_error: bool) -> list[Any]:
        """The answers, without waiting for other pipelines; among them exceptions, unless these
        are to be raised. Where a node of a cluster is away, the others answer. Raises Damaged.
        """
        if isinstance(self.client, RedisCluster):
            answers = await self._send_to_nodes(self.client, commands)
        else:
            answers = await self._send_to(None, commands)
        for command, answer in zip(commands, answers, strict=True):
            if isinstance(answer, ResponseError) and "WRONGTYPE" in str(answer):
                raise Damaged(str(_key(command)), "another kind of value is there") from answer
            if raise_on_error and isinstance(answer, Exception):
                raise answer if isinstance(answer, StoreLost) else StoreLost(reason(answer))
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
            async with asyncio.timeout(ANSWER_S), self.client.pipeline(transaction=False) as pipe:
                for command in commands:
                    _ = pipe.execute_command(*command)
                if self._replicas and commands:
                    # Replicas must also have what the commands have read: another process may have
                    # written it and waited in vain. Goes over the same connection, after them.
                    to = {"target_nodes": node} if node else {}
                    _ = pipe.execute_command("WAIT", self._replicas, REPLICATED_MS, **to)
                answers = await pipe.execute(raise_on_error=False)
        for confirmed in answers[len(commands) :]:
            if isinstance(confirmed, Exception):
                raise StoreLost(reason(confirmed)) from confirmed
            if confirmed < self._replicas:
                raise StoreLost(
                    f"only {confirmed} of the {self._replicas} replicas keep up that must"
                    " (BIGBEN_REDIS_WAIT)"
                )
        return answers[: len(commands)]


async def _look_again(cluster: RedisCluster) -> None:
    """Find out which node has what. Raises one of LOST if a node does not see a whole cluster."""
    _ = await cluster.initialize()
    await cluster.nodes_manager.initialize()
    for node in cluster.get_primaries():
        about = await cluster.execute_command("CLUSTER INFO", target_nodes=node)
        if about["cluster_state"] != "ok":
            raise ClusterDownError(f"to {node.name} the cluster is {about['cluster_state']}")


def chunks(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """The items, ``size`` at a time."""
    for first in range(0, len(items), size):
        yield items[first : first + size]


def _key(command: Command) -> str | bytes | int | float:
    """A key of a command, which says where in a cluster it goes."""
    return command[3] if command[0] in ("EVAL", "EVALSHA") else command[1]

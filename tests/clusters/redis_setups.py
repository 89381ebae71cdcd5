"""Redis as operators run it: a cluster of three masters, and a master and replicas under Sentinel.

All are processes of the test, from the program that ``bigben serve`` would start.
"""

import asyncio
import random
import signal
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from redis.asyncio import Redis
from redis.exceptions import RedisError
from tests.support.patience import PATIENCE_S

from bigben_server.storage.embedded import find_redis_server

DURABLE = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
_MASTER_NAME = "bigben"
_BOUNDS = (5461, 10923)
"""The first slots of the second and the third master of a cluster."""


class Node:
    """One redis-server process, with the same port and data after each start."""

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(exist_ok=True)
        self.port, self._reserved = _reserved_port()
        self._command = (
            *(str(find_redis_server().path), *options),
            *("--port", str(self.port), "--bind", "127.0.0.1"),
            *("--dir", str(folder), "--logfile", "redis.log"),
        )
        self.start()

    @property
    def url(self) -> str:
        """For BIGBEN_REDIS_URL, if it is the only node."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, ready or not."""
        self._process = subprocess.Popen(self._command)

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait()

    def leave(self) -> None:
        """kill -9, and release its port."""
        self.kill()
        for each in self._reserved:
            each.close()

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, as an operator does with ``kill``."""
        self._process.send_signal(number)

    async def ask(self, *command: str | int) -> str:
        """The answer to a command, as text. Raises RedisError."""
        async with Redis(port=self.port, decode_responses=True, protocol=2) as client:
            client.response_callbacks.clear()  # the caller needs the raw text
            # redis-py has no types for this command
            answer: object = await client.execute_command(*command)  # type: ignore[no-untyped-call]
        return ":".join(map(str, answer)) if isinstance(answer, list) else str(answer)

    async def until(self, words: str, *command: str | int) -> None:
        """Wait until these words are in the answer."""
        said = ""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while words not in said:
                    await asyncio.sleep(0.02)
                    try:
                        said = await self.ask(*command)
                    except RedisError as error:
                        said = str(error)
        except TimeoutError:
            raise AssertionError(f"{command} never answered {words!r} but {said!r}") from None


@asynccontextmanager
async def alone(folder: Path) -> AsyncIterator[Node]:
    """One server, with its data in the folder ``redis`` in this one, which may be there already."""
    node = Node(folder / "redis", *DURABLE)
    try:
        await node.until("PONG", "PING")
        yield node
    finally:
        node.leave()


@asynccontextmanager
async def cluster(folder: Path, *, partial: bool = False) -> AsyncIterator[list[Node]]:
    """Three masters that share the slots. ``partial``: each answers even if others are dead."""
    coverage = ("--cluster-require-full-coverage", "no" if partial else "yes")
    enabled = ("--cluster-enabled", "yes", *coverage)
    nodes = [Node(folder / name, *DURABLE, *enabled) for name in "abc"]
    try:
        bounds = [0, *_BOUNDS, 16384]
        for node, first, end in zip(nodes, bounds, bounds[1:], strict=False):
            await node.until("PONG", "PING")
            await node.ask("CLUSTER", "ADDSLOTS", *range(first, end))
            await node.ask("CLUSTER", "SET-CONFIG-EPOCH", 1 + nodes.index(node))
        for node in nodes[1:]:
            await node.ask("CLUSTER", "MEET", "127.0.0.1", nodes[0].port)
        for node in nodes:
            await node.until("cluster_state:ok", "CLUSTER", "INFO")
        yield nodes
    finally:
        for node in nodes:
            node.leave()


async def owner(nodes: list[Node], key: str) -> Node:
    """Which of the three masters has this key."""
    slot = int(await nodes[0].ask("CLUSTER", "KEYSLOT", key))
    return nodes[sum(slot >= bound for bound in _BOUNDS)]


def cluster_url(nodes: list[Node]) -> str:
    """For BIGBEN_REDIS_URL."""
    return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in nodes)


class Watched(NamedTuple):
    """A master and its replicas, and the sentinels that watch them."""

    master: Node
    replicas: list[Node]
    sentinels: list[Node]

    @property
    def url(self) -> str:
        """For BIGBEN_REDIS_URL."""
        addresses = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{addresses}/{_MASTER_NAME}"


@asynccontextmanager
async def watched(folder: Path, *, down_after_ms: int = 60_000) -> AsyncIterator[Watched]:
    """Three sentinels that fail over from a master that is silent for this long.

    A test in which none dies uses a time that even a busy machine never reaches.
    """
    master = Node(folder / "master", *DURABLE)
    of_it = ("--replicaof", "127.0.0.1", str(master.port))
    replicas = [Node(folder / name, *DURABLE, *of_it) for name in ("r1", "r2")]
    sentinels: list[Node] = []
    try:
        for replica in replicas:
            await replica.until("master_link_status:up", "INFO", "replication")
        sentinels += [
            _sentinel(folder / name, master, down_after_ms) for name in ("s1", "s2", "s3")
        ]
        for sentinel in sentinels:
            about = ("SENTINEL", "MASTER", _MASTER_NAME)
            await sentinel.until(":num-slaves:2:", *about)
            await sentinel.until(":num-other-sentinels:2:", *about)
        yield Watched(master, replicas, sentinels)
    finally:
        for node in (*sentinels, *replicas, master):
            node.leave()


def _sentinel(folder: Path, master: Node, down_after_ms: int) -> Node:
    settings = folder.with_suffix(".conf")
    settings.write_text(
        f"sentinel monitor {_MASTER_NAME} 127.0.0.1 {master.port} 2\n"
        f"sentinel down-after-milliseconds {_MASTER_NAME} {down_after_ms}\n"
        f"sentinel failover-timeout {_MASTER_NAME} 3000\n"
    )
    return Node(folder, str(settings), "--sentinel")


def _reserved_port() -> tuple[int, tuple[socket.socket, socket.socket]]:
    """A port that stays reserved for a Redis, which may bind it again after a restart.

    Port 0 means no port to Redis, and cluster nodes also use this port + 10000.
    """
    while True:
        # Below those from which outgoing connections begin.
        port = random.randrange(12_000, 22_000)
        one, other = socket.socket(), socket.socket()
        try:
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 10_000))
        except OSError:
            one.close()
            other.close()
            continue
        for each in (one, other):
            # From now on who says the same, as Redis does, may listen here. Who looks for a port
            # as above does not say it, and finds this one taken.
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return port, (one, other)

"""Opens the Redis that a URL names, or the embedded one of the data folder.

unix:///folder/redis.sock?db=0          one server on this machine
redis://host:6379/0, rediss://…         one server
redis+sentinel://a:26379,b:26379/name   the master that these sentinels call name
redis+cluster://a:6379,b:6379           the cluster of these nodes
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from redis.asyncio import Redis, RedisCluster, Sentinel
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.maint_notifications import MaintNotificationsConfig

from bigben_server.config import BadSetting, Settings
from bigben_server.storage.client import ANSWER_S, NODE_S, ONCE, Client, StoreLost
from bigben_server.storage.embedded import EmbeddedRedis, RedisFailed
from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store
from bigben_server.storage.safety import OutsideStore, check_writes

_OPTIONS: Final[dict[str, Any]] = {  # Any: each option has its own type
    "socket_timeout": None,
    "socket_connect_timeout": ANSWER_S,
    "retry": ONCE,
    # With them, redis-py would send commands over idle connections that Redis has closed.
    "maint_notifications_config": MaintNotificationsConfig(enabled=False),
}


@dataclass(eq=False, repr=False)
class _EmbeddedStore(Store):
    """A store in an embedded Redis. ``revive`` starts Redis again if it has ended."""

    embedded: EmbeddedRedis = field(kw_only=True)

    async def revive(self) -> None:
        try:
            await self.embedded.ensure()
        except RedisFailed as error:
            raise StoreLost(str(error)) from error
        await super().revive()
        await check_writes(self)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Store]:
    """The store at ``redis_url``; if that is empty, an embedded one in the folder ``data``.

    An embedded Redis runs until its last user leaves the block. Another one is connected to when it
    is first used. Raises BadSetting, and RedisFailed.
    """
    replicas = settings.redis_wait
    if settings.redis_url:
        async with client_of(settings.redis_url) as client:
            yield OutsideStore(client, keys=keys_of(client, settings.prefix), replicas=replicas)
    else:
        embedded = EmbeddedRedis(settings.data)
        async with embedded as socket, client_of(socket) as client:
            keys = Keys(settings.prefix)
            yield _EmbeddedStore(client, keys=keys, replicas=replicas, embedded=embedded)


def keys_of(client: Client, prefix: str) -> Keys:
    """The keys with this prefix in the database of a client; a cluster has only one."""
    if isinstance(client, RedisCluster):
        return Keys(prefix)
    return Keys(prefix, int(client.connection_pool.connection_kwargs.get("db") or 0))


@asynccontextmanager
async def client_of(url: str) -> AsyncIterator[Client]:
    """A client that connects when it is first used, closed at the end. Raises BadSetting."""
    client = connect(url)
    try:
        yield client
    finally:
        await client.aclose()
        if isinstance(client, Redis) and isinstance(client.connection_pool, SentinelConnectionPool):
            for sentinel in client.connection_pool.sentinel_manager.sentinels:
                await sentinel.aclose()


def connect(url: str) -> Client:
    """A client for this URL. Raises BadSetting."""
    try:
        parts = urlsplit(url)
        match parts.scheme:
            case "redis+sentinel":
                if not (name := parts.path.strip("/")):
                    raise ValueError("it lacks the master's name at its end, …:26379/mymaster")
                # redis-py has no types for Sentinel's own arguments.
                sentinel = Sentinel(  # type: ignore[no-untyped-call]
                    _nodes(parts, 26379), socket_timeout=NODE_S, retry=ONCE
                )
                master: Redis = sentinel.master_for(
                    name, username=parts.username, password=parts.password, **_OPTIONS
                )
                return master
            case "redis+cluster":
                return RedisCluster(
                    startup_nodes=[ClusterNode(*node) for node in _nodes(parts, 6379)],
                    username=parts.username,
                    password=parts.password,
                    socket_timeout=NODE_S,
                    retry=ONCE,
                )
            case "redis" | "rediss" | "unix":
                return Redis.from_url(url, **_OPTIONS)
            case _:
                schemes = "redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"
                raise ValueError(f"it does not begin with {schemes}")
    except ValueError as error:
        raise BadSetting(f"BIGBEN_REDIS_URL can't be used: {error}.") from None


def _nodes(parts: SplitResult, usual_port: int) -> list[tuple[str, int]]:
    """The hosts and ports between ``//`` and ``/``."""
    nodes: list[tuple[str, int]] = []
    for address in parts.netloc.rpartition("@")[2].split(","):
        host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
        if not host or not (port == "" or port.isdigit()):
            raise ValueError(f"{address[:60]!r} is not HOST:PORT")
        nodes.append((host, int(port or usual_port)))
    return nodes

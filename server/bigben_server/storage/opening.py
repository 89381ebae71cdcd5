"""Opens the Redis that a URL names, or the embedded one of the data folder.

unix:///folder/redis.sock?db=0          one server on this machine
redis://host:6379/0, rediss://…         one server
redis+sentinel://a:26379,b:26379/name   the master that these sentinels call name
redis+cluster://a:6379,b:6379           the cluster of these nodes

Before the hosts may stand USER:PASSWORD@, of Redis. With rediss everything is encrypted.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

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


_CHECK: Final = "ssl_check_hostname"
_FILES: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_TLS: Final = (*_FILES, _CHECK)


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
            keys = keys_of(client, settings.prefix)
            yield OutsideStore(client, keys=keys, replicas=replicas, url=settings.redis_url)
    else:
        embedded = EmbeddedRedis(settings.data)
        async with embedded as socket, client_of(socket) as client:
            keys = Keys(settings.prefix)
            yield _EmbeddedStore(
                client, keys=keys, replicas=replicas, url=socket, embedded=embedded
            )


@asynccontextmanager
async def store_at(url: str, prefix: str) -> AsyncIterator[Store]:
    """The store at this URL, for a process of its own that only reads. Raises BadSetting."""
    async with client_of(url) as client:
        yield Store(client, keys=keys_of(client, prefix))


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
            case "redis+sentinel" | "rediss+sentinel":
                if not (name := parts.path.strip("/")):
                    raise ValueError("it lacks the master's name at its end, …:26379/mymaster")
                given = _given(parts, "db", "sentinel_username", "sentinel_password")
                tls = {key: value for key, value in given.items() if key.startswith("ssl")}
                own = {
                    "username": given.get("sentinel_username"),
                    "password": given.get("sentinel_password"),
                    **tls,
                }
                # redis-py has no types for Sentinel's own arguments.
                sentinel = Sentinel(  # type: ignore[no-untyped-call]
                    _nodes(parts, 26379),
                    sentinel_kwargs={"socket_timeout": NODE_S, "retry": ONCE, **own},
                )
                master: Redis = sentinel.master_for(
                    name, db=given.get("db", 0), **_user(parts), **tls, **_OPTIONS
                )
                return master
            case "redis+cluster" | "rediss+cluster":
                return RedisCluster(
                    startup_nodes=[ClusterNode(*node) for node in _nodes(parts, 6379)],
                    socket_timeout=NODE_S,
                    retry=ONCE,
                    **_user(parts),
                    **_given(parts),
                )
            case "redis" | "rediss" | "unix":
                return Redis.from_url(url, **_OPTIONS)
            case _:
                schemes = "redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"
                raise ValueError(f"it does not begin with {schemes} (with TLS: rediss+…)")
    except ValueError as error:
        raise BadSetting(f"BIGBEN_REDIS_URL can't be used: {error}.") from None


def _user(parts: SplitResult) -> dict[str, Any]:  # as above
    """Who the server is to Redis. Both may have signs that a URL writes as %40."""
    user, password = parts.username, parts.password
    return {"username": user and unquote(user), "password": password and unquote(password)}


# Any: each option has its own type.
def _given(parts: SplitResult, *others: str) -> dict[str, Any]:
    """What stands behind ``?``, and ``ssl``. Raises ValueError for what is not known.

    ``others`` are known beside the options of TLS, which are those of ``rediss://``.
    """
    given: dict[str, Any] = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := sorted(given.keys() - {*others, *_TLS}):
        known = ", ".join((*others, *_TLS))
        raise ValueError(f"it has no option {unknown[0][:40]!r}, only {known}")
    tls = parts.scheme.startswith("rediss")
    for name in _TLS:
        if name in given and not tls:
            secure = parts.scheme.replace("redis", "rediss")
            raise ValueError(f"{name} is for TLS, and then it begins with {secure}://")
        if name in _FILES and name in given and not Path(given[name]).is_file():
            raise ValueError(f"{name} names no file: {given[name][:80]!r}")
    if (check := given.get(_CHECK, "yes")) not in ("yes", "no"):
        raise ValueError(f"{_CHECK} is yes or no, not {check[:40]!r}")
    if not (number := given.get("db", "0")).isdecimal():
        raise ValueError(f"db is a number, not {number[:40]!r}")
    if "db" in given:
        given["db"] = int(number)
    return given | ({"ssl": True, _CHECK: check == "yes"} if tls else {})


def _nodes(parts: SplitResult, usual_port: int) -> list[tuple[str, int]]:
    """The hosts and ports between ``//`` and ``/``."""
    nodes: list[tuple[str, int]] = []
    for address in parts.netloc.rpartition("@")[2].split(","):
        host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
        if not host or not (port == "" or port.isdigit()):
            raise ValueError(f"{address[:60]!r} is not HOST:PORT")
        nodes.append((host, int(port or usual_port)))
    return nodes

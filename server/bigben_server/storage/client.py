"""A client for each setting of Redis: alone, behind Sentinel, or a cluster. Knows no key.

unix:///folder/redis.sock?db=0          the embedded one
redis://host:6379/0, rediss://…         one server
redis+sentinel://a:26379,b:26379/name   the master called name, as these sentinels see it
redis+cluster://a:6379,b:6379           a cluster that these nodes belong to
"""

import random
from urllib.parse import SplitResult, urlsplit

from redis.asyncio import Redis, RedisCluster, Sentinel
from redis.asyncio.client import PubSub
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import ClusterDownError, RedisClusterException, RedisError

Client = Redis | RedisCluster

ANSWER_S = 5.0
"""How long the answers to what was sent in one go may take before Redis counts as away.

Who sends sees to it. redis-py would set a timer for every single answer and a task for every
write, which costs more than the rest of it, and on Python 3.11 such a task can swallow the
cancellation of the one that waits for it.
"""
NODE_S = 2.0
"""How long one of several nodes may take before redis-py asks another."""

LOST = (RedisError, RedisClusterException, OSError)
"""What a client raises when Redis does not do what it was asked. Timeouts are among them."""

# A command is never sent twice by the client: the caller reads first what became of it. Nor does
# the client connect again after an error: who listens has to know that news may have been missed.
_ONCE = Retry(NoBackoff(), 0, supported_errors=())

_NO_PASSWORD = ("HELLO AUTH", "username-password pair")
"""What Redis says of itself to who comes without its password, or with another."""


def reason(error: BaseException) -> str:
    """Why Redis is lost, in words for the operator."""
    if isinstance(error, MasterNotFoundError):
        return "no sentinel knows of a master that is up"  # redis-py lists all its settings
    # redis-py has a class for this, but not in all of its clients.
    if any(words in str(error) for words in _NO_PASSWORD):
        return "its password is missing or wrong"
    return str(error).rstrip(".") or "it does not answer"


class BadRedisUrl(ValueError):
    """The URL names no Redis. Its message is a sentence for the operator."""


def connect(url: str) -> Client:
    """A client that connects when it is first used. Raises BadRedisUrl."""
    try:
        return _client(url, urlsplit(url))
    except BadRedisUrl:
        raise
    except ValueError as error:
        raise BadRedisUrl(f"BIGBEN_REDIS_URL can't be used: {error}.") from None


def _client(url: str, parts: SplitResult) -> Client:
    match parts.scheme:
        case "redis+sentinel":
            name = parts.path.strip("/")
            if not name:
                raise BadRedisUrl(
                    "BIGBEN_REDIS_URL with sentinels ends with the master's name: …:26379/mymaster"
                )
            # redis-py has no types for Sentinel's own arguments.
            sentinel = Sentinel(  # type: ignore[no-untyped-call]
                _nodes(parts, 26379), socket_timeout=NODE_S, retry=_ONCE
            )
            master: Redis = sentinel.master_for(
                name,
                username=parts.username,
                password=parts.password,
                socket_timeout=None,
                socket_connect_timeout=ANSWER_S,
                retry=_ONCE,
            )
            return master
        case "redis+cluster":
            return RedisCluster(
                startup_nodes=[ClusterNode(host, port) for host, port in _nodes(parts, 6379)],
                username=parts.username,
                password=parts.password,
                socket_timeout=NODE_S,
                retry=_ONCE,
            )
        case "redis" | "rediss" | "unix":
            return Redis.from_url(
                url, socket_timeout=None, socket_connect_timeout=ANSWER_S, retry=_ONCE
            )
        case _:
            raise BadRedisUrl(
                "BIGBEN_REDIS_URL begins with redis://, rediss://, unix://, redis+sentinel:// "
                "or redis+cluster://"
            )


async def disconnect(client: Client) -> None:
    """Let go of all connections."""
    await client.aclose()
    if isinstance(client, Redis) and isinstance(client.connection_pool, SentinelConnectionPool):
        for sentinel in client.connection_pool.sentinel_manager.sentinels:
            await sentinel.aclose()


async def look_again(client: Client) -> None:
    """Whether all of Redis answers, and in a cluster: who has what now. Raises one of LOST."""
    if isinstance(client, RedisCluster):
        _ = await client.initialize()
        await client.nodes_manager.initialize()
        for node in client.get_primaries():
            about = await client.execute_command("CLUSTER INFO", target_nodes=node)
            if about["cluster_state"] != "ok":
                raise ClusterDownError(f"to {node.name} the cluster is {about['cluster_state']}")
    else:
        await client.ping()


def listener(client: Client) -> PubSub:
    """A connection for subscriptions. In a cluster any node hears of everything."""
    if not isinstance(client, RedisCluster):
        return client.pubsub()
    # Not the cluster's own: that goes whenever the client looks again who has what. Another node
    # each time: the one that was lost may be away for long.
    node = random.choice(client.get_primaries() or client.startup_nodes)
    return Redis(
        host=node.host,
        port=int(node.port),
        username=client.connection_kwargs["username"],
        password=client.connection_kwargs["password"],
        socket_timeout=None,
        socket_connect_timeout=NODE_S,
        retry=_ONCE,
    ).pubsub()


def _nodes(parts: SplitResult, usual_port: int) -> list[tuple[str, int]]:
    """The hosts and ports between ``//`` and ``/``."""
    nodes: list[tuple[str, int]] = []
    for address in parts.netloc.rpartition("@")[2].split(","):
        host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
        if not host or not (port == "" or port.isdigit()):
            raise BadRedisUrl(f"{address[:60]!r} in BIGBEN_REDIS_URL is not HOST:PORT.")
        nodes.append((host, int(port or usual_port)))
    return nodes

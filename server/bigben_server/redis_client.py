"""A client for each setting of Redis: alone, behind Sentinel, or a cluster. Sends no command.

unix:///folder/redis.sock?db=0          the embedded one
redis://host:6379/0, rediss://…         one server
redis+sentinel://a:26379,b:26379/name   the master called name, as these sentinels see it
redis+cluster://a:6379,b:6379           a cluster that these nodes belong to
"""

from urllib.parse import SplitResult, urlsplit

from redis.asyncio import Redis, RedisCluster, Sentinel
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

Client = Redis | RedisCluster

ANSWER_S = 5.0
"""How long an answer may take before Redis counts as away."""


class BadRedisUrl(ValueError):
    """The URL names no Redis. Its message is a sentence for the operator."""


def connect(url: str) -> Client:
    """A client that connects when it is first used. Raises BadRedisUrl."""
    parts = urlsplit(url)
    # A command is never sent twice by the client: the caller reads first what became of it.
    once = Retry(NoBackoff(), 0)
    match parts.scheme:
        case "redis+sentinel":
            name = parts.path.strip("/")
            if not name:
                raise BadRedisUrl("A sentinel URL ends with the master's name: …:26379/mymaster")
            # redis-py has no types for Sentinel's own arguments.
            sentinel = Sentinel(_nodes(parts, 26379), socket_timeout=ANSWER_S)  # type: ignore[no-untyped-call]
            master: Redis = sentinel.master_for(
                name,
                username=parts.username,
                password=parts.password,
                socket_timeout=ANSWER_S,
                retry=once,
            )
            return master
        case "redis+cluster":
            return RedisCluster(
                startup_nodes=[ClusterNode(host, port) for host, port in _nodes(parts, 6379)],
                username=parts.username,
                password=parts.password,
                socket_timeout=ANSWER_S,
            )
        case "redis" | "rediss" | "unix":
            return Redis.from_url(url, socket_timeout=ANSWER_S, retry=once)
        case _:
            raise BadRedisUrl(
                "BIGBEN_REDIS_URL begins with redis://, rediss://, unix://, redis+sentinel:// "
                "or redis+cluster://"
            )


def _nodes(parts: SplitResult, usual_port: int) -> list[tuple[str, int]]:
    """The hosts and ports between ``//`` and ``/``."""
    nodes: list[tuple[str, int]] = []
    for address in parts.netloc.rpartition("@")[2].split(","):
        host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
        if not host or not (port == "" or port.isdigit()):
            raise BadRedisUrl(f"{address[:60]!r} is not HOST:PORT")
        nodes.append((host, int(port or usual_port)))
    return nodes

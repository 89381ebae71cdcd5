"""A connection for subscriptions, also in a cluster, whose nodes hear each other."""

import random

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.client import PubSub as Subscription

from bigben_server.storage.client import NODE_S, ONCE, Client, Connection

__all__ = ["Subscription", "listener", "shards_channels"]


async def shards_channels(store: Connection) -> bool:
    """Whether a channel can be that of one shard of a cluster: Redis knows how since version 7.

    Elsewhere every node receives whatever is published. Raises StoreLost.
    """
    if store.cluster is None:
        return False
    probe = ("SPUBLISH", store.keys.started, "")
    (answer,) = await store.send([probe], raise_on_error=False)
    return not isinstance(answer, Exception)


def listener(client: Client, shard_channel: str = "") -> Subscription:
    """A connection for subscriptions; in a cluster to the node that has this channel, or to any."""
    if not isinstance(client, RedisCluster):
        return client.pubsub()
    # Not the cluster client's own, which closes when it looks up the nodes again. Another node
    # each time, because the one that was lost may be away for long.
    node = client.get_node_from_key(shard_channel) if shard_channel else None
    node = node or random.choice(client.get_primaries() or client.startup_nodes)
    tls = {key: value for key, value in client.connection_kwargs.items() if key.startswith("ssl_")}
    return Redis(
        host=node.host,
        port=int(node.port),
        username=client.connection_kwargs["username"],
        password=client.connection_kwargs["password"],
        ssl=bool(tls),
        **tls,
        socket_timeout=None,
        socket_connect_timeout=NODE_S,
        retry=ONCE,
    ).pubsub()

"""The version of the data in a cluster: a process that has subscribed at any node is found."""

from pathlib import Path

from redis.asyncio import Redis
from tests.clusters.redis_setups import cluster, cluster_url
from tests.support.patience import PATIENCE_S

from bigben_server.race.events import VERSION
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store
from bigben_server.storage.schema import Schema


async def test_an_old_server_at_any_node_is_waited_for(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes, client_of(cluster_url(nodes)) as client:
        one = Schema(Store(client), "one")
        await one.store.ping()
        for node in nodes:
            async with Redis(port=node.port) as old, old.pubsub() as pubsub:
                await pubsub.subscribe("bb:processes")
                await pubsub.get_message(timeout=PATIENCE_S)
                await one.join()
                assert one.store.version == 1
        for node in nodes:
            await node.until("bb:processes:0", "PUBSUB", "NUMSUB", "bb:processes")
        await one.join()
        assert one.store.version == VERSION

"""What Redis says of itself: how long an answer takes, its memory, how far replicas are behind."""

from time import perf_counter
from typing import NamedTuple

from bigben_server.storage.client import Connection


class Vitals(NamedTuple):
    round_trip_s: float
    """Seconds; the mean of a cluster's nodes."""
    memory_bytes: int
    """Of all nodes."""
    replica_lag_bytes: int
    """What the replica that is furthest behind its master lacks."""


async def vitals(store: Connection) -> Vitals:
    """Ask every node. Raises StoreLost."""
    began = perf_counter()
    memory = await store.everywhere("INFO", "memory")
    round_trip_s = (perf_counter() - began) / len(memory)
    nodes = await store.everywhere("INFO", "replication")
    behind = (
        node["master_repl_offset"] - node[f"slave{i}"]["offset"]
        for node in nodes.values()
        for i in range(node["connected_slaves"])
        if node["role"] == "master" and f"slave{i}" in node
    )
    memory_bytes = sum(node["used_memory"] for node in memory.values())
    return Vitals(round_trip_s, memory_bytes, max(behind, default=0))

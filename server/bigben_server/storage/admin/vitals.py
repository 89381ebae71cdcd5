"""What Redis says of itself: how long an answer takes, its memory, how far replicas are behind."""

from collections.abc import Mapping
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

from bigben_server.storage.client import Connection, StoreLost


class Vitals(NamedTuple):
    round_trip_s: float
    """Seconds; the mean of a cluster's nodes."""
    memory_bytes: int
    """Of all nodes."""
    memory_share: float
    """Of the fullest master: its memory by what it may use (`maxmemory`), or by its machine's."""
    replica_lag_bytes: int
    """What the replica that is furthest behind its master lacks."""
    replicas: int
    """The connected replicas of the master that has the fewest."""


async def software(store: Connection) -> list[str]:
    """Which versions of Valkey or Redis the nodes are, if a provider allows the question."""
    names = set[str]()
    with suppress(StoreLost):
        for about in (await store.everywhere("INFO", "server")).values():
            if valkey := about.get("valkey_version"):
                names.add(f"Valkey {valkey}")
            else:
                names.add(f"Redis {about.get('redis_version', 'of unknown version')}")
    return sorted(names)


async def vitals(store: Connection) -> Vitals:
    """Ask every node. Raises StoreLost."""
    began = perf_counter()
    memory = await store.everywhere("INFO", "memory")
    round_trip_s = (perf_counter() - began) / len(memory)
    nodes = await store.everywhere("INFO", "replication")
    masters = {name: node for name, node in nodes.items() if node["role"] == "master"}
    behind = (
        node["master_repl_offset"] - node[f"slave{i}"]["offset"]
        for node in masters.values()
        for i in range(node["connected_slaves"])
        if f"slave{i}" in node
    )
    return Vitals(
        round_trip_s,
        sum(node["used_memory"] for node in memory.values()),
        max((_share(memory[name]) for name in masters), default=0),
        max(behind, default=0),
        min((node["connected_slaves"] for node in masters.values()), default=0),
    )


def _share(memory: Mapping[str, int]) -> float:
    """0 if a managed Redis says nothing of its limit."""
    limit = memory.get("maxmemory") or memory.get("total_system_memory") or 0
    return memory["used_memory"] / limit if limit else 0.0

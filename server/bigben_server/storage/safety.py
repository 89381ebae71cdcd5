"""Whether a Redis keeps what it acknowledges, as far as its masters say, and whether it writes.

That it answers proves neither: only a write that it has just kept shows that play works.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from redis.exceptions import ResponseError

from bigben_server.storage.client import ANSWER_S, Connection, StoreLost, as_lost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.exchange import Command
from bigben_server.storage.race_log import Store

_log = logging.getLogger(__name__)

_SECTIONS: Final = ("replication", "persistence", "memory")
_SETTINGS: Final = ("appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy")
_OR: Final = "or BIGBEN_REDIS_UNSAFE=1 if that may happen"
_DURABILITY: Final = "docs/durability.md says what it must promise"
_SLOW_S: Final = 2.0
"""How long to wait for the other nodes of a cluster once one of them has kept its write."""
_KEPT_S: Final = 60
"""The seconds after which Redis forgets what was written."""
_MOST_TRIES: Final = 2_000
"""How many keys to look at for one on each master; nearly all of them find theirs in ten."""


class Risk(NamedTuple):
    text: str
    """A sentence for the operator, which says what to do."""
    grave: bool = False
    """Whether a server should not start."""
    fatal: bool = False
    """Whether it can't."""


@dataclass(eq=False, repr=False)
class OutsideStore(Store):
    """A store in a Redis that somebody else runs and sets up. ``revive`` looks at it again."""

    _known: list[Risk] = field(default_factory=list, init=False)
    """The last that were found, so that no outage repeats them in the log."""

    async def check_safe(self, *, unsafe: bool) -> None:
        """Log what may be lost. Raises RedisFailed if that is too much, and StoreLost.

        ``unsafe``: the operator accepts everything with which a server can work at all.
        """
        for risk in await risks(self):
            if risk.fatal or (risk.grave and not unsafe):
                raise RedisFailed(risk.text)
        await self._warn()

    async def revive(self) -> None:
        await super().revive()
        await check_writes(self)
        await self._warn()

    async def _warn(self) -> None:
        known, self._known = self._known, await risks(self)
        for risk in self._known:
            if risk not in known:
                _log.warning(risk.text)


async def risks(store: Store) -> list[Risk]:
    """What each master may lose. Raises StoreLost."""
    if store.cluster is None:
        return _risks("Redis", await _about(store, {}))
    found: list[Risk] = []
    with as_lost():
        _ = await store.cluster.initialize()
    for node in store.cluster.get_primaries():
        found += _risks(f"Redis at {node.name}", await _about(store, {"target_nodes": node}))
    return found


async def _about(store: Store, node: Mapping[str, Any]) -> dict[str, str]:
    """What a master says of itself, and of its settings, which a managed Redis may refuse."""
    about: dict[str, str] = {}
    with as_lost():
        async with asyncio.timeout(ANSWER_S):
            for words in (
                *(("INFO", section) for section in _SECTIONS),
                *(("CONFIG GET", setting) for setting in _SETTINGS),
            ):
                try:
                    # Any: redis-py has no types for answers, nor for what clusters alone accept.
                    told: Any = await store.client.execute_command(*words, **node)
                except ResponseError:
                    continue  # a user or a provider that does not allow it
                about |= {str(name).replace("_", "-"): str(value) for name, value in told.items()}
    return about


def _risks(redis: str, about: Mapping[str, str]) -> list[Risk]:
    """What follows from what ``redis`` says; a missing fact is unknown."""
    if about.get("role") == "slave":
        text = "is a read-only replica; BIGBEN_REDIS_URL must name its master, or the sentinels"
        return [Risk(f"{redis} {text}.", fatal=True)]
    found: list[Risk] = []
    # The first is what it does now, and the second what it is set to do.
    match about.get("aof-enabled", about.get("appendonly")):
        case "1" | "yes":
            found += _of_syncing(redis, about)
        case None:
            found.append(
                Risk(f"{redis} does not say whether it has an append-only file; {_DURABILITY}.")
            )
        case _:
            text = "has no append-only file, so moves are lost with it; set `appendonly yes` and"
            found.append(Risk(f"{redis} {text} `appendfsync always`, {_OR}.", grave=True))
    match about.get("maxmemory-policy"):
        case "noeviction":
            pass
        case None:
            found.append(Risk(f"{redis} does not say whether it drops keys; {_DURABILITY}."))
        case policy:
            text = f"drops keys when its memory is full (`maxmemory-policy {policy}`); set"
            found.append(Risk(f"{redis} {text} `maxmemory-policy noeviction`, {_OR}.", grave=True))
    return found


def _of_syncing(redis: str, about: Mapping[str, str]) -> list[Risk]:
    match about.get("appendfsync"), about.get("no-appendfsync-on-rewrite"):
        case None, _:
            return [Risk(f"{redis} does not say how often it syncs its file; {_DURABILITY}.")]
        case "always", "yes":
            text = (
                "does not sync its append-only file while it rewrites it, so the last moves may"
                " be lost then; set `no-appendfsync-on-rewrite no`"
            )
            return [Risk(f"{redis} {text}.")]
        case "always", _:
            return []
        case often, _:
            text = f"syncs its append-only file with `appendfsync {often}`, so the last moves may"
            return [Risk(f"{redis} {text} be lost if it dies; set `appendfsync always`.")]


class Proof(NamedTuple):
    works: bool
    """Whether Redis keeps writes; of a cluster, any master."""
    lost: list[StoreLost]
    """Why it does not, or some nodes do not."""


async def prove_writes(store: Connection) -> Proof:
    """Write to every master what nobody reads, and wait for replicas as play does.

    An embedded Redis that has ended is not started.
    """
    try:
        keys = await _one_on_each_master(store)
    except StoreLost as error:
        return Proof(works=False, lost=[error])
    # One by one, because a node that hangs must not hide that others work.
    writing = [asyncio.create_task(_write(store, key)) for key in keys]
    try:
        done, silent = await asyncio.wait(writing, timeout=_SLOW_S)
        if all(task.result() for task in done):
            done, silent = await asyncio.wait(writing)
        lost = [failed for task in done if (failed := task.result())]
        works = len(lost) < len(done)
        return Proof(works, lost + [StoreLost("a node does not answer")] * len(silent))
    finally:
        for task in writing:
            task.cancel()
        await asyncio.gather(*writing, return_exceptions=True)


async def check_writes(store: Connection) -> None:
    """Return if every master has just kept a write. Raises StoreLost."""
    if lost := (await prove_writes(store)).lost:
        raise lost[0]


async def _one_on_each_master(store: Connection) -> list[str]:
    """Raises StoreLost."""
    cluster = store.cluster
    if cluster is None:
        return [store.keys.proof(0)]
    with as_lost():
        _ = await cluster.initialize()  # once: finds out which node has what
        masters = len(cluster.get_primaries())
        keys: dict[str, str] = {}
        for number in range(_MOST_TRIES):
            if len(keys) == masters:
                break
            key = store.keys.proof(number)
            if node := cluster.get_node_from_key(key):
                keys.setdefault(node.name, key)
    if not keys:
        raise StoreLost("the cluster has no master")
    return [*keys.values()]


async def _write(store: Connection, key: str) -> StoreLost | None:
    command: Command = ("SET", key, 1, "EX", _KEPT_S)
    try:
        await store.ask(command)
    except StoreLost as error:
        return error
    return None

"""Whether a Redis keeps what it acknowledges, as far as its masters say."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from redis.exceptions import ResponseError

from bigben_server.storage.client import ANSWER_S, as_lost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.race_log import Store

_log = logging.getLogger(__name__)

_SECTIONS: Final = ("replication", "persistence", "memory")
_SETTINGS: Final = ("appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy")
_OR: Final = "or BIGBEN_REDIS_UNSAFE=1 if that may happen"
_DURABILITY: Final = "docs/durability.md says what it must promise"


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
            text = "does not sync its append-only file while it rewrites it, so the last moves may"
            text += " be lost then; set `no-appendfsync-on-rewrite no`"
            return [Risk(f"{redis} {text}.")]
        case "always", _:
            return []
        case often, _:
            text = f"syncs its append-only file with `appendfsync {often}`, so the last moves may"
            return [Risk(f"{redis} {text} be lost if it dies; set `appendfsync always`.")]

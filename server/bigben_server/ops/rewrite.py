"""Rewrites Redis's append-only files, so that deleted data are gone from them too.

Until then a file keeps every command that ever changed anything, with names and ids.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from bigben_server.ops.progress import Progress
from bigben_server.storage.store import Store, StoreLost

_LOOK_S: Final = 0.1
_TRIES: Final = 5
"""Redis may start a rewrite of its own in between."""
_BUSY: Final = "already in progress"


class NotRewritten(Exception):
    """A file still contains deleted data. The message is a sentence."""


async def rewrite(store: Store, progress: Progress) -> None:
    """Return once no file contains deleted data. Raises NotRewritten, StoreLost."""
    for _ in range(_TRIES):
        # A rewrite that is under way may have begun before the data were deleted.
        abouts = await _idle(store, progress)
        if not any(int(about["aof_enabled"]) for about in abouts.values()):
            return
        try:
            await store.everywhere("BGREWRITEAOF")
        except StoreLost as lost:
            if _BUSY not in str(lost):
                raise
            continue
        for node, about in (await _idle(store, progress)).items():
            if about["aof_last_bgrewrite_status"] != "ok":
                raise NotRewritten(f"it failed on {node}, see the log of that Redis")
        return
    raise NotRewritten("Redis is rewriting it again and again")


async def _idle(store: Store, progress: Progress) -> Mapping[str, Any]:
    """Wait until no node rewrites its file. Return each node's INFO. Any: redis-py's."""
    while True:
        abouts = await store.everywhere("INFO", "persistence")
        # A Redis that is saving a snapshot begins behind it.
        statuses = ("aof_rewrite_in_progress", "aof_rewrite_scheduled")
        busy = [one for one in abouts.values() if any(int(one[status]) for status in statuses)]
        if not busy:
            return abouts
        done = sum(int(one.get("current_save_keys_processed", 0)) for one in busy)
        of = sum(int(one.get("current_save_keys_total", 0)) for one in busy)
        progress("append-only file", done, max(of, 1))
        await asyncio.sleep(_LOOK_S)

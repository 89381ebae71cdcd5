"""Rewrites Redis's append-only files, so that deleted data are gone from them too.

Until then a file keeps every command that ever changed anything, with names and ids.
"""

import asyncio
from typing import Final

from bigben_server.ops.progress import Progress
from bigben_server.storage import maintenance
from bigben_server.storage.maintenance import Persistence
from bigben_server.storage.store import Store

_LOOK_S: Final = 0.1
_TRIES: Final = 5
"""Redis may start a rewrite of its own in between."""


class NotRewritten(Exception):
    """A file still contains deleted data. The message is a sentence."""


async def rewrite(store: Store, progress: Progress) -> None:
    """Return once no file contains deleted data. Raises NotRewritten, StoreLost."""
    for _ in range(_TRIES):
        # A rewrite that is under way may have begun before the data were deleted.
        if not any(node.has_file for node in (await _idle(store, progress)).values()):
            return
        if await maintenance.start_rewrite(store):
            for name, node in (await _idle(store, progress)).items():
                if node.failed:
                    raise NotRewritten(f"it failed on {name}, see the log of that Redis")
            return
    raise NotRewritten("Redis is rewriting it again and again")


async def _idle(store: Store, progress: Progress) -> dict[str, Persistence]:
    """Wait until no node rewrites its file."""
    while True:
        nodes = await maintenance.persistence(store)
        busy = [node for node in nodes.values() if node.busy]
        if not busy:
            return nodes
        of = sum(node.of for node in busy)
        progress.show("append-only file", sum(node.done for node in busy), max(of, 1))
        await asyncio.sleep(_LOOK_S)

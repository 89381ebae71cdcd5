"""Exports everything in one Redis to a file of JSON lines, and imports it into another Redis.

The file has no data that expires, and no derived data, which the import computes again.
"""

import json
from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any, Final, TextIO

from bigben_server.ops.long_work import SILENT, Progress, by_size, pool_for, shared
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import VERSION
from bigben_server.scoring.results import Ranked
from bigben_server.storage.admin import dump
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.race_log import Store
from bigben_server.storage.schema import newer
from bigben_server.tasks import ahead

FORMAT: Final = "bigben-export-1"
_LINES_AT_ONCE: Final = 50
_KEYS_AT_ONCE: Final = 1_000
_FEW: Final = 20_000
"""So many keys are read in less time than other processes need to start."""


async def exported(store: Store, progress: Progress = SILENT) -> AsyncIterator[str]:
    """The lines of an export. They are consistent if no server runs. Raises StoreLost."""
    digest, count, done = sha256(), 1, 0
    line = json.dumps({"format": FORMAT}) + "\n"
    digest.update(line.encode())
    yield line
    keys = await dump.keys_to_export(store)
    async with pool_for(len(keys) if store.url else 0, few=_FEW) as pool:
        parts = by_size(keys, await dump.sizes(store, keys), _KEYS_AT_ONCE)
        work, numbers = (shared(pool, store, _lines, some) for some in parts), map(len, parts)
        async for lines in ahead(work, 2 * pool.size):
            progress.show("Export", done, len(keys))
            done += next(numbers)
            for line in lines:
                digest.update(line.encode())
                count += 1
                yield line
    yield json.dumps({"lines": count, "sha256": digest.hexdigest()}) + "\n"


async def _lines(store: Store, keys: Sequence[str]) -> list[str]:
    return [line async for line in dump.lines(store, keys)]


async def imported(
    store: Store, file: TextIO, progress: Progress = SILENT, *, ranked: Ranked = "all"
) -> int:
    """Read an export into an empty Redis, and rebuild the rest. Return the number of races.

    It reads the file twice, and writes nothing before it has checked all lines.
    Raises NotDone, and StoreLost.
    """
    digest, count = _check(file)
    await _check_empty(store, digest)
    await dump.set_importing(store, digest)
    file.seek(0)
    left = islice(file, 1, count)
    for done in range(0, count, _LINES_AT_ONCE):
        progress.show("Import", done, count)
        await dump.write(store, map(json.loads, islice(left, _LINES_AT_ONCE)))
    races = await rebuild(store, progress, ranked=ranked)
    await dump.set_importing(store, "")
    return races


def _check(file: TextIO) -> tuple[str, int]:
    """The digest and the number of all lines but the last. Raises NotDone."""
    digest, count, end, version = sha256(), 0, dict[str, Any](), 1
    for number, line in enumerate(file, start=1):
        try:
            read = json.loads(line)
        except ValueError:
            read = None
        if not isinstance(read, dict):
            raise NotDone(f"Line {number} is not a JSON object; is this an export?")
        if number == 1 and read.get("format") != FORMAT:
            raise NotDone(f"This is not an export: its first line does not say {FORMAT}.")
        if end:
            raise NotDone(f"Line {number} comes after the end; is this one export?")
        if "lines" in read:
            end = read
            continue
        try:
            version = max(version, dump.version_in(read))
            if number > 1:
                dump.commands(read)
        except (KeyError, ValueError, TypeError, AttributeError):
            raise NotDone(f"Line {number} is not a key and its value; is the file whole?") from None
        digest.update(line.encode())
        count += 1
    if not count:
        raise NotDone("This is not an export: it is empty.")
    if end.get("lines") != count:
        raise NotDone("The file ends too early. Import it again when it is whole.")
    if end.get("sha256") != digest.hexdigest():
        raise NotDone("The file is not what was exported: something in it has changed.")
    if version > VERSION:
        raise NotDone(newer(version, VERSION))
    return digest.hexdigest(), count


async def _check_empty(store: Store, digest: str) -> None:
    begun = await dump.importing(store)
    if begun and begun != digest:
        raise NotDone(
            "The import of another file was interrupted here. Import that file again, or "
            "empty this Redis."
        )
    if not begun:
        async for key in dump.keys_there(store):
            raise NotDone(
                f"This Redis is in use: it has {key}. An import needs an empty Redis "
                "that no server uses."
            )

"""Packs the closed races of running servers an hour early, and unpacks some, until it is killed.

    python -m benchmarks.chaos_packing unix:///path/of/redis.sock

Servers pack gently what is an hour old; here each race is packed while its players still ask for
it, and again and again. It prints what became of each.
"""

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO

from bigben_protocol import RaceId
from bigben_server.config import Settings
from bigben_server.storage import schema
from bigben_server.storage.client import StoreLost
from bigben_server.storage.opening import opened
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.work import AGE_MS
from bigben_server.storage.race_log import Store
from bigben_server.thinking import packer
from bigben_server.thinking.pool import Pool

PAUSE_S = 0.05


class Packing:
    """A process that packs, and that may be killed."""

    def __init__(self, redis_url: str, output: IO[bytes]) -> None:
        self._command = (sys.executable, "-m", "benchmarks.chaos_packing", redis_url)
        self._output = output
        self._process = self._started()

    @property
    def said(self) -> list[str]:
        """What became of each race, one after another."""
        size = os.fstat(self._output.fileno()).st_size
        return os.pread(self._output.fileno(), size, 0).decode().splitlines()

    def kill(self) -> None:
        """kill -9, and start another one."""
        self.end()
        self._process = self._started()

    def end(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command, stdout=self._output)


@contextmanager
def packing(redis_url: str) -> Iterator[Packing]:
    """Pack until the end of the block."""
    with TemporaryFile() as output:
        one = Packing(redis_url, output)
        try:
            yield one
        finally:
            one.end()


async def pack_endlessly(redis_url: str) -> None:
    """Pack and unpack, whatever happens to the store."""
    packer.REST = 0  # type: ignore[misc]  # nobody plays for fun here
    async with opened(Settings(redis_url=redis_url)) as store:
        packs = packer.Packer(store, Pool(0), _in_two_hours)
        while True:
            with suppress(StoreLost):
                await schema.check_readable(store)
                await _pack_and_unpack(store, packs)
            await asyncio.sleep(PAUSE_S)


async def _pack_and_unpack(store: Store, packs: packer.Packer) -> None:
    """Pack every closed race that can be, and unpack about a third of those that were."""
    if store.version < packer.SINCE:
        return
    (closed,) = await store.ask(("ZRANGE", store.keys.closed, 0, -1))
    for race in map(RaceId, (name.decode() for name in closed)):
        became = await packs.pack(race)
        if became in ("packed", "kept", "changed"):
            print(f"kept {race}" if became == "kept" else became, flush=True)
        if became == "gone" and random.random() < 1 / 3:
            await Swaps(store).unpack(race, _in_two_hours())


def _in_two_hours() -> int:
    return time.time_ns() // 1_000_000 + 2 * AGE_MS


if __name__ == "__main__":
    asyncio.run(pack_endlessly(sys.argv[1]))

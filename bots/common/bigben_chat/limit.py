"""The limit on the race server's time for one answer: what a platform takes is not counted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def paused(limit: asyncio.Timeout) -> AsyncIterator[None]:
    """Meanwhile the limit does not run. One that is over, or about to end this, stays so."""
    before = limit.when()
    try:
        limit.reschedule(None)
    except RuntimeError:
        before = None
    begun = asyncio.get_running_loop().time()
    try:
        yield
    finally:
        if before is not None:
            limit.reschedule(before + asyncio.get_running_loop().time() - begun)


@asynccontextmanager
async def holding(lock: asyncio.Lock, limit: asyncio.Timeout) -> AsyncIterator[None]:
    """Hold the lock. The wait is no server time: the holder may be sending a picture."""
    async with paused(limit):
        await lock.acquire()
    try:
        yield
    finally:
        lock.release()

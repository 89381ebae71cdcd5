"""What needs an event loop of its own, in a thread, beside tests that wait for a browser."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

Part = TypeVar("Part")


@contextmanager
def aside(part: Callable[[], AbstractAsyncContextManager[Part]]) -> Iterator[Part]:
    """This part, which lives in a loop of another thread until the end of the block."""
    begun: Future[tuple[Part, Callable[[], object]]] = Future()

    async def live() -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        async with part() as one:
            begun.set_result((one, lambda: loop.call_soon_threadsafe(over.set)))
            await over.wait()

    def thread() -> None:
        try:
            asyncio.run(live())
        except BaseException as error:
            if not begun.done():
                begun.set_exception(error)
            raise

    with ThreadPoolExecutor(1) as pool:
        life = pool.submit(thread)
        one, end = begun.result()
        try:
            yield one
        finally:
            end()
            life.result()

"""Values that are made once, however many ask for them meanwhile, and kept for a while."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Once(Generic[_Key, _Value]):
    """Keeps the ``most`` newest values, each for at most ``for_s`` seconds; None for ever."""

    def __init__(self, most: int, *, for_s: float | None = None) -> None:
        self._most = most
        self._for_s = for_s
        self._made: OrderedDict[_Key, tuple[float, asyncio.Future[_Value]]] = OrderedDict()
        """When each was asked for first, in seconds of the loop; those that are being made too."""

    async def get(self, key: _Key, make: Callable[[], Awaitable[_Value]]) -> _Value:
        """The value of ``key``. Raises what ``make`` raises, to all who wait; it is not kept."""
        loop = asyncio.get_running_loop()
        if kept := self._made.get(key):
            at, made = kept
            if self._is_fresh(at):
                # A cancelled caller does not take it away from the others.
                return await asyncio.shield(made)
        made = loop.create_future()
        self._made[key] = loop.time(), made
        self._made.move_to_end(key)
        try:
            value = await make()
        except BaseException as error:
            self._drop(key, made)
            if not isinstance(error, Exception):
                made.cancel()
            else:
                made.set_exception(error)
                made.exception()  # perhaps nobody else waits
            raise
        made.set_result(value)
        while len(self._made) > self._most:
            self._made.popitem(last=False)
        return value

    def has(self, key: _Key) -> bool:
        """Whether the value is made, and not too old: ``get`` need not wait for it."""
        kept = self._made.get(key)
        return kept is not None and kept[1].done() and self._is_fresh(kept[0])

    def clear(self) -> None:
        """Forget all values, also those that are being made: callers get new ones from now on."""
        self._made.clear()

    def _is_fresh(self, at: float) -> bool:
        return self._for_s is None or asyncio.get_running_loop().time() - at < self._for_s

    def _drop(self, key: _Key, made: asyncio.Future[_Value]) -> None:
        kept = self._made.get(key)
        if kept and kept[1] is made:
            del self._made[key]

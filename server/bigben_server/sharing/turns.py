"""Turns: a limited number at a time, and those who wait take turns between their payers."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from bigben_protocol.sentence import Sentence
from bigben_server.race.events import Refusal


class Turns:
    """Lets ``at_once`` go ahead at a time, at most ``each`` of them for one payer.

    All others wait, at most ``most_waiting``. When one may go ahead, the payers who wait get it in
    turn, however many each of them has waiting. A payer is who asks: an address, or a player.
    """

    def __init__(self, *, at_once: int, each: int, most_waiting: int, full: Sentence) -> None:
        """``full``: what the refusal says when too many wait."""
        self._at_once = at_once
        self._each = each
        self._most_waiting = most_waiting
        self._full = full
        self._ahead: Counter[Hashable] = Counter()
        """How many of each payer go ahead."""
        self._all_ahead = 0
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()
        """Those of each payer, the first first; the payer whose turn is next comes first."""
        self._all_waiting = 0

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._all_waiting

    @asynccontextmanager
    async def turn(self, payer: Hashable) -> AsyncIterator[None]:
        """Wait for a turn, and have it for the block. Raises Refusal.

        If too many wait, the newest of a payer who has the most waiting is refused at once.
        """
        await self.wait(payer)
        try:
            yield
        finally:
            self.leave(payer)

    def take(self, payer: Hashable) -> bool:
        """Take a turn if nobody has to wait. Return whether there was one; then call ``leave``."""
        if self._waiting or not self._may_go(payer):
            return False
        self._go(payer)
        return True

    async def wait(self, payer: Hashable) -> None:
        """Wait for a turn. Call ``leave`` after it. Raises Refusal; see ``turn``."""
        if self.take(payer):
            return
        mine = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(payer, deque()).append(mine)
        self._all_waiting += 1
        self._let_go()
        if self._all_waiting > self._most_waiting:
            self._push_out(payer)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled() and mine.exception() is None:
                self.leave(payer)  # it had its turn already
            elif mine.cancelled() and mine in self._waiting.get(payer, ()):
                self._forget(payer, mine)
            raise

    def leave(self, payer: Hashable) -> None:
        """End a turn."""
        self._all_ahead -= 1
        self._ahead[payer] -= 1
        if not self._ahead[payer]:
            del self._ahead[payer]
        self._let_go()

    def _may_go(self, payer: Hashable) -> bool:
        return self._all_ahead < self._at_once and self._ahead[payer] < self._each

    def _go(self, payer: Hashable) -> None:
        self._all_ahead += 1
        self._ahead[payer] += 1

    def _let_go(self) -> None:
        while (payer := next(filter(self._may_go, self._waiting), None)) is not None:
            first = self._waiting[payer][0]
            self._forget(payer, first)
            if payer in self._waiting:
                self._waiting.move_to_end(payer)
            if not first.done():
                self._go(payer)
                first.set_result(None)

    def _push_out(self, last: Hashable) -> None:
        """Refuse the newest of a payer with the most waiting; of the ``last`` who came, if they
        are one of these.
        """
        waiting = self._waiting
        most = max(map(len, waiting.values()))
        payer = last if len(waiting[last]) == most else max(waiting, key=lambda p: len(waiting[p]))
        newest = waiting[payer][-1]
        self._forget(payer, newest)
        if not newest.done():
            newest.set_exception(Refusal("busy", self._full))

    def _forget(self, payer: Hashable, one: asyncio.Future[None]) -> None:
        self._waiting[payer].remove(one)
        self._all_waiting -= 1
        if not self._waiting[payer]:
            del self._waiting[payer]

"""Hints, each computed once in another process, however often it is asked for."""

from dataclasses import dataclass, field
from typing import Final

from bigben_protocol.sentence import sentence
from bigben_server.sharing.once import Once
from bigben_server.sharing.turns import Turns
from bigben_server.thinking.pool import Pool, Urgent
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import Hint, hint

MOST_KEPT: Final = 500
MOST_AT_ONCE: Final = 8
"""How many may be computed, or wait for the pool: analyses come after them."""
EACH_AT_ONCE: Final = 2
"""Of them for one address, or player of another issuer."""
MOST_WAITING: Final = 40
"""How many more may wait for their turn: a school class that asks together."""
_BUSY: Final = sentence("server.many_hints")


def _turns() -> Turns:
    return Turns(at_once=MOST_AT_ONCE, each=EACH_AT_ONCE, most_waiting=MOST_WAITING, full=_BUSY)


@dataclass(slots=True, eq=False)
class Hints:
    """The hints that this process has found; the oldest are dropped."""

    pool: Pool
    _turns: Turns = field(default_factory=_turns)
    _found: Once[Asked, Hint] = field(default_factory=lambda: Once(MOST_KEPT))

    async def find(self, asked: Asked, payer: str) -> Hint:
        """The hint for a position, in the turn of ``payer``; see ``Session.payer``.

        Raises Refusal if the pool can't compute it now, or too many wait.
        """
        self.pool.check()
        if self._found.has(asked):
            return await self._found.get(asked, lambda: self._computed(asked))
        async with self._turns.turn(payer):
            return await self._found.get(asked, lambda: self._computed(asked))

    async def _computed(self, asked: Asked) -> Hint:
        return await self.pool.ask(hint, asked, urgent=Urgent.NOW)

"""How far a check of all races is, so that the next one goes on if it is interrupted."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from bigben_protocol import RaceId
from bigben_server.storage.client import Damaged, Stored, StoreLost
from bigben_server.storage.keys import race_of

_KEPT_S: Final = 86_400
"""After a day a check begins anew: too much has changed."""
_NONE: Final = RaceId("")
_UPTO: Final = b"upto"
_DAMAGED: Final = b"damaged"


@dataclass(slots=True, eq=False)
class Checkpoint(Stored):
    """What is read of all races, in the order of their names. It is kept in Redis for a day."""

    upto: RaceId = _NONE
    """All up to this one are read."""
    _damaged: dict[RaceId, None] = field(default_factory=dict)
    """Those of them in which damage was found; it is named again."""

    async def resume(self) -> None:
        """Go on with the check that was interrupted, if there is one. Raises StoreLost."""
        (found,) = await self.store.ask(("HGETALL", self.keys.checked))
        if found:
            self.upto = RaceId(found[_UPTO].decode())
            self._damaged = {RaceId(race): None for race in found[_DAMAGED].decode().split()}

    def left(self, races: Sequence[RaceId]) -> list[RaceId]:
        """Those of all these races that are still to be read."""
        before, after = races[: (at := bisect_right(races, self.upto))], races[at:]
        return [*(race for race in before if race in self._damaged), *after]

    async def note(self, races: Sequence[RaceId], found: Iterable[Damaged]) -> None:
        """These are read, and this is damaged in them."""
        self.upto = max(self.upto, races[-1])
        for race in races:
            self._damaged.pop(race, None)
        self._damaged |= dict.fromkeys(race_of(one.key) for one in found)
        key, texts = self.keys.checked, " ".join(self._damaged)
        with suppress(StoreLost):  # a Redis that takes no writes can be checked too
            note = ("HSET", key, _UPTO, self.upto, _DAMAGED, texts)
            await self.store.ask(note, ("EXPIRE", key, _KEPT_S))

    async def forget(self) -> None:
        """Let the next check begin anew."""
        with suppress(StoreLost):
            await self.store.ask(("DEL", self.keys.checked))

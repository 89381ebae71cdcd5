"""Corrects the boards of days and the histories where they are, while servers add to them.

What is right stays there all the time, so it may be interrupted anywhere, and done again.
Every method raises StoreLost if Redis fails.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.scoring.boards import boards_of
from bigben_server.scoring.results import one_each
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Damaged, Stored, chunks
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import DAYS, race_of
from bigben_server.storage.leaderboards import Boards

_AT_ONCE: Final = 1_000


@dataclass(slots=True, eq=False)
class Corrections(Stored):
    """Call ``begin`` before the list of races is read, ``correct`` for each race, then ``end``."""

    boards: Boards
    _there: dict[RaceId, list[str]] = field(default_factory=dict)
    """The boards of each day's race, of those that are not corrected yet."""
    _histories: list[str] = field(default_factory=list)
    _counts: Counter[PlayerId] = field(default_factory=Counter)
    """How many results of each player count."""

    async def begin(self) -> None:
        beginning = self.keys.board(DAYS)[:-1]
        for key in await self._of_kind("zset", beginning):
            self._there.setdefault(RaceId(race_of(key).partition("@")[0]), []).append(key)
        self._histories = await self._of_kind("hash", self.keys.history(PlayerId("")))

    async def correct(self, races: Sequence[RaceId], void: Collection[RaceId]) -> None:
        """Let the results of these races count, unless the race is void, and nothing else."""
        keys = [*chain(*(self._there.pop(race, ()) for race in races))]
        # In this order: who is on a board has a result by then.
        listed = await self.store.ask(*(("ZRANGE", key, 0, -1) for key in keys))
        found = await self.boards.results_of([race for race in races if race not in void])
        finishes = [*chain(*map(one_each, self.store.readable(found)))]
        await self.boards.place(finishes)
        belong = defaultdict[str, set[bytes]](set)
        for one in finishes:
            self._counts[one.counts_for] += 1
            for board in boards_of(one, self.boards.ranked, "key"):
                belong[self.keys.board(board.name)].add(one.counts_for.encode())
        for key, players in zip(keys, listed, strict=True):
            for some in chunks([one for one in players if one not in belong[key]], _AT_ONCE):
                await self.store.ask(("ZREM", key, *some))

    async def end(self, void: Collection[RaceId]) -> None:
        """Take away what no race has brought."""
        for some in chunks([*chain(*self._there.values())], _AT_ONCE):
            await self.store.ask(*(("UNLINK", key) for key in some))
        for keys in chunks(self._histories, _AT_ONCE):
            sizes = await self.store.ask(*(("HLEN", key) for key in keys))
            for key, size in zip(keys, sizes, strict=True):
                player = PlayerId(key.removeprefix(self.keys.history(PlayerId(""))))
                if size != self._counts[player]:
                    await self._correct_history(key, player, void)

    async def _correct_history(self, key: str, player: PlayerId, void: Collection[RaceId]) -> None:
        (fields,) = await self.store.ask(("HKEYS", key))
        races = [RaceId(race.decode(errors="replace")) for race in fields]
        same = player, *await Aliases(self.store).tied_to(player)
        counts = await self.store.ask_each(
            *(("HMGET", self.keys.results(race), *same) for race in races)
        )
        each = zip(fields, races, counts, strict=True)
        wrong = [
            field
            for field, race, found in each
            if isinstance(found, Damaged) or not any(found) or race in void
        ]
        for some in chunks(wrong, _AT_ONCE):
            await self.store.ask(("HDEL", key, *some))

    async def _of_kind(self, kind: str, beginning: str) -> list[str]:
        """The keys that begin like this; those with a value of another kind are deleted."""
        found: list[str] = []
        for keys in chunks([key async for key in self.store.scan(beginning)], _AT_ONCE):
            kinds = await self.store.ask(*(("TYPE", key) for key in keys))
            right = [key for key, word in zip(keys, kinds, strict=True) if word == kind.encode()]
            wrong: list[Command] = [("UNLINK", key) for key in {*keys}.difference(right)]
            await self.store.ask(*wrong)
            found += right
        return found

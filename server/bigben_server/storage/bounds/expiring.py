"""Closed races that count nowhere, until they are deleted. Every method raises StoreLost."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Stored
from bigben_server.storage.keys import RACED

AT_ONCE: Final = 100
"""The most races that one question returns."""


@dataclass(slots=True, eq=False)
class Expiring(Stored):
    """Races by the time when they are deleted. Nothing of them is on a board or in a rating."""

    async def note(self, race: RaceId, at: int) -> None:
        """Let a race whose results are all recorded expire ``at``, ms since 1970. Idempotent."""
        await self.store.ask(("ZADD", self.keys.expiring, at, race))

    async def races(self) -> list[RaceId]:
        """All of them, the next to expire first."""
        (races,) = await self.store.ask(("ZRANGE", self.keys.expiring, 0, -1))
        return [RaceId(race.decode()) for race in races]

    async def due(self, now: int) -> list[RaceId]:
        """Some that expire by ``now``, those first whose time was first."""
        word = ("ZRANGEBYSCORE", self.keys.expiring, "-inf", now, "LIMIT", 0, AT_ONCE)
        (races,) = await self.store.ask(word)
        return [RaceId(race.decode()) for race in races]

    async def delete(self, race: RaceId, seats: Iterable[PlayerId]) -> None:
        """Delete all that is stored of a race; after an interruption, call it again.

        ``seats`` are the players in its room. A server of an older version may have let it count:
        then it stays.
        """
        keys = self.keys
        counts, results = await self.store.ask(
            ("ZSCORE", keys.closed, race), ("HKEYS", keys.results(race))
        )
        if counts is None:
            recorded = {PlayerId(one.decode()) for one in results if one != RACED.encode()}
            players = sorted({*seats, *recorded})
            aliases = await Aliases(self.store).of(players)
            same = {*players, *(alias.account for alias in aliases if alias)}
            await self.store.ask(*(("HDEL", keys.history(one), race) for one in sorted(same)))
            for player in players:
                await self._forget(player)
            logs = [keys.seat_log(race, player) for player in players]
            all_ = (keys.packed(race), keys.results(race), *logs, keys.room_log(race))
            # In one step, because its logs may just be packed or unpacked.
            await self.store.ask(("UNLINK", *all_), ("HDEL", keys.void, race))
        await self.store.ask(("ZREM", keys.expiring, race))

    async def _forget(self, player: PlayerId) -> None:
        """Forget the name of a player without any result."""
        history, names = self.keys.history(player), self.keys.names
        left, name, about = await self.store.ask(
            ("HLEN", history), ("HGET", names, player), ("EXISTS", self.keys.player(player))
        )
        if left or name is None or about:
            return
        await self.store.ask(("HDEL", names, player))
        (left,) = await self.store.ask(("HLEN", history))
        if left:  # a result was just recorded
            await self.store.ask(("HSETNX", names, player, name))

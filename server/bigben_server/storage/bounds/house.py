"""The seats of house players, so that no address takes all of them. They hold for all processes.

A house player plays in a limited number of rooms at once, and in fewer for one address or player.
Which of them asked for a seat is noted under a keyed hash, which expires; a seat counts until its
game is over.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hmac import digest
from typing import Final

from bigben_protocol import HOUSE_NAMES, PlayerId, RaceId, house_player
from bigben_protocol.sentence import sentence
from bigben_server.race.events import Refusal
from bigben_server.scoring.results import is_guest
from bigben_server.storage.client import Stored

MOST_SEATS: Final = 100
"""The rooms in which a house player has a seat at once; it could play in a few more."""
MOST_OF_PLAYER: Final = 10
"""Those of them that one player asked for."""
MOST_OF_ADDRESS: Final = 40
"""The same for all guests of an address: a school class has a room each."""
_NEW_MS: Final = 60_000
"""A seat that was just asked for counts, though it may not be written yet."""
_KEPT_S: Final = 3 * 86_400
"""Longer than a room can be open and then running."""
_NAMES: Final = {house_player(key): name for key, name in HOUSE_NAMES.items()}


@dataclass(eq=False)
class HouseSeats(Stored):
    secret: bytes
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def ask(
        self, race: RaceId, wanted: Collection[PlayerId], by: PlayerId, address: str, now: int
    ) -> Mapping[PlayerId, Refusal]:
        """Ask for seats of these house players in a race. Raises StoreLost.

        Returns why some have no seat for it. The others are now counted for ``by``.
        """
        budgets = {self._key(f"player {by}"): MOST_OF_PLAYER}
        if is_guest(by):
            budgets[self._key(f"address {address}")] = MOST_OF_ADDRESS
        async with self._one_at_a_time:
            refused: dict[PlayerId, Refusal] = {}
            taken = [await self._taken(key, now) for key in budgets]
            lists = [self.keys.open_races(player) for player in wanted]
            counts = await self.store.ask(*(("ZCARD", key) for key in lists))
            for player, count in zip(wanted, counts, strict=True):
                name = f"{_NAMES[player]} (house)"
                if any(
                    len(races.get(player, set()) - {race}) >= most
                    for races, most in zip(taken, budgets.values(), strict=True)
                ):
                    refused[player] = Refusal(
                        "limit",
                        sentence("house.enough", name=name),
                    )
                elif count >= MOST_SEATS:
                    refused[player] = Refusal(
                        "busy",
                        sentence("house.busy", name=name),
                    )
            noted = [word for p in wanted if p not in refused for word in (now, f"{race} {p}")]
            if noted:
                await self.store.ask(
                    *(("ZADD", key, *noted) for key in budgets),
                    *(("EXPIRE", key, _KEPT_S) for key in budgets),
                )
        return refused

    async def _taken(self, key: str, now: int) -> dict[PlayerId, set[RaceId]]:
        """The rooms in which each house player plays for a player or an address."""
        all_, new = await self.store.ask(
            ("ZRANGE", key, 0, -1), ("ZRANGEBYSCORE", key, f"({now - _NEW_MS}", "+inf")
        )
        seats = [(*member.decode().split(" ", 1), member in new) for member in all_]
        playing = await self.store.ask(
            *(("ZSCORE", self.keys.open_races(player), race) for race, player, _ in seats)
        )
        taken: dict[PlayerId, set[RaceId]] = {}
        over = []
        for (race, player, is_new), since in zip(seats, playing, strict=True):
            if since is None and not is_new:
                over.append(f"{race} {player}")
            else:
                taken.setdefault(PlayerId(player), set()).add(RaceId(race))
        if over:
            await self.store.ask(("ZREM", key, *over))
        return taken

    def _key(self, whose: str) -> str:
        hashed = digest(self.secret, f"house {whose}".encode(), "sha256")
        return self.keys.house_seats(hashed[:16].hex())

"""Ties guests and other players to accounts, if no race has a seat of both."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_protocol.sentence import sentence
from bigben_server.accounts.tokens import LINK_S
from bigben_server.leaderboards.settler import Settler
from bigben_server.race.daily import is_daily
from bigben_server.race.events import Cancelled, Closed, Player, Refusal, SeatStatus, Voided
from bigben_server.race.state import Race
from bigben_server.race.transitions import OVER
from bigben_server.storage.client import reading
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

MOST_TIED: Final = 20
"""The most players who are tied to one account."""
_PATIENCE_S: Final = 10.0
"""How long to wait for who settles races now."""


@dataclass(slots=True, eq=False)
class Tying:
    store: Store
    settler: Settler
    clock: Callable[[], int]

    async def tie(self, other: Player, player: Player, *, once: str = "") -> None:
        """Tie another player, with all who are tied to them, to this one's account. Idempotent.

        ``once``: the number of a one-time link, which is spent if nothing is in the way. Raises
        Refusal, StoreLost and Damaged.
        """
        account = player.id
        try:
            async with asyncio.timeout(_PATIENCE_S), self.settler.ledger.lease(wait=True):
                await self._check(other, account)
                await self.settler.count_tied()  # of ties before
                await People(self.store).name(player)
                if once and not await People(self.store).spend(once, 2 * LINK_S):
                    raise Refusal("token", sentence("link.used"))
                alias = await self.settler.aliases.tie(other.id, account, self.clock())
                await self.settler.count_tied()
        except TimeoutError:
            raise Refusal("busy", sentence("server.full")) from None
        if alias is None or alias.to != account:
            raise Refusal("token", sentence("tie.other"))

    async def _check(self, other: Player, account: PlayerId) -> None:
        """Raises Refusal if the other player can't be tied to this account now."""
        aliases = self.settler.aliases
        mine, same = await aliases.tied_to(account), await aliases.tied_to(other.id)
        if other.id in mine:
            return
        if len(mine) + 1 + len(same) > MOST_TIED:
            raise Refusal("limit", sentence("tie.most", most=MOST_TIED))
        theirs: dict[RaceId, bool] = {}
        for who in (*same, other.id):
            theirs |= await self._races(who)
        for who in (account, *mine):
            if both := theirs.keys() & (await self._races(who, among=theirs)).keys():
                raise Refusal("seat", sentence("tie.both", name=other.name, race=min(both)))
        if plays := [race for race, is_over in theirs.items() if not is_over]:
            raise Refusal("phase", sentence("tie.plays", name=other.name, race=min(plays)))

    async def _races(
        self, player: PlayerId, *, among: Collection[RaceId] | None = None
    ) -> dict[RaceId, bool]:
        """The races in which a player has seen cards or will, and whether their game is over.

        Without practice, in which nobody else has a seat; of open races only those ``among`` these.
        """
        (history,) = await self.settler.boards.histories(player)
        found = {entry.race: True for entry in history}
        for race in await People(self.store).all_races(player):
            if race in found or (among is not None and race not in among):
                continue
            status = (await self.store.statuses(race, [player])).get(player)
            of_kind = self._in_daily if is_daily(race) else self._in_room
            if (is_over := await of_kind(race, player, status)) is not None:
                found[race] = is_over
        return found

    async def _in_daily(self, race: RaceId, _: PlayerId, status: SeatStatus | None) -> bool | None:
        """Whether the game is over; None if it has not begun. Its log has too many others."""
        if status is None or not status.begun_at:
            return None
        end = await People(self.store).end_of_daily(race)
        return status.state in OVER or bool(end and isinstance(end[1], Closed | Voided))

    async def _in_room(
        self, race: RaceId, player: PlayerId, status: SeatStatus | None
    ) -> bool | None:
        """The same; None also if the race does not count, or the player has left it."""
        if not (events := await self.store.events(race)):
            return None
        with reading(self.store.keys.room_log(race)):
            read = Race(race, events)
        if not (seat := read.seats.get(player)):
            return None
        if status:
            read.take_status(player, status)
        counts = read.opened.kind != "practice" and not isinstance(read.ended, Cancelled)
        if not (counts and (read.live or seat.status.begun_at)):
            return None
        return bool(seat.over or read.ended)

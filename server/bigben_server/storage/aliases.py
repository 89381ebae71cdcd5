"""Which guests are tied to which accounts: the same people, whose results count together.

Races, records and results keep the guest's id. Every method raises StoreLost if Redis fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bigben_protocol import PlayerId
from bigben_server.storage.client import Stored, reading, script


class Alias(NamedTuple):
    """What a guest is who is tied to an account for good."""

    after: int
    """How many races were settled before. In these the guest is rated, in later ones the account.
    """
    at: int
    """ms since 1970."""
    account: PlayerId


def read_alias(text: bytes) -> Alias:
    after, at, account = text.decode().split(" ", 2)
    return Alias(int(after), int(at), PlayerId(account))


@dataclass(slots=True, eq=False)
class Aliases(Stored):
    """The aliases of all guests. They are where the number of settled races is."""

    async def tie(self, guest: PlayerId, account: PlayerId, at: int) -> Alias:
        """Tie a guest, unless it is tied already; return the alias. Hold the lease to settle."""
        keys = self.keys.aliases, self.keys.guests, self.keys.tying, self.keys.settled
        (text,) = await self.store.ask(("EVAL", script("alias"), 4, *keys, guest, account, at))
        return self.read(text)

    async def of(self, players: Sequence[PlayerId]) -> list[Alias | None]:
        """The alias of each of these players, if it has one. Raises Damaged."""
        if not players:
            return []
        (texts,) = await self.store.ask(("HMGET", self.keys.aliases, *players))
        return [self.read(text) if text else None for text in texts]

    async def guests(self, account: PlayerId) -> tuple[PlayerId, ...]:
        """The guests who are tied to an account, in this order."""
        (text,) = await self.store.ask(("HGET", self.keys.guests, account))
        return read_guests(text)

    def read(self, text: bytes) -> Alias:
        """Raises Damaged."""
        with reading(self.keys.aliases):
            return read_alias(text)


def read_guests(text: bytes | None) -> tuple[PlayerId, ...]:
    """The guests in a field of an account."""
    return tuple(map(PlayerId, text.decode().split(" "))) if text else ()

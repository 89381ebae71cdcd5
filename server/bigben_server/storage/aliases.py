"""Which guests are tied to which accounts: the same people, whose results count together.

Races, records and results keep the guest's id. Every method raises StoreLost if Redis fails.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bigben_protocol import PlayerId
from bigben_server.scoring.results import Alias, Finish, is_guest
from bigben_server.storage.client import Stored, chunks, reading, script
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import groups_in

SUM: Final = "+"
OWN: Final = ""
"""The account's own score, or else the guest's."""
_AT_ONCE: Final = 500


def read_alias(text: bytes) -> Alias:
    n, after, at, account = text.decode().split(" ", 3)
    return Alias(int(n), int(after), int(at), PlayerId(account))


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

    async def all(self) -> dict[PlayerId, Alias]:
        """All of them, in the order in which the guests were tied. Raises Damaged."""
        (texts,) = await self.store.ask(("HGETALL", self.keys.aliases))
        found = {PlayerId(guest.decode()): self.read(text) for guest, text in texts.items()}
        return dict(sorted(found.items(), key=lambda one: one[1]))

    async def counted_for(self, finishes: Sequence[Finish]) -> list[Finish]:
        """These results, with the aliases of their guests. Raises Damaged."""
        guests = guests_in(finishes)
        found = dict(zip(guests, await self.of(guests), strict=True))
        return [one._replace(alias=found.get(one.player)) for one in finishes]

    async def called(self, player: PlayerId, instead: PlayerId) -> None:
        """Give a guest another id besides theirs, or an account one in the place of theirs.

        Idempotent. Call ``forget`` when nothing has the guest's own id any more.
        """
        keys = self.keys.aliases, self.keys.guests
        await self.store.ask(("EVAL", script("called"), 2, *keys, player, instead))

    async def forget(self, guest: PlayerId) -> None:
        """Forget a guest who has another id. Idempotent."""
        (alias,) = await self.of([guest])
        if alias:
            left = " ".join(one for one in await self.guests(alias.account) if one != guest)
            await self.store.ask(
                ("HSET", self.keys.guests, alias.account, left),
                ("HDEL", self.keys.aliases, guest),
            )

    async def uncounted(self) -> list[PlayerId]:
        """The guests who are tied, and not counted under their account everywhere yet."""
        (guests,) = await self.store.ask(("LRANGE", self.keys.tying, 0, -1))
        return [PlayerId(guest.decode()) for guest in guests]

    async def counted(self, guest: PlayerId) -> None:
        """The guest is counted under their account everywhere."""
        await self.store.ask(("LREM", self.keys.tying, 0, guest))

    async def fold(self, guest: PlayerId, account: PlayerId, keys: Mapping[str, str | int]) -> None:
        """Count what the guest has in these boards and ratings under the account. Idempotent.

        With each key, what the account has then: ``SUM``, ``OWN``, or the score or rating itself.
        """
        commands = [
            ("EVAL", script("fold"), 1, key, guest, account, what) for key, what in keys.items()
        ]
        for some in chunks(commands, _AT_ONCE):
            await self.store.ask(*some)

    async def move(self, guest: PlayerId, account: PlayerId) -> None:
        """Move the guest's history and groups to the account. Idempotent."""
        keys = self.keys
        history, about = await self.store.ask(
            ("HGETALL", keys.history(guest)), ("HGETALL", keys.player(guest))
        )
        groups = {group: about[f"in:{group}".encode()] for group in sorted(groups_in(about))}
        commands: list[Command] = []
        for group, since in groups.items():
            commands.append(("ZADD", keys.members(group), "NX", since, account))
            commands.append(("HSETNX", keys.player(account), f"in:{group}", since))
        for some in chunks([*history.items()], _AT_ONCE):
            commands.append(("HSET", keys.history(account), *chain(*some)))
        await self.store.ask(*commands)
        await self.store.ask(
            *(("ZREM", keys.members(group), guest) for group in groups),
            *(("HDEL", keys.player(guest), f"in:{group}") for group in groups),
            ("DEL", keys.history(guest)),
        )

    def read(self, text: bytes) -> Alias:
        """Raises Damaged."""
        with reading(self.keys.aliases):
            return read_alias(text)


def guests_in(finishes: Iterable[Finish]) -> list[PlayerId]:
    """The guests who have one of these results."""
    return list(dict.fromkeys(one.player for one in finishes if is_guest(one.player)))


def read_guests(text: bytes | None) -> tuple[PlayerId, ...]:
    """The guests in a field of an account."""
    return tuple(map(PlayerId, text.decode().split(" "))) if text else ()

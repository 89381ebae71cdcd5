"""Which players are tied to which accounts: the same people, whose results count together.

Most are guests. Who is tied to an account may have players of their own by then, who count for the
account too. Races, records and results keep the id of who is tied. Every method raises StoreLost if
Redis fails.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bigben_protocol import PlayerId
from bigben_server.scoring.results import Alias, Finish
from bigben_server.storage.client import Stored, chunks, reading, script
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import IN, ORGANISES, groups_in

SUM: Final = "+"
OWN: Final = ""
"""The account's own score, or else that of who is tied."""
_AT_ONCE: Final = 500


def read_alias(text: bytes) -> Alias:
    n, after, at, to = text.decode().split(" ", 3)
    return Alias(int(n), int(after), int(at), PlayerId(to))


@dataclass(slots=True, eq=False)
class Aliases(Stored):
    """The aliases of all who are tied. They are where the number of settled races is."""

    async def tie(self, player: PlayerId, account: PlayerId, at: int) -> Alias | None:
        """Tie a player, unless they are tied already; return the alias. Hold the lease to settle.

        None if the account was tied to somebody meanwhile.
        """
        keys = self.keys.aliases, self.keys.tied, self.keys.tying, self.keys.settled
        (text,) = await self.store.ask(("EVAL", script("alias"), 4, *keys, player, account, at))
        return self.read(text) if text else None

    async def of(self, players: Sequence[PlayerId]) -> list[Alias | None]:
        """The alias of each of these players, if they have one. Raises Damaged."""
        if not players:
            return []
        (texts,) = await self.store.ask(("HMGET", self.keys.aliases, *players))
        read = [self.read(text) if text else None for text in texts]
        tied = [alias.to for alias in read if alias]
        further = iter(await self.of(tied))
        return [alias and alias._replace(further=next(further)) for alias in read]

    async def tied_to(self, account: PlayerId) -> tuple[PlayerId, ...]:
        """Who is tied to an account, in this order, also by way of another player."""
        (text,) = await self.store.ask(("HGET", self.keys.tied, account))
        return read_tied(text)

    async def all(self) -> dict[PlayerId, Alias]:
        """All of them, each without ``further``, in the order in which they were tied.

        Raises Damaged.
        """
        (texts,) = await self.store.ask(("HGETALL", self.keys.aliases))
        found = {PlayerId(player.decode()): self.read(text) for player, text in texts.items()}
        return dict(sorted(found.items(), key=lambda one: one[1]))

    async def counted_for(self, finishes: Sequence[Finish]) -> list[Finish]:
        """These results, with the aliases of their players. Raises Damaged."""
        players = list({one.player: None for one in finishes})
        found = dict(zip(players, await self.of(players), strict=True))
        return [one._replace(alias=found[one.player]) for one in finishes]

    async def called(self, player: PlayerId, instead: PlayerId) -> None:
        """Give a tied player another id besides theirs, or an account one in the place of theirs.

        Idempotent. Call ``forget`` when nothing has the tied player's own id any more.
        """
        keys = self.keys.aliases, self.keys.tied
        await self.store.ask(("EVAL", script("called"), 2, *keys, player, instead))

    async def forget(self, player: PlayerId) -> None:
        """Forget a tied player who has another id. Idempotent."""
        (alias,), commands = await self.of([player]), list[Command]()
        while alias:
            left = " ".join(one for one in await self.tied_to(alias.to) if one != player)
            commands.append(("HSET", self.keys.tied, alias.to, left))
            alias = alias.further
        await self.store.ask(*commands, ("HDEL", self.keys.aliases, player))

    async def uncounted(self) -> list[PlayerId]:
        """Who is tied, and not counted under their account everywhere yet."""
        (players,) = await self.store.ask(("LRANGE", self.keys.tying, 0, -1))
        return [PlayerId(player.decode()) for player in players]

    async def counted(self, player: PlayerId) -> None:
        """The player is counted under their account everywhere."""
        await self.store.ask(("LREM", self.keys.tying, 0, player))

    async def fold(
        self, player: PlayerId, account: PlayerId, keys: Mapping[str, str | int]
    ) -> None:
        """Count what the player has in these boards and ratings under the account. Idempotent.

        With each key, what the account has then: ``SUM``, ``OWN``, or the score or rating itself.
        """
        commands = [
            ("EVAL", script("fold"), 1, key, player, account, what) for key, what in keys.items()
        ]
        for some in chunks(commands, _AT_ONCE):
            await self.store.ask(*some)

    async def move(self, player: PlayerId, account: PlayerId) -> None:
        """Move the player's history and groups to the account. Idempotent."""
        keys = self.keys
        history, about = await self.store.ask(
            ("HGETALL", keys.history(player)), ("HGETALL", keys.player(player))
        )
        mine = [(what, group) for what in (IN, ORGANISES) for group in groups_in(about, what)]
        fields = [f"{what}{group}" for what, group in sorted(mine)]
        made = [group for what, group in mine if what == IN and ":" not in group]
        commands: list[Command] = [
            ("HSETNX", keys.player(account), field, about[field.encode()]) for field in fields
        ]
        for group in made:
            since = about[f"{IN}{group}".encode()]
            commands.append(("ZADD", keys.members(group), "NX", since, account))
        for some in chunks([*history.items()], _AT_ONCE):
            commands.append(("HSET", keys.history(account), *chain(*some)))
        await self.store.ask(*commands)
        await self.store.ask(
            *(("ZREM", keys.members(group), player) for group in made),
            *(("HDEL", keys.player(player), field) for field in fields),
            ("DEL", keys.history(player)),
        )

    def read(self, text: bytes) -> Alias:
        """Raises Damaged."""
        with reading(self.keys.aliases):
            return read_alias(text)


def read_tied(text: bytes | None) -> tuple[PlayerId, ...]:
    """Who is tied to an account, in its field."""
    return tuple(map(PlayerId, text.decode().split(" "))) if text else ()

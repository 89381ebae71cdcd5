"""Players and their groups in Redis: names, memberships, codes.

Every method raises StoreLost if Redis fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from bigben_protocol import Group, PlayerId
from bigben_server.race.events import Player
from bigben_server.storage import keys
from bigben_server.storage.client import Connection, script
from bigben_server.storage.exchange import Command


@dataclass(slots=True, eq=False)
class People:
    """What is stored about players besides their results."""

    store: Connection

    async def secret(self, candidate: bytes) -> bytes:
        """The secret that all processes share: the first candidate that was ever offered."""
        _, secret = await self.store.ask(("SETNX", keys.SECRET, candidate), ("GET", keys.SECRET))
        return cast(bytes, secret)

    async def spend(self, once: str, seconds: int) -> bool:
        """Use a one-time link. Return whether it was unused, which is stored for ``seconds``."""
        (answer,) = await self.store.ask(("SET", keys.spent(once), 1, "NX", "EX", seconds))
        return answer is not None

    async def introduce(self, player: Player, now: int) -> None:
        """Store what a token says: the groups, whether a bot, and the name if it is on boards."""
        key = keys.player(player.id)
        about, name = await self.store.ask(("HGETALL", key), ("HGET", keys.NAMES, player.id))
        commands: list[Command] = []
        if name and name.decode() != player.name and keys.NAMED not in about:
            commands.append(("HSET", keys.NAMES, player.id, player.name))
        if player.bot and keys.BOT not in about:
            commands.append(("HSET", key, keys.BOT, 1))
        if player.groups is not None:
            issuer = player.id.partition(":")[0]
            known = {group for group in keys.groups_in(about) if group.startswith(f"{issuer}:")}
            for group in sorted(player.groups - known):
                commands.append(("HSETNX", keys.group(group), "since", now))
                commands.append(("HSET", key, f"in:{group}", now))
            commands += (("HDEL", key, f"in:{group}") for group in sorted(known - player.groups))
        await self.store.ask(*commands)

    async def names(self, players: Sequence[PlayerId]) -> list[str]:
        """Their names; empty for those without one."""
        (names,) = await self.store.ask(("HMGET", keys.NAMES, *players))
        return [name.decode() if name else "" for name in names]

    async def rename(self, player: PlayerId, name: str) -> bool:
        """Show another name on all boards, whatever tokens say; False if there is no player."""
        (known,) = await self.store.ask(("HEXISTS", keys.NAMES, player))
        if known:
            await self.store.ask(
                ("HSET", keys.player(player), keys.NAMED, 1), ("HSET", keys.NAMES, player, name)
            )
        return bool(known)

    async def groups(self, player: PlayerId) -> tuple[Group, ...]:
        """The groups a player belongs to, by id, with their codes."""
        (about,) = await self.store.ask(("HGETALL", keys.player(player)))
        mine = sorted(keys.groups_in(about))
        asked = (("HMGET", keys.group(group), "name", "code") for group in mine)
        found = await self.store.ask(*asked)
        return tuple(
            Group(group, (name or b"").decode(), (code or b"").decode())
            for group, (name, code) in zip(mine, found, strict=True)
        )

    async def create(self, player: PlayerId, group: Group, now: int) -> bool:
        """Create a group with its first member; False if somebody else has one with this id.

        After StoreLost the same player may call it again.
        """
        key = keys.group(group.group)
        (code,) = await self.store.ask(("EVAL", script("claim"), 1, key, player, group.code))
        if code is None:
            return False
        await self.store.ask(
            ("HSET", keys.CODES, code, group.group),
            ("HSET", keys.player(player), f"in:{group.group}", now),
            ("HSET", key, "name", group.name, "since", now),
            ("HDEL", key, "maker"),
        )
        return True

    async def group_by(self, code: str) -> str:
        """The group with this code; empty if there is none."""
        (group,) = await self.store.ask(("HGET", keys.CODES, code))
        return group.decode() if group else ""

    async def join(self, player: PlayerId, group: str, now: int) -> None:
        await self.store.ask(("HSETNX", keys.player(player), f"in:{group}", now))

    async def leave(self, player: PlayerId, group: str) -> None:
        await self.store.ask(("HDEL", keys.player(player), f"in:{group}"))

"""Groups that players made, and that go with their last member. Every method raises StoreLost.

Who is in a group is known of each player. That a group may be empty is seen from its list of
members, which an older server does not keep: so all players are asked before it is deleted.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from bigben_protocol import PlayerId
from bigben_server.storage.client import Stored, chunks, script

_AT_ONCE: Final = 500


@dataclass(slots=True, eq=False)
class PlayerGroups(Stored):
    async def free_id(self, group: str) -> str:
        """The id for a new group: another one if results or seasons are of a group that is gone."""
        ids = (group if n == 1 else f"{group}~{n}" for n in count(1))
        for one in ids:
            (gone_at,) = await self.store.ask(("ZSCORE", self.keys.past_groups, one))
            if gone_at is None:
                return one
        raise AssertionError("there is always another id")

    async def delete_if_empty(self, group: str, now: int) -> bool:
        """Delete a group if nobody is in it any more; return whether it is gone. Idempotent."""
        (listed,) = await self.store.ask(("ZCARD", self.keys.members(group)))
        if listed:
            return False
        async for some in self._members(group):
            words = (word for player in some for word in (now, player))
            await self.store.ask(("ZADD", self.keys.members(group), *words))
            return False
        await self._delete(group, now)
        return True

    async def delete(self, group: str, now: int) -> int:
        """Delete a group and its boards; return how many members it had. Idempotent."""
        members = 0
        await self._hide(group)
        async for some in self._members(group):
            members += len(some)
            await self.store.ask(
                *(("HDEL", self.keys.player(player), f"in:{group}") for player in some)
            )
        await self._delete(group, now)
        return members

    async def _hide(self, group: str) -> None:
        """Let nobody join any more."""
        (code,) = await self.store.ask(("HGET", self.keys.group(group), "code"))
        if code:
            await self.store.ask(("EVAL", script("forget"), 1, self.keys.codes, code, group))

    async def _delete(self, group: str, now: int) -> None:
        await self._hide(group)
        boards = [key async for key in self.store.scan(self.keys.boards) if f"@{group}}}" in key]
        (seasons,) = await self.store.ask(("EXISTS", self.keys.seasons_of(group)))
        if boards or seasons:  # a new group with this name must not have them
            await self.store.ask(("ZADD", self.keys.past_groups, now, group))
        for some in chunks(boards, _AT_ONCE):
            await self.store.ask(*(("UNLINK", key) for key in some))
        await self.store.ask(("DEL", self.keys.members(group)), ("DEL", self.keys.group(group)))

    async def _members(self, group: str) -> AsyncIterator[list[PlayerId]]:
        """The players in a group, some at a time; nothing if there are none."""
        beginning = self.keys.player(PlayerId(""))
        for some in chunks([key async for key in self.store.scan(beginning)], _AT_ONCE):
            asked = (("HEXISTS", key, f"in:{group}") for key in some)
            there = await self.store.ask(*asked)
            members = [key for key, is_in in zip(some, there, strict=True) if is_in]
            if members:
                yield [PlayerId(key.removeprefix(beginning)) for key in members]

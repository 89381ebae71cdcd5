"""Groups of players: their ids and codes, and how players create, join and leave them.

A front end names its own groups in its tokens: ``discord:`` and a server's id. Groups that players
create have no colon in their id, so the two kinds never collide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from bigben_protocol import CreateGroup, GetGroups, Group, Groups, JoinGroup, LeaveGroup, PlayerId
from bigben_protocol.sentence import sentence
from bigben_server.accounts.names import display_name
from bigben_server.race.events import Refusal
from bigben_server.race.lobby import RandomBytes, letters
from bigben_server.scoring.results import BOTS, GUESTS
from bigben_server.storage.bounds.groups import PlayerGroups
from bigben_server.storage.players import People

MOST_JOINED: Final = 20
"""The most groups created by players that one player may belong to."""
_CODE_LENGTH: Final = 8
_LONGEST_ID: Final = 64
GroupQuestion = GetGroups | CreateGroup | JoinGroup | LeaveGroup


@dataclass(slots=True, eq=False)
class Memberships:
    """The groups of each player. Every method raises StoreLost."""

    people: People
    clock: Callable[[], int]
    random_bytes: RandomBytes

    async def answer(self, asker: PlayerId, question: GroupQuestion) -> Groups:
        """Carry out a request; return the player's groups. Raises Refusal; nothing has changed."""
        mine = await self.people.groups(asker)
        match question:
            case GetGroups(ref):
                return Groups(mine, ref)
            case CreateGroup(name):
                await self._create(asker, name, mine)
            case JoinGroup(code):
                await self._join(asker, code, mine)
            case LeaveGroup(group):
                await self._leave(asker, group, mine)
        return Groups(await self.people.groups(asker), question.ref)

    async def _create(self, asker: PlayerId, name: str, mine: tuple[Group, ...]) -> None:
        shown, group = display_name(name), id_for(name)
        group = await PlayerGroups(self.people.store).free_id(group)
        if any(one.group == group and one.name for one in mine):
            return
        _check_room_for_more(mine)
        code = letters(self.random_bytes, _CODE_LENGTH)
        if not await self.people.create(asker, Group(group, shown, code), self.clock()):
            text = sentence("group.taken", name=shown)
            raise Refusal("name", text)

    async def _join(self, asker: PlayerId, code: str, mine: tuple[Group, ...]) -> None:
        group = await self.people.group_by(code.upper().replace("-", "").replace(" ", ""))
        if not group:
            raise Refusal("unknown", sentence("group.no_code"))
        if all(one.group != group for one in mine):
            _check_room_for_more(mine)
            await self.people.join(asker, group, self.clock())

    async def _leave(self, asker: PlayerId, group: str, mine: tuple[Group, ...]) -> None:
        if all(one.group != group for one in mine):
            raise Refusal("unknown", sentence("group.not_in", group=repr(group[:40])))
        issuer, colon, _ = group.partition(":")
        if colon:
            raise Refusal("board", sentence("group.elsewhere", issuer=issuer))
        await self.people.leave(asker, group, self.clock())


def id_for(name: str) -> str:
    """The id of a group with this name; similar names have the same id. Raises Refusal.

    >>> id_for("The  Aces!"), id_for("the aces")
    ('the-aces', 'the-aces')
    """
    shown = display_name(name)
    kept = (letter if category(letter)[0] in "LMN" else " " for letter in shown.casefold())
    group = "-".join("".join(kept).split())[:_LONGEST_ID]
    if not group or group in (BOTS, GUESTS):
        raise Refusal("name", sentence("group.bad_name", name=repr(shown)))
    return group


def _check_room_for_more(mine: tuple[Group, ...]) -> None:
    if sum(":" not in one.group for one in mine) >= MOST_JOINED:
        raise Refusal("limit", sentence("group.most", most=MOST_JOINED))

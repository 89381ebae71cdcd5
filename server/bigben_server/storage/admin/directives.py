"""What running servers must do: an operator's announcements, bans, names and drains, and what a
player does on one server that concerns their connections to others.

All of it is one hash. Who changes it publishes that, and every process reads it again; it also
reads it every few seconds, because the message may be lost. Every method raises StoreLost.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any, Final

import msgspec

from bigben_protocol import Announcement, PlayerId
from bigben_server.storage.client import Damaged, Stored, reading, script

_ANNOUNCED: Final = "announcement"
_TOLD_MS: Final = 600_000
"""How long processes are told what each of them has to do once; all read it every few seconds."""
_encode = msgspec.json.Encoder().encode


class Ban(msgspec.Struct, frozen=True):
    """A player or a network who may not connect."""

    who: str
    """The id of a player, or a network like ``203.0.113.0/24``."""
    at: int
    """When it was ordered, ms since 1970."""
    until: int = 0
    """When it ends, ms since 1970; 0 for never."""
    reason: str = ""
    """For the player."""


class NowAs(msgspec.Struct, frozen=True):
    """The account that a player was tied to."""

    account: PlayerId
    name: str
    at: int
    until: int
    """How long processes are told, ms since 1970."""


class _Directive(msgspec.Struct, frozen=True):
    """A drain, another name for a player, or a player who is deleted or has logged out."""

    at: int = 0
    """When it was ordered, ms since 1970."""
    until: int = 0
    name: str = ""


# Any: msgspec takes types as they are.
_TYPES: Final[dict[str, Any]] = {
    _ANNOUNCED: Announcement,
    "drain": _Directive,
    "player": Ban,
    "network": Ban,
    "name": _Directive,
    "deleted": _Directive,
    "tied": NowAs,
    "out": _Directive,
}
"""The kinds of directives, which come first in their fields; what is theirs follows a colon."""
_OF_PLAYER: Final = ("player", "name", "tied")
"""Those that are forgotten of a player who is deleted."""


@dataclass(frozen=True, slots=True)
class Directives:
    """What holds now."""

    announcement: Announcement | None = None
    draining: frozenset[str] = frozenset()
    """The ids of processes; some may have ended."""
    players: tuple[Ban, ...] = ()
    networks: tuple[Ban, ...] = ()
    names: Mapping[PlayerId, str] = field(default_factory=dict)
    """The names that the operator has given to players."""
    deleted: Mapping[str, int] = field(default_factory=dict)
    """When the players with these marks were deleted, ms since 1970; 0 while it is under way."""
    tied: Mapping[PlayerId, NowAs] = field(default_factory=dict)
    """The accounts to which players were tied a short time ago."""
    out: Mapping[PlayerId, int] = field(default_factory=dict)
    """When these players logged out, a short time ago, ms since 1970."""


@dataclass(slots=True, eq=False)
class DirectiveStore(Stored):
    """Reads and changes the directives."""

    async def read(self, now: int) -> Directives:
        """What holds at ``now``. What has expired is deleted: an address is kept no longer."""
        (found,) = await self.store.ask(("HGETALL", self.keys.orders))
        # Any: each kind has its own type.
        holding: dict[str, dict[str, Any]] = {kind: {} for kind in _TYPES}
        expired: list[bytes] = []
        for field_, text in found.items():
            kind, _, rest = field_.decode(errors="replace").partition(":")
            if kind not in _TYPES:
                continue  # of a newer version
            try:
                with reading(self.keys.orders):
                    read = msgspec.json.decode(text, type=_TYPES[kind], strict=kind != _ANNOUNCED)
            except Damaged as damaged:  # all others hold
                self.store.report(damaged)
                continue
            if 0 < read.until <= now:
                expired += [field_, text]
            else:
                holding[kind][rest] = read
        if expired:
            # Only what was read: an operator may have renewed it.
            await self.store.ask(("EVAL", script("forget"), 1, self.keys.orders, *expired))
        return Directives(
            holding[_ANNOUNCED].get(""),
            frozenset(holding["drain"]),
            tuple(holding["player"].values()),
            tuple(holding["network"].values()),
            {PlayerId(player): one.name for player, one in holding["name"].items()},
            {mark: one.at for mark, one in holding["deleted"].items()},
            {PlayerId(guest): one for guest, one in holding["tied"].items()},
            {PlayerId(player): one.at for player, one in holding["out"].items()},
        )

    async def announce(self, announcement: Announcement) -> None:
        """Show this in every front end, instead of what was announced before."""
        await self._change("HSET", _ANNOUNCED, _encode(announcement))

    async def withdraw(self) -> bool:
        """End the announcement. Returns whether there was one."""
        return await self._change("HDEL", _ANNOUNCED)

    async def drain(self, processes: Iterable[str], now: int) -> None:
        """Drain these processes."""
        order = _encode({"at": now, "until": 0})
        words = [word for process in processes for word in (f"drain:{process}", order)]
        await self._change("HSET", *words)

    async def end_drain(self, processes: Collection[str]) -> bool:
        """Drain these processes no longer. Returns whether one of them was drained."""
        return bool(processes) and await self._change(
            "HDEL", *(f"drain:{process}" for process in processes)
        )

    async def ban(self, ban: Ban) -> None:
        """Ban a player, whose id has a colon, or a network."""
        await self._change("HSET", _field(ban.who), _encode(ban))

    async def unban(self, who: str) -> bool:
        """End the ban of a player or of exactly this network. Returns whether there was one."""
        return await self._change("HDEL", _field(who))

    async def name(self, player: PlayerId, name: str) -> None:
        """Call a player so, whatever their token says."""
        await self._change("HSET", f"name:{player}", _encode({"name": name, "until": 0}))

    async def keep_out(self, mark: str, at: int) -> None:
        """Refuse the tokens of the deleted player with this mark: all of them while ``at`` is 0,
        later those from before ``at``, ms since 1970; and all of a guest for ever.
        """
        await self._change("HSET", f"deleted:{mark}", _encode({"at": at, "until": 0}))

    async def tied(
        self, players: Iterable[PlayerId], account: PlayerId, name: str, now: int
    ) -> None:
        """Let every process know who is tied; who connects later reads it elsewhere."""
        now_as = _encode(NowAs(account, name, now, now + _TOLD_MS))
        words = [word for player in players for word in (f"tied:{player}", now_as)]
        await self._change("HSET", *words)

    async def log_out(self, player: PlayerId, at: int) -> None:
        """Let every process know that tokens of a player from before ``at`` hold no more."""
        await self._change("HSET", f"out:{player}", _encode({"at": at, "until": at + _TOLD_MS}))

    async def forget_player(self, player: PlayerId) -> bool:
        """Delete what the orders say of a player who is deleted. Returns whether they did."""
        return await self._change("HDEL", *(f"{kind}:{player}" for kind in _OF_PLAYER))

    async def _change(self, command: str, *words: str | bytes) -> bool:
        """Write, and let all processes know. Returns whether fields were added or removed."""
        (changed,) = await self.store.ask((command, self.keys.orders, *words))
        await self.store.ask(("PUBLISH", self.keys.ordered, ""))
        return bool(changed)


def is_network(who: str) -> bool:
    """Whether a ban is of a network, and not of a player."""
    try:
        ip_network(who)
    except ValueError:
        return False
    return True


def _field(who: str) -> str:
    return f"{'network' if is_network(who) else 'player'}:{who}"

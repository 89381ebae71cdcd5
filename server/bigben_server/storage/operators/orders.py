"""What an operator has ordered of running servers: announcements, bans, names, and drains.

All of it is one hash. Who changes it publishes that, and every process reads it again; it also
reads it every few seconds, because the message may be lost. Every method raises StoreLost.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Final

import msgspec

from bigben_protocol import Announcement, PlayerId
from bigben_server.storage.client import Connection, Damaged, reading, script

_ANNOUNCEMENT: Final = "announcement"
_DRAIN: Final = "drain:"
_PLAYER: Final = "player:"
_NETWORK: Final = "network:"
_NAME: Final = "name:"
_DELETED: Final = "deleted:"
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


class _Drain(msgspec.Struct, frozen=True):
    at: int
    until: int = 0


class _Name(msgspec.Struct, frozen=True):
    name: str
    until: int = 0


class _Deleted(msgspec.Struct, frozen=True):
    at: int
    until: int = 0


@dataclass(frozen=True, slots=True)
class Orders:
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


@dataclass(slots=True, eq=False)
class OrderBook:
    """Reads and changes the orders."""

    store: Connection

    async def read(self, now: int) -> Orders:
        """What holds at ``now``. What has expired is deleted: an address is kept no longer."""
        (found,) = await self.store.ask(("HGETALL", self.store.keys.orders))
        announcement: Announcement | None = None
        draining: set[str] = set()
        players: list[Ban] = []
        networks: list[Ban] = []
        names: dict[PlayerId, str] = {}
        deleted: dict[str, int] = {}
        expired: list[bytes] = []
        for field_, text in found.items():
            kind, _, rest = field_.decode(errors="replace").partition(":")
            try:
                with reading(self.store.keys.orders):
                    order = _read(kind, text)
            except Damaged as damaged:  # or of a newer version; all others hold
                self.store.report(damaged)
                continue
            if order is None:
                continue
            if 0 < order.until <= now:
                expired += [field_, text]
                continue
            match order:
                case Announcement():
                    announcement = order
                case _Drain():
                    draining.add(rest)
                case _Name(name=name):
                    names[PlayerId(rest)] = name
                case _Deleted(at=at):
                    deleted[rest] = at
                case Ban():
                    (players if kind == "player" else networks).append(order)
        if expired:
            # Only what was read: an operator may have renewed it.
            await self.store.ask(("EVAL", script("forget"), 1, self.store.keys.orders, *expired))
        bans = tuple(players), tuple(networks)
        return Orders(announcement, frozenset(draining), *bans, names, deleted)

    async def announce(self, announcement: Announcement) -> None:
        """Show this in every front end, instead of what was announced before."""
        await self._change("HSET", _ANNOUNCEMENT, _encode(announcement))

    async def withdraw(self) -> bool:
        """End the announcement. Returns whether there was one."""
        return await self._change("HDEL", _ANNOUNCEMENT)

    async def drain(self, processes: Iterable[str], now: int) -> None:
        """Drain these processes."""
        order = _encode(_Drain(now))
        words = [word for process in processes for word in (f"{_DRAIN}{process}", order)]
        await self._change("HSET", *words)

    async def end_drain(self, processes: Collection[str]) -> bool:
        """Drain these processes no longer. Returns whether one of them was drained."""
        return bool(processes) and await self._change(
            "HDEL", *(f"{_DRAIN}{process}" for process in processes)
        )

    async def ban(self, ban: Ban) -> None:
        """Ban a player, whose id has a colon, or a network."""
        await self._change("HSET", _field(ban.who), _encode(ban))

    async def unban(self, who: str) -> bool:
        """End the ban of a player or of exactly this network. Returns whether there was one."""
        return await self._change("HDEL", _field(who))

    async def name(self, player: PlayerId, name: str) -> None:
        """Call a player so, whatever their token says."""
        await self._change("HSET", f"{_NAME}{player}", _encode(_Name(name)))

    async def keep_out(self, mark: str, at: int) -> None:
        """Refuse the tokens of the deleted player with this mark: all of them while ``at`` is 0,
        later those from before ``at``, ms since 1970; and all of a guest for ever.
        """
        await self._change("HSET", f"{_DELETED}{mark}", _encode(_Deleted(at)))

    async def forget_player(self, player: PlayerId) -> bool:
        """Delete what the orders say of a player who is deleted. Returns whether they did."""
        return await self._change("HDEL", f"{_PLAYER}{player}", f"{_NAME}{player}")

    async def _change(self, command: str, *words: str | bytes) -> bool:
        """Write, and let all processes know. Returns whether fields were added or removed."""
        (changed,) = await self.store.ask((command, self.store.keys.orders, *words))
        await self.store.ask(("PUBLISH", self.store.keys.ordered, ""))
        return bool(changed)


def is_network(who: str) -> bool:
    """Whether a ban is of a network, and not of a player."""
    try:
        ip_network(who)
    except ValueError:
        return False
    return True


def _field(who: str) -> str:
    return f"{_NETWORK if is_network(who) else _PLAYER}{who}"


def _read(kind: str, text: bytes) -> Announcement | _Drain | Ban | _Name | _Deleted | None:
    """None for a kind of order that this version does not know."""
    match kind:
        case "announcement":
            return msgspec.json.decode(text, type=Announcement, strict=False)
        case "drain":
            return msgspec.json.decode(text, type=_Drain)
        case "player" | "network":
            return msgspec.json.decode(text, type=Ban)
        case "name":
            return msgspec.json.decode(text, type=_Name)
        case "deleted":
            return msgspec.json.decode(text, type=_Deleted)
        case _:
            return None

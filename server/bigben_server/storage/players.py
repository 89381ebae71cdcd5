"""Players in Redis: names, groups, codes, and the races in which they have a seat.

Every method raises StoreLost if Redis fails.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from bigben_protocol import HOUSE_PLAYERS, Group, PlayerId, RaceId
from bigben_server.race.events import Player, RoomEvent
from bigben_server.storage.aliases import Aliases, read_tied
from bigben_server.storage.bounds.groups import PlayerGroups
from bigben_server.storage.client import Stored, chunks, reading, script
from bigben_server.storage.entries import fields_of, read_events
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import BOT, IN, LOGGED_OUT, NAMED, ORGANISES, groups_in
from bigben_server.storage.log_reading import Part, read_log

MOST_RACES: Final = 50
"""The most races of a player that are read; the latest."""


class Known(NamedTuple):
    """What is stored of a player who says hello."""

    about: Mapping[bytes, bytes] = {}
    name: str = ""
    """On boards; empty without a result."""
    tied: tuple[PlayerId, ...] = ()
    """Who is tied to them."""
    account: PlayerId = PlayerId("")
    """The account that they are, if they are tied to one."""
    out_at: int = 0
    """No token holds that was issued before, ms since 1970; 0 if they never logged out."""

    @property
    def is_bot(self) -> bool:
        return BOT in self.about


@dataclass(slots=True, eq=False)
class People(Stored):
    """What is stored about players besides their results."""

    async def secret(self, candidate: bytes) -> bytes:
        """The secret that all processes share: the first candidate that was ever offered."""
        _, secret = await self.store.ask(
            ("SETNX", self.keys.secret, candidate), ("GET", self.keys.secret)
        )
        return cast(bytes, secret)

    async def fingerprint(self) -> tuple[str, bytes]:
        """The fingerprint that was noted last, and the secret that all processes share, if any."""
        noted, secret = await self.store.ask(
            ("GET", self.keys.fingerprint), ("GET", self.keys.secret)
        )
        return (noted or b"").decode(), secret or b""

    async def note_fingerprint(self, noted: str) -> None:
        await self.store.ask(("SET", self.keys.fingerprint, noted))

    async def spend(self, once: str, seconds: int) -> bool:
        """Use a one-time link. Return whether it was unused, which is stored for ``seconds``."""
        (answer,) = await self.store.ask(("SET", self.keys.spent(once), 1, "NX", "EX", seconds))
        return answer is not None

    async def known(self, player: PlayerId) -> Known:
        """What is stored of a player that concerns their hello. Raises Damaged."""
        about, name, is_tied, tied = await self.store.ask(
            ("HGETALL", self.keys.player(player)),
            ("HGET", self.keys.names, player),
            ("HEXISTS", self.keys.aliases, player),
            ("HGET", self.keys.tied, player),
        )
        out_at = int(about.get(LOGGED_OUT.encode(), 0))
        known = Known(about, (name or b"").decode(), read_tied(tied), out_at=out_at)
        (alias,) = await Aliases(self.store).of([player]) if is_tied else [None]
        return known._replace(account=alias.account) if alias else known

    async def log_out(self, player: PlayerId, at: int) -> None:
        """Let no token of the player hold that was issued before ``at``, ms since 1970."""
        await self.store.ask(("HSET", self.keys.player(player), LOGGED_OUT, at))

    async def introduce(
        self, player: Player, now: int, known: Known | None = None, *, issuer: str = ""
    ) -> None:
        """Store what a token says: the groups, whether a bot, and the name if it is on boards.

        ``issuer``: whose groups it names, if that is not the issuer of the player's id.
        """
        key = self.keys.player(player.id)
        known = known or await self.known(player.id)
        about, name = known.about, known.name
        commands: list[Command] = []
        if name and name != player.name and NAMED not in about:
            commands.append(("HSET", self.keys.names, player.id, player.name))
        if player.bot and BOT not in about:
            commands.append(("HSET", key, BOT, 1))
        issuer = issuer or player.id.partition(":")[0]
        for what, groups in ((IN, player.groups), (ORGANISES, player.organises)):
            if groups is None:
                continue
            before = {one for one in groups_in(about, what) if one.startswith(f"{issuer}:")}
            for group in sorted(groups - before):
                commands.append(("HSETNX", self.keys.group(group), "since", now))
                commands.append(("HSET", key, f"{what}{group}", now))
            commands += (("HDEL", key, f"{what}{group}") for group in sorted(before - groups))
        await self.store.ask(*commands)

    async def names(self, players: Sequence[PlayerId]) -> list[str]:
        """Their names; empty for those without one."""
        (names,) = await self.store.ask(("HMGET", self.keys.names, *players))
        return [name.decode() if name else "" for name in names]

    async def name(self, player: Player) -> None:
        """Store the name of a player who may come to boards without a result of their own."""
        await self.store.ask(("HSETNX", self.keys.names, player.id, player.name))

    async def rename(self, player: PlayerId, name: str, *, is_known: bool = False) -> bool:
        """Show another name on all boards, whatever tokens say; False if there is no player.

        ``is_known``: it is known that there is.
        """
        (known,) = await self.store.ask(("HEXISTS", self.keys.names, player))
        if known or is_known:
            await self.store.ask(
                ("HSET", self.keys.player(player), NAMED, 1),
                ("HSET", self.keys.names, player, name),
            )
        return bool(known or is_known)

    async def groups(self, player: PlayerId) -> tuple[Group, ...]:
        """The groups a player belongs to, by id, with their codes."""
        (about,) = await self.store.ask(("HGETALL", self.keys.player(player)))
        mine = sorted(groups_in(about))
        asked = (("HMGET", self.keys.group(group), "name", "code") for group in mine)
        found = await self.store.ask(*asked)
        return tuple(
            Group(group, (name or b"").decode(), (code or b"").decode())
            for group, (name, code) in zip(mine, found, strict=True)
        )

    async def is_in(self, player: PlayerId, group: str) -> bool:
        """Whether the player belongs to this group."""
        (found,) = await self.store.ask(("HEXISTS", self.keys.player(player), f"{IN}{group}"))
        return bool(found)

    async def organises(self, player: PlayerId, group: str) -> bool:
        """Whether the player makes the seasons of a group: as the group's issuer says, or as the
        longest member of one that players made.
        """
        if ":" in group:
            key = self.keys.player(player)
            (found,) = await self.store.ask(("HEXISTS", key, f"{ORGANISES}{group}"))
            return bool(found)
        (first,) = await self.store.ask(("ZRANGE", self.keys.members(group), 0, 0))
        return [PlayerId(one.decode()) for one in first] == [player]

    async def create(self, player: PlayerId, group: Group, now: int) -> bool:
        """Create a group with its first member; False if somebody else has one with this id.

        After StoreLost the same player may call it again.
        """
        key = self.keys.group(group.group)
        (code,) = await self.store.ask(("EVAL", script("claim"), 1, key, player, group.code))
        if code is None:
            return False
        await self.store.ask(
            ("HSET", self.keys.codes, code, group.group),
            ("HSET", self.keys.player(player), f"in:{group.group}", now),
            ("HSET", key, "name", group.name, "since", now),
            ("HDEL", key, "maker"),
            ("ZADD", self.keys.members(group.group), now, player),
        )
        return True

    async def leave_lists(self, player: PlayerId) -> None:
        """Take a player who is being deleted off the lists of groups, which stay, with boards."""
        (about,) = await self.store.ask(("HGETALL", self.keys.player(player)))
        mine = groups_in(about)
        await self.store.ask(*(("ZREM", self.keys.members(group), player) for group in mine))

    async def is_group(self, group: str) -> bool:
        (found,) = await self.store.ask(("EXISTS", self.keys.group(group)))
        return bool(found)

    async def group_name(self, group: str) -> str:
        """Empty for a front end's own group, and for one that is gone."""
        (name,) = await self.store.ask(("HGET", self.keys.group(group), "name"))
        return (name or b"").decode()

    async def group_by(self, code: str) -> str:
        """The group with this code; empty if there is none."""
        (group,) = await self.store.ask(("HGET", self.keys.codes, code))
        return group.decode() if group else ""

    async def join(self, player: PlayerId, group: str, now: int) -> None:
        await self.store.ask(
            ("ZADD", self.keys.members(group), "NX", now, player),
            ("HSETNX", self.keys.player(player), f"in:{group}", now),
        )

    async def leave(self, player: PlayerId, group: str, now: int) -> None:
        """Leave a group that players made. It goes with its last member."""
        await self.store.ask(
            ("HDEL", self.keys.player(player), f"in:{group}"),
            ("ZREM", self.keys.members(group), player),
        )
        await PlayerGroups(self.store).delete_if_empty(group, now)

    # Races

    async def open_races(self, player: PlayerId) -> list[RaceId]:
        """The races in which a player may have a seat, the latest first; all of a house player."""
        last = -1 if player in HOUSE_PLAYERS else MOST_RACES - 1
        (races,) = await self.store.ask(("ZREVRANGE", self.keys.open_races(player), 0, last))
        return [RaceId(race.decode()) for race in races]

    async def all_races(self, player: PlayerId) -> list[RaceId]:
        """All races in which a player may have a seat, the oldest first."""
        (races,) = await self.store.ask(("ZRANGE", self.keys.open_races(player), 0, -1))
        return [RaceId(race.decode()) for race in races]

    async def forget_races(self, races: Collection[RaceId], players: Iterable[PlayerId]) -> None:
        """List these races no more for these players. What is on a lost node stays listed."""
        if races:
            commands = [("ZREM", self.keys.open_races(player), *races) for player in players]
            for some in chunks(commands, 1_000):
                await self.store.ask(*some, raise_on_error=False)

    async def end_of_daily(self, race: RaceId) -> tuple[int, RoomEvent] | None:
        """The last event of a daily and its number; None if there is no such race. Raises Damaged.

        The log may be too long to be read for each who asks.
        """
        log = await read_log(self.store, Part(race, last=True))
        if not log:
            return None
        with reading(self.keys.room_log(race)):
            numbers = [int(k) for k, _ in fields_of(log[-1][1])]
            return numbers[-1], read_events(log, after=numbers[0] - 1)[-1]

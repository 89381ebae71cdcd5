"""Seasons in the store: read with the accounts of tied players, written, listed and deleted.

Every method raises StoreLost if Redis fails, and Damaged for a season that can't be read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from bigben_protocol import PlayerId
from bigben_protocol.seasons import AddMember, NameOrganiser, PutBack, TakeOut
from bigben_protocol.sentence import sentence
from bigben_server.race.events import Refusal
from bigben_server.race.lobby import LETTERS
from bigben_server.seasons.season import Event, Logged, Made, Season
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Damaged, Stored, reading
from bigben_server.storage.seasons.logs import MAKING_MS, NEVER, SeasonLogs

ID_LENGTH: Final = 8
LOOK_MS: Final = 600_000
"""A server looks at each season at least so often: one may have died before it said when."""
SOON_MS: Final = 10_000
"""When a server looks at a season that is about to be changed: by then it is, or is not."""

_decoder = msgspec.json.Decoder(Event)
_encode = msgspec.json.Encoder().encode
_About = AddMember | NameOrganiser | TakeOut | PutBack
"""Changes that concern a player."""


@dataclass(slots=True, eq=False)
class StoredSeasons(Stored):
    @property
    def logs(self) -> SeasonLogs:
        return SeasonLogs(self.store)

    async def season(self, season: str) -> Season:
        """Raises Refusal if there is none."""
        if found := await self.find(season):
            return found
        raise Refusal("unknown", sentence("season.unknown", season=season[:16]))

    async def find(self, season: str) -> Season | None:
        """The season; None if there is none."""
        (found,) = await self.of([season])
        if isinstance(found, Damaged):
            raise found
        return found

    async def of(self, seasons: Sequence[str]) -> list[Season | Damaged | None]:
        """Each of these seasons; None for one that does not exist."""
        logs = await self.events(seasons)
        read = (log for log in logs if not isinstance(log, Damaged))
        players = sorted({one for log in read for one in players_in(log)})
        aliases = zip(players, await Aliases(self.store).of(players), strict=True)
        accounts = {player: alias.account for player, alias in aliases if alias}
        found: list[Season | Damaged | None] = []
        for season, log in zip(seasons, logs, strict=True):
            try:
                if isinstance(log, Damaged):
                    raise log
                with reading(self.keys.season(season)):
                    found.append(Season(season, renamed(log, accounts)) if log else None)
            except Damaged as damaged:
                found.append(damaged)
        return found

    async def events(self, seasons: Sequence[str]) -> list[list[Event] | Damaged]:
        """The events of each of these seasons, as they are stored."""
        found: list[list[Event] | Damaged] = []
        for season, texts in zip(seasons, await self.logs.read(seasons), strict=True):
            try:
                if isinstance(texts, Damaged):
                    raise texts
                with reading(self.keys.season(season)):
                    found.append([_decoder.decode(text) for text in texts])
            except Damaged as damaged:
                found.append(damaged)
        return found

    async def make(self, season: str, made: Made) -> bool:
        """Write a new season; False if there is one with this id."""
        await self.logs.look_at(season, made.at + SOON_MS)
        await self.logs.list_for(season, made.at, group=made.group, players=[made.by])
        return await self._append(Season(season, [made]), 1, made)

    async def change(self, season: Season, change: Logged) -> bool:
        """Write the next event of a season; False if it was changed since it was read."""
        await self.logs.look_at(season.id, change.at + SOON_MS, sooner=True)
        if isinstance(change.change, AddMember | NameOrganiser):
            who = PlayerId(change.change.player)
            await self.logs.list_for(season.id, change.at, players=[who])
        return await self._append(season, 2 + len(season.changes), change)

    async def _append(self, season: Season, number: int, event: Event) -> bool:
        if not await self.logs.append(season.id, number, _encode(event)):
            return False
        if isinstance(event, Logged):
            season.fold(event)
        await self.logs.look_at(season.id, look_at(season, event.at), sooner=True)
        return True

    async def looked_at(self, season: str, found: Season | None, now: int) -> None:
        """A server has looked at this season; it says when the next one must."""
        if found:
            await self.logs.look_at(season, look_at(found, now))
        else:
            await self.logs.forget(season)

    async def listed(
        self, groups: Iterable[str], players: Sequence[PlayerId], now: int
    ) -> list[Season]:
        """The seasons on these lists, in no order. Those that can't be read are reported."""
        groups = [*groups]
        listed = await self.logs.listed(groups, players)
        found = dict(zip(listed, await self.of([*listed]), strict=True))
        if gone := [o for o, at in listed.items() if not found[o] and at + MAKING_MS < now]:
            await self.logs.unlist(gone, groups, players)
        return [one for one in self.store.readable(found.values()) if one]

    async def delete(self, season: Season) -> None:
        players = {*season.organisers, *season.added, season.made.by}
        await self.logs.delete(season.id, season.made.group, sorted(players))

    async def rename(self, season: str, player: PlayerId, instead: PlayerId, name: str) -> bool:
        """Put another id and name in the place of a player's; False if it was changed meanwhile.

        Idempotent.
        """
        (events,) = await self.events([season])
        if isinstance(events, Damaged):
            raise events
        after = renamed(events, {player: instead}, name)
        return after == events or await self.logs.rewrite(season, [*map(_encode, after)])


def look_at(season: Season, now: int) -> int:
    """When a server must look at a season next, ms since 1970."""
    next_at = season.next_at(now)
    return min(next_at, now + LOOK_MS) if next_at else NEVER


def players_in(events: Iterable[Event]) -> set[PlayerId]:
    """Those who have made the season, changed it, or are concerned by a change."""
    found: set[PlayerId] = set()
    for event in events:
        found.add(event.by)
        if isinstance(event, Logged) and isinstance(event.change, _About):
            found.add(PlayerId(event.change.player))
    return found


def renamed(
    events: Sequence[Event], ids: Mapping[PlayerId, PlayerId], name: str | None = None
) -> list[Event]:
    """The events with other ids in the place of these, and with another name if it is given."""
    return [_renamed(event, ids, name) for event in events] if ids else [*events]


def _renamed(event: Event, ids: Mapping[PlayerId, PlayerId], name: str | None) -> Event:
    if by := ids.get(event.by):
        event = replace(event, by=by, name=event.name if name is None else name)
    if not (isinstance(event, Logged) and isinstance(event.change, _About)):
        return event
    if not (who := ids.get(PlayerId(event.change.player))):
        return event
    about = event.about if name is None else name
    return replace(event, change=replace(event.change, player=who), about=about)


def season_named(text: str) -> str:
    """The id of a season, as typed in any case. Raises Refusal if there can be none."""
    typed = text.strip().upper()
    if len(typed) != ID_LENGTH or not set(typed) <= set(LETTERS):
        raise Refusal("unknown", sentence("season.unknown", season=ascii(text[:16])))
    return typed

"""What players are told of a season: its weeks and table, from its log and its races' results.

Nothing of it is stored, so it is never stale. Every method raises StoreLost if Redis fails.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import bigben_protocol as wire
from bigben_protocol import PlayerId, SeasonInfo, SeasonWeek
from bigben_protocol.seasons import Scale
from bigben_server.leaderboards.queries import called, told_apart
from bigben_server.race.events import Player
from bigben_server.scoring.results import Finish, is_guest, one_each
from bigben_server.seasons.season import Season, Week
from bigben_server.seasons.table import results, scale_of, table
from bigben_server.sharing.once import Once
from bigben_server.storage.client import Damaged
from bigben_server.storage.leaderboards import FRESH_S, Boards
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.storage.seasons.logs import RaceOfWeek
from bigben_server.storage.seasons.stored import StoredSeasons, season_named

_MOST_TOLD: Final = 50
_SMALL: Final = 300
"""The results of larger seasons are reckoned in a thread: no move may wait so long."""
_WEEKS: Final[Mapping[str, int]] = {"running": 0, "to come": 1, "over": 2}
"""The order of seasons in a list, by their phase."""
_Phase = Literal["to come", "open", "closed", "void", "missed"]


@dataclass(slots=True, eq=False)
class Seasons:
    """The seasons, as they are told."""

    store: Store
    clock: Callable[[], int]
    boards: Boards
    _told: Once[str, wire.Season] = field(init=False)

    def __post_init__(self) -> None:
        self._told = Once(_MOST_TOLD, for_s=FRESH_S)

    @property
    def stored(self) -> StoredSeasons:
        return StoredSeasons(self.store)

    async def told(self, season: str) -> wire.Season:
        """A season for anybody, perhaps as it was a moment ago. Raises Refusal, and Damaged."""
        named = season_named(season)

        async def tell() -> wire.Season:
            return await self.shown(await self.stored.season(named))

        return await self._told.get(named, tell)

    async def shown(self, season: Season) -> wire.Season:
        now = self.clock()
        begun = [week for week in season.weeks if week.opens_at <= now]
        races = [season.race_id(week) for week in begun]
        stored = dict(zip(races, await self.stored.logs.races(races), strict=True))
        found: dict[wire.RaceId, list[Finish]] = {}
        for race, finishes in zip(races, await self.boards.results_of(races), strict=True):
            if isinstance(finishes, Damaged):
                self.store.report(finishes)
            else:
                found[race] = finishes
        names = await self._names(season, found.values())
        group = await People(self.store).group_name(season.made.group)
        args = season, now, stored, found, names, group
        if sum(map(len, found.values())) <= _SMALL:
            return _shown(*args)
        return await asyncio.to_thread(_shown, *args)

    async def _names(self, season: Season, found: Iterable[list[Finish]]) -> dict[PlayerId, str]:
        """Of those who have a row: who has a result, or was added, and has not left since."""
        last: dict[PlayerId, int] = dict.fromkeys(season.added, 0)
        for finishes in found:
            for one in finishes:
                last[one.counts_for] = max(last.get(one.counts_for, 0), one.result.at)
        there = [one for one, at in last.items() if at > season.left.get(one, -1)]
        names = await People(self.store).names(there) if there else []
        known = {
            player: called(player, name or season.added.get(player, ""))
            for player, name in zip(there, names, strict=True)
        }
        return told_apart(known)

    async def listed(
        self, groups: Iterable[str], players: Sequence[PlayerId]
    ) -> tuple[SeasonInfo, ...]:
        """The seasons on the lists of these groups and players."""
        now = self.clock()
        seasons = await self.stored.listed(groups, players, now)
        nearest = [(season, _nearest(season, now)) for season in seasons]
        races = [season.race_id(week) for season, week in nearest if week]
        there = dict(zip(races, await self.stored.logs.races(races), strict=True))
        infos = [_info(season, week, there, now) for season, week in nearest]
        return tuple(sorted(infos, key=lambda one: (_WEEKS[one.phase], one.opens_at, one.season)))

    async def may_race(self, season: Season, player: Player) -> bool:
        """Whether a player may race: members of the group, and those who were added."""
        group = season.made.group
        if season.plan.verified and is_guest(player.id):
            return False
        if player.id in season.added or group in (player.groups or ()):
            return True
        return await People(self.store).is_in(player.id, group)


def _shown(
    season: Season,
    now: int,
    stored: Mapping[wire.RaceId, RaceOfWeek],
    found: Mapping[wire.RaceId, list[Finish]],
    names: Mapping[PlayerId, str],
    group: str,
) -> wire.Season:
    scale = _scale(season, now, stored, found)
    shown = [_week(season, week, now, stored, found, scale or "place") for week in season.weeks]
    counting = [() if week.phase == "void" else week.results for week in shown]
    return wire.Season(
        season.id,
        season.made.group,
        group,
        season.plan,
        season.phase(now),
        tuple(shown),
        table(counting, season.plan.counted, names),
        tuple(season.organisers),
        tuple(wire.Changed(one.at, one.name, one.change, one.about) for one in season.changes),
        scale,
        season.made.at,
        season.ended_at,
    )


def _scale(
    season: Season,
    now: int,
    stored: Mapping[wire.RaceId, RaceOfWeek],
    found: Mapping[wire.RaceId, list[Finish]],
) -> Scale | Literal[""]:
    """The scale that is planned, or else follows from the first week that has results.

    While that one is open the scale may still change; empty without any result.
    """
    of_weeks = ((week, season.race_id(week)) for week in season.weeks)
    counting = [
        (week, found[race])
        for week, race in of_weeks
        if found.get(race) and not (week.void or stored[race].void)
    ]
    closed = [finishes for week, finishes in counting if week.closes_at <= now]
    first = next(iter(closed), counting[0][1] if counting else [])
    if not first and not season.plan.scale:
        return ""
    return scale_of(season.plan.scale, len(one_each(first)))


def _week(
    season: Season,
    week: Week,
    now: int,
    stored: Mapping[wire.RaceId, RaceOfWeek],
    found: Mapping[wire.RaceId, list[Finish]],
    scale: Scale,
) -> SeasonWeek:
    race = season.race_id(week)
    of_race = stored.get(race, RaceOfWeek(is_there=False, void=""))
    void = week.void or of_race.void
    phase = _phase(week, now, is_there=of_race.is_there, void=bool(void))
    return SeasonWeek(
        week.number,
        week.opens_at,
        week.closes_at,
        phase,
        race if of_race.is_there else "",
        season.commitment(week),
        week.game,
        week.rules,
        week.grade,
        week.limit_ms,
        void,
        results(found.get(race, ()), week.out, scale),
    )


def _phase(week: Week, now: int, *, is_there: bool, void: bool) -> _Phase:
    if void:
        return "void"
    if now < week.opens_at:
        return "to come"
    if now < week.closes_at:
        return "open"
    return "closed" if is_there else "missed"


def _nearest(season: Season, now: int) -> Week | None:
    """The week that is open, or else the next one."""
    left = [week for week in season.weeks if week.closes_at > now and not week.void]
    return min(left, key=lambda week: week.opens_at, default=None)


def _info(
    season: Season, week: Week | None, there: Mapping[wire.RaceId, RaceOfWeek], now: int
) -> SeasonInfo:
    plan, phase = season.plan, season.phase(now)
    if week is None:
        return SeasonInfo(season.id, plan.name, season.made.group, phase)
    race = season.race_id(week)
    shown = race if there[race].is_there else ""
    window = week.opens_at, week.closes_at
    return SeasonInfo(season.id, plan.name, season.made.group, phase, week.number, *window, shown)

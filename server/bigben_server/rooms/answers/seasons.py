"""Makes, changes, shows and deletes seasons for players, and lets members into their races."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import PlayerId
from bigben_protocol.seasons import (
    AddMember,
    Change,
    LeaveSeason,
    NameOrganiser,
    PutBack,
    Replan,
    TakeOut,
)
from bigben_protocol.sentence import sentence
from bigben_server.accounts.names import display_name
from bigben_server.leaderboards import seasons as showing
from bigben_server.leaderboards.queries import called
from bigben_server.leaderboards.webhooks import Webhooks, check_address
from bigben_server.race import deciding, weeks
from bigben_server.race.events import SEASONS, Player, Refusal
from bigben_server.race.lobby import RandomBytes, letters
from bigben_server.race.state import Race
from bigben_server.rooms.answers.alike import Likenesses
from bigben_server.rooms.answers.analyses import Analyses
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.requests import Request
from bigben_server.rooms.services import Services
from bigben_server.seasons.plan import checked, windows
from bigben_server.seasons.season import Logged, Made, Season
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.seasons.logs import MOST_LISTED
from bigben_server.storage.seasons.stored import ID_LENGTH, season_named

MOST_OF_GROUP: Final = 3
MOST_OF_PLAYER: Final = 10
"""The most seasons that are not over: of a group, and of one maker."""
_TRIES: Final = 10
"""How often a season is read again because another change was first."""
SeasonMessage = (
    wire.MakeSeason
    | wire.ChangeSeason
    | wire.GetSeason
    | wire.GetSeasons
    | wire.DeleteSeason
    | wire.GetAlike
    | wire.SetWebhook
)


@dataclass(slots=True, eq=False)
class Seasons:
    services: Services
    seasons: showing.Seasons
    webhooks: Webhooks
    analyses: Analyses
    search: Search
    random_bytes: RandomBytes

    def answer(self, request: Request, message: SeasonMessage) -> None:
        """Raises Refusal."""
        if self.services.data_version() < SEASONS:
            raise Refusal("busy", sentence("race.updating"))
        quotas, now = self.services.quotas, self.services.clock()
        if isinstance(message, wire.MakeSeason):
            quotas.seasons.check(request, now)
        elif isinstance(message, wire.ChangeSeason | wire.DeleteSeason | wire.SetWebhook):
            quotas.season_changes.check(request, now)
        if isinstance(message, wire.GetAlike):
            self.analyses.pool.check()
            quotas.analyses.check(request, now)
            self.services.answer_later(request, lambda: self._compare(request, message.season))
            return
        self.services.read_later(request, lambda: self._answer(request, message))

    async def _compare(self, request: Request, named: str) -> None:
        """Raises Refusal, StoreLost and Damaged."""
        shown = await self.seasons.shown(await self._organised(request.player, named))
        await Likenesses(self.analyses, self.seasons.boards, request, shown).answer()

    async def _answer(self, request: Request, message: SeasonMessage) -> None:
        """Raises Refusal, StoreLost and Damaged."""
        tell, player = request.session.tell, request.player
        match message:
            case wire.MakeSeason(group, plan):
                tell(await self._told(request, await self._made(player, group, plan)))
            case wire.ChangeSeason(season, change):
                tell(await self._told(request, await self._changed(player, season, change)))
            case wire.GetSeason(season):
                tell(await self._told(request, await self._season(season)))
            case wire.GetSeasons():
                tell(await self._listed(request))
            case wire.DeleteSeason(season):
                await self.seasons.stored.delete(await self._organised(player, season))
                tell(await self._listed(request))
            case wire.GetAlike():
                raise AssertionError("it is computed, and not only read")
            case wire.SetWebhook(season, url):
                tell(await self._hooked(request, await self._organised(player, season), url))

    async def _hooked(self, request: Request, season: Season, url: str) -> wire.Webhook:
        """Send the season's news there. The key is in this answer alone. Raises Refusal."""
        if url:
            check_address(url, self.webhooks.allowed)
        secret = self.random_bytes(32).hex() if url else ""
        await self.webhooks.hooks.set(season.id, url, secret, self.services.clock())
        return wire.Webhook(season.id, url, secret, request.ref)

    async def _season(self, named: str) -> Season:
        """Raises Refusal if there is none."""
        return await self.seasons.stored.season(season_named(named))

    async def _organised(self, player: Player, named: str) -> Season:
        """Raises Refusal for who is no organiser."""
        season = await self._season(named)
        if player.id not in season.organisers:
            raise Refusal("seat", sentence("season.organisers"))
        return season

    async def _told(self, request: Request, season: Season) -> wire.Season:
        player, shown = request.player, await self.seasons.shown(season)
        plays = await self.seasons.may_race(season, player)
        organises = player.id in season.organisers
        return replace(shown, organises=organises, plays=plays, ref=request.ref)

    async def _listed(self, request: Request) -> wire.Seasons:
        player = request.player
        mine = await self.services.people.groups(player.id)
        groups = {one.group for one in mine} | (player.groups or set())
        found = await self.seasons.listed(groups, (player.id, *player.tied))
        return wire.Seasons(found, request.ref)

    # Making and changing

    async def _made(self, player: Player, group: str, plan: wire.Plan) -> Season:
        """Make a season. Idempotent while it is as it was made. Raises Refusal."""
        said = group in (player.organises or ())
        if not (said or await self.services.people.organises(player.id, group)):
            raise Refusal("seat", sentence("season.makers"))
        now, stored = self.services.clock(), self.seasons.stored
        plan = self._checked(plan, now)
        theirs = await stored.listed([group], [player.id], now)
        for season in theirs:
            if (season.made.by, season.plan, season.changes) == (player.id, plan, []):
                return season
        self._check_bounds(theirs, player.id, group, now)
        secret = self.random_bytes(32).hex()
        made = Made(group, plan, player.id, player.name, now, secret, (*windows(plan),))
        while not await stored.make(named := letters(self.random_bytes, ID_LENGTH), made):
            pass
        return Season(named, [made])

    def _checked(self, plan: wire.Plan, now: int) -> wire.Plan:
        """Raises Refusal."""
        plan = checked(replace(plan, name=display_name(plan.name)), now)
        if plan.grade:
            self.search.check()
        return plan

    def _check_bounds(self, seasons: list[Season], player: PlayerId, group: str, now: int) -> None:
        """Raises Refusal."""
        of_group = [one for one in seasons if one.made.group == group]
        left = [one.phase(now) != "over" for one in of_group]
        if sum(left) >= MOST_OF_GROUP:
            raise Refusal("limit", sentence("season.most_of_group", most=MOST_OF_GROUP))
        if len(of_group) >= MOST_LISTED:
            raise Refusal("limit", sentence("season.most_kept", most=MOST_LISTED))
        own = [one for one in seasons if one.made.by == player and one.phase(now) != "over"]
        if len(own) >= MOST_OF_PLAYER:
            raise Refusal("limit", sentence("season.most_of_player", most=MOST_OF_PLAYER))

    async def _changed(self, player: Player, named: str, change: Change) -> Season:
        """Change a season. A change that was the last one is not made again. Raises Refusal."""
        for _ in range(_TRIES):
            season, now = await self._season(named), self.services.clock()
            wanted, about = await self._looked_up(season, player, change, now)
            last = season.changes[-1] if season.changes else None
            if last and last.by == player.id and last.change == wanted:
                return season
            decided = season.decide(wanted, player.id, now)
            if last and last.by == player.id and last.change == decided:
                return season
            of_plan = (*windows(decided.plan),) if isinstance(decided, Replan) else ()
            logged = Logged(decided, player.id, player.name, now, about, of_plan)
            if await self.seasons.stored.change(season, logged):
                return season
        raise Refusal("busy", sentence("server.full"))

    async def _looked_up(
        self, season: Season, player: Player, change: Change, now: int
    ) -> tuple[Change, str]:
        """The change with the account of a tied player, and the name of whom it is about.

        Raises Refusal if there is nobody whom it can be about.
        """
        match change:
            case Replan(plan) if player.id in season.organisers:
                return Replan(self._checked(plan, now)), ""
            case AddMember(who) | NameOrganiser(who) | TakeOut(_, who) | PutBack(_, who):
                account, name = await self._known(PlayerId(who))
                if isinstance(change, TakeOut):
                    await self._check_result(season, change.week, account)
                return replace(change, player=account), name
            case LeaveSeason():
                rows = (await self.seasons.shown(season)).rows
                if all(row.player != player.id for row in rows):
                    raise Refusal("phase", sentence("season.not_in"))
            case _:
                pass  # it is about nobody
        return change, ""

    async def _known(self, player: PlayerId) -> tuple[PlayerId, str]:
        """The player, or the account of a tied one, with their name. Raises Refusal."""
        people, (alias,) = self.services.people, await Aliases(self.seasons.store).of([player])
        account = alias.account if alias else player
        known = await people.known(account)
        if not (known.name or known.about):
            shown = "".join(filter(str.isprintable, player[:40]))
            raise Refusal("unknown", sentence("board.no_player", player=shown))
        return account, called(account, known.name)

    async def _check_result(self, season: Season, number: int, player: PlayerId) -> None:
        """Raises Refusal unless the player has a result in this week."""
        for week in season.weeks:
            if week.number == number:
                finishes = await self.seasons.boards.results(season.race_id(week))
                if any(one.counts_for == player for one in finishes):
                    return
        raise Refusal("unknown", sentence("season.no_result"))

    # Racing

    def asks_to_race(self, race: Race, request: Request, now: int) -> bool:
        """Whether it must be asked first if a player may join: see ``let_in``."""
        return (
            weeks.is_week(race.id)
            and not request.is_member
            and deciding.may_take_seat(race, request.player.id, now)
        )

    def let_in(self, request: Request, race: Race, then: Callable[[], None]) -> None:
        """Decide a Join again, with ``then``, if the player may race in the season of the race.

        What the player says meanwhile waits for it.
        """
        request.session.hold()

        async def look() -> None:
            season = await self._season(weeks.season_of(race.id))
            if not await self.seasons.may_race(season, request.player):
                raise Refusal("seat", sentence("season.members"))
            logs, player = self.seasons.stored.logs, request.player.id
            await logs.list_for(season.id, self.services.clock(), players=[player])
            request.is_member = True
            then()

        self.services.answer_later(request, look, ended=request.session.release)

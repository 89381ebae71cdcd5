"""Who makes, changes, sees and deletes seasons, through two processes on one Redis."""

import json

from msgspec.structs import replace
from tests.server.guests import SECRET
from tests.server.seasons.clubs import CLOSES, HOUR, OPENS, PLAN, WEEK, club, member, servers
from tests.server.test_two_processes import arrive
from tests.support.times import NOON

from bigben_protocol import (
    ChangeSeason,
    CreateGroup,
    GetSeason,
    GetSeasons,
    Groups,
    LeaveGroup,
    MakeSeason,
    PlayerId,
    Refused,
    Season,
    Seasons,
)
from bigben_protocol.seasons import (
    AddMember,
    ChangeWeek,
    EndSeason,
    NameOrganiser,
)
from bigben_server.accounts.tokens import LINK, Issuers
from bigben_server.race.events import SEASONS, Player
from bigben_server.rooms.answers.seasons import MOST_OF_GROUP
from bigben_server.storage.client import Client
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.transport.http import answer_api


async def test_the_longest_member_makes_a_season_that_all_members_find(client: Client) -> None:
    async with servers(client) as both:
        _, me, code, season = await club(both.here)
        assert [(week.opens_at, week.closes_at) for week in season.weeks] == [
            (OPENS + n * WEEK, CLOSES + n * WEEK) for n in range(3)
        ]
        assert all(week.commitment and not week.race for week in season.weeks)
        assert (season.phase, season.plan.counted, season.organises) == ("to come", 1, True)
        assert (season.organisers, season.group_name) == ((me.player,), "The Aces")
        bob, _ = await member(both.there, "Bob", code)
        (listed,) = (await bob.ask(GetSeasons(), Seasons)).seasons
        assert (listed.season, listed.week, listed.race) == (season.season, 1, "")
        seen = await bob.ask(GetSeason(season.season.lower()), Season)
        assert seen == replace(season, organises=False, plays=True)
        refused = await bob.ask(MakeSeason(season.group, PLAN), Refused)
        assert (refused.code, refused.id) == ("seat", "season.makers")


async def test_anybody_with_the_id_reads_a_season_but_not_its_secret(client: Client) -> None:
    async with servers(client) as both:
        _, _, _, season = await club(both.here)
        seasons, queries = both.there.seasons, both.there.queries
        found = await answer_api(queries, seasons, f"/api/seasons/{season.season}")
        assert json.loads(found.body)["plan"]["name"] == PLAN.name
        stored = (await seasons.stored.season(season.season)).made.secret
        assert stored.encode() not in found.body
        for ending, part in ((".csv", b"week,race,place"), (".ics?lang=de", b"x.example/#season=")):
            path = f"/api/seasons/{season.season}{ending}"
            file = await answer_api(queries, seasons, path, page="https://x.example")
            assert part in file.body
            assert stored.encode() not in file.body
        for named in ("23456789", "no-id", season.season + "2", "23456789.ics", "a.b.csv"):
            assert (await answer_api(queries, seasons, f"/api/seasons/{named}")).status_code == 404
        zoe, _ = await arrive(both.there, "Zoë")
        assert (await zoe.ask(GetSeason(season.season), Season)).plays is False
        assert (await zoe.ask(GetSeasons(), Seasons)).seasons == ()


async def test_a_request_that_is_sent_again_after_a_lost_answer_changes_nothing_more(
    client: Client,
) -> None:
    async with servers(client) as both:
        ann, _, _, season = await club(both.here)
        again = await ann.ask(MakeSeason(season.group, PLAN), Season)
        assert again == season
        for change in (ChangeWeek(2, limit_ms=60_000), EndSeason("Snow.")):
            first = await ann.ask(ChangeSeason(season.season, change), Season)
            assert await ann.ask(ChangeSeason(season.season, change), Season) == first
        assert len((await ann.ask(GetSeason(season.season), Season)).changes) == 2


async def test_organisers_change_the_season_and_all_see_the_changes(client: Client) -> None:
    async with servers(client) as both:
        ann, _, code, season = await club(both.here)
        bob, bob_is = await member(both.there, "Bob", code)
        longer = ChangeWeek(1, closes_at=CLOSES + HOUR)
        asked = ChangeSeason(season.season, longer)
        assert (await bob.ask(asked, Refused)).id == "season.organisers"
        unknown = ChangeSeason(season.season, AddMember("discord:1"))
        assert (await ann.ask(unknown, Refused)).code == "unknown"
        named = ChangeSeason(season.season, NameOrganiser(bob_is.player))
        assert (await ann.ask(named, Season)).organisers[1:] == (bob_is.player,)
        told = await bob.ask(asked, Season)
        assert (told.organises, told.weeks[0].closes_at) == (True, CLOSES + HOUR)
        assert [(one.by, type(one.change)) for one in told.changes] == [
            ("Ann", NameOrganiser),
            ("Bob", ChangeWeek),
        ]


async def test_servers_make_no_season_that_older_ones_could_not_read(client: Client) -> None:
    async with servers(client) as both:
        ann, _, _, season = await club(both.here)
        both.store.version = SEASONS - 1
        assert (await ann.ask(MakeSeason(season.group, PLAN), Refused)).code == "busy"
        assert (await ann.ask(GetSeason(season.season), Refused)).code == "busy"


async def test_a_group_has_only_a_few_seasons_that_are_not_over(client: Client) -> None:
    async with servers(client) as both:
        ann, _, _, season = await club(both.here)
        for n in range(1, MOST_OF_GROUP):
            await ann.ask(MakeSeason(season.group, replace(PLAN, name=f"Club {n}")), Season)
        one_more = MakeSeason(season.group, replace(PLAN, name="One more"))
        assert (await ann.ask(one_more, Refused)).code == "limit"
        await ann.ask(ChangeSeason(season.season, EndSeason()), Season)
        assert (await ann.ask(one_more, Season)).phase == "to come"
        phases = [one.phase for one in (await ann.ask(GetSeasons(), Seasons)).seasons]
        assert phases == ["to come"] * MOST_OF_GROUP + ["over"]


async def test_a_front_end_names_who_organises_its_groups_and_guests_may_be_kept_out(
    client: Client, store: Store
) -> None:
    group = frozenset({"discord:1"})
    people, issuers = People(store), Issuers(SECRET, {})
    manager = Player(PlayerId("discord:2"), "Meg", group, organises=group)
    fan = Player(PlayerId("discord:3"), "Fay", group)
    for player in (manager, fan):
        await people.introduce(player, NOON)
    async with servers(client) as both:
        meg, _ = await arrive(both.here, token=issuers.mint(LINK, manager, NOON))
        fay, _ = await arrive(both.there, token=issuers.mint(LINK, fan, NOON))
        guest, guest_is = await arrive(both.there, "Guy")
        asked = MakeSeason("discord:1", replace(PLAN, verified=True))
        assert (await fay.ask(asked, Refused)).id == "season.makers"
        season = await meg.ask(asked, Season)
        assert (season.organisers, season.plays) == ((manager.id,), True)
        await people.introduce(Player(guest_is.player, "Guy", group), NOON)
        of_season = GetSeason(season.season)
        assert (await fay.ask(of_season, Season)).plays is True
        assert (await guest.ask(of_season, Season)).plays is False
    await people.introduce(manager._replace(organises=frozenset()), NOON)
    assert not await people.organises(manager.id, "discord:1")


async def test_the_seasons_of_a_group_that_is_gone_are_not_those_of_a_new_one_with_its_name(
    client: Client,
) -> None:
    async with servers(client) as both:
        ann, _, _, season = await club(both.here)
        await ann.ask(LeaveGroup(season.group), Groups)
        bob, _ = await arrive(both.there, "Bob")
        (group,) = (await bob.ask(CreateGroup("The Aces"), Groups)).groups
        assert group.group != season.group
        assert (await bob.ask(GetSeasons(), Seasons)).seasons == ()
        assert (await bob.ask(GetSeason(season.season), Season)).plays is False

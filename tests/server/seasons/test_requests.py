"""Who makes, changes, sees and deletes seasons, through two processes on one Redis."""

import json

from msgspec.structs import replace
from tests.server.seasons.clubs import CLOSES, HOUR, OPENS, PLAN, WEEK, club, member, servers
from tests.server.test_two_processes import arrive

from bigben_protocol import (
    ChangeSeason,
    GetSeason,
    GetSeasons,
    MakeSeason,
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
from bigben_server.storage.client import Client
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

"""The races of weeks: opened once whoever dies, for members, and kept as their table needs them."""

from io import StringIO
from itertools import count

import pytest
from msgspec.structs import replace
from tests.server.boards.made import Dies
from tests.server.guests import SECRET, Guest
from tests.server.seasons.clubs import CLOSES, HOUR, OPENS, PLAN, club, member, servers
from tests.server.test_two_processes import Two, arrive
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    ChangeSeason,
    Create,
    DeleteSeason,
    Diff,
    GetRaces,
    GetSeason,
    GetSeasons,
    Groups,
    Join,
    JoinGroup,
    Leave,
    LeaveGroup,
    Left,
    Move,
    PlayerId,
    RaceId,
    Races,
    Ready,
    Refused,
    Reveal,
    Room,
    Season,
    Seasons,
    Snapshot,
    Tie,
    Tied,
    Watch,
)
from bigben_protocol.seasons import AddMember, LeaveSeason, NameOrganiser, PutBack, TakeOut
from bigben_server.accounts.tokens import LINK, Issuers
from bigben_server.ops.check import damaged
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.delete import delete
from bigben_server.race import deciding, decisions
from bigben_server.race.events import Opened, Player, Refusal
from bigben_server.race.lobby import code_named
from bigben_server.race.state import Race
from bigben_server.race.weeks import MOST_SEATS, season_of
from bigben_server.rooms import app
from bigben_server.rooms.deals import weeks
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.deals.seeds import OpenSeeds
from bigben_server.rooms.deals.weeks import AGAIN_MS, Weeks
from bigben_server.seasons import season as folded
from bigben_server.seasons.plan import checked, windows
from bigben_server.seasons.season import Logged, Made
from bigben_server.storage.bounds.expiring import Expiring
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.packing.work import AGE_MS
from bigben_server.storage.race_log import Store
from bigben_server.storage.seasons.stored import StoredSeasons
from bigben_server.thinking.packer import Packer
from bigben_server.thinking.pool import Pool

ANN = PlayerId("guest:ann")
ID = "K7QPXM2A"
RACE = RaceId(f"week.{ID}.1")


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers look at seasons often."""
    monkeypatch.setattr(weeks, "LOOK_S", 0.05)


def keeper(store: Store, now: int) -> Weeks:
    clock = Clock(now)
    return Weeks(store, Search(Pool(0)), OpenSeeds(store, SECRET, clock), clock)


async def made(store: Store) -> None:
    plan = checked(PLAN, NOON)
    first = Made("the-aces", plan, ANN, "Ann", NOON, "5e" * 32, (*windows(plan),))
    assert await StoredSeasons(store).make(ID, first)


async def test_a_week_is_opened_once_whoever_dies_at_any_round_trip(client: Client) -> None:
    store, deaths = Store(client), 0
    for step in count(1):
        await client.flushall()
        await made(store)
        season = await StoredSeasons(store).season(ID)
        await keeper(store, OPENS - 1).look()
        assert await store.events(RACE) == []
        try:
            await keeper(Dies(client, step), OPENS).look()
            is_alive = True
        except StoreLost:
            is_alive, deaths = False, deaths + 1
        for late in (OPENS + AGAIN_MS, OPENS + 2 * AGAIN_MS):
            await keeper(store, late).look()
        assert await store.events(RACE) == [season.opened(season.weeks[0])]
        assert await store.due(CLOSES) == [RACE]
        if is_alive:
            break
    assert deaths > 3


async def test_a_change_is_made_once_whoever_dies_at_any_round_trip(client: Client) -> None:
    store, deaths = Store(client), 0
    change = Logged(AddMember("guest:bob"), ANN, "Ann", NOON, "Bob")
    for step in count(1):
        await client.flushall()
        await made(store)
        season, before = [await StoredSeasons(store).season(ID) for _ in range(2)]
        try:
            is_alive = await StoredSeasons(Dies(client, step)).change(season, change)
        except StoreLost:
            is_alive, deaths = False, deaths + 1
        again = await StoredSeasons(store).season(ID)
        if not again.changes:
            assert await StoredSeasons(store).change(again, change)
            again = await StoredSeasons(store).season(ID)
        assert again.changes == [change]
        assert not await StoredSeasons(store).change(before, change), "it follows another one"
        if is_alive:
            break
    assert deaths > 2


async def opened(both: Two, ann: Guest, season: Season) -> RaceId:
    """The race of the first week, when both servers have seen the time come."""
    both.clock.now = both.clock_there.now = OPENS
    while not (race := (await ann.ask(GetSeason(season.season), Season)).weeks[0].race):
        pass
    return RaceId(race)


async def resigned(guest: Guest, race: RaceId) -> None:
    await guest.ask(Join(race), Room)
    guest.say(Ready(race))
    await guest.until(Snapshot)
    await guest.ask(Move(race, 1, "resign"), Diff)


async def test_members_race_others_watch_and_who_is_added_may_join_too(client: Client) -> None:
    async with servers(client) as both:
        ann, _, code, season = await club(both.here)
        bob, bob_is = await member(both.there, "Bob", code)
        race = await opened(both, ann, season)
        zoe, _ = await arrive(both.there, "Zoë")
        assert (await zoe.ask(Watch(race), Room)).phase == "running"
        assert (await zoe.ask(Join(race), Refused)).id == "season.members"
        await resigned(bob, RaceId(race.lower()))
        assert [one.race for one in (await bob.ask(GetRaces(), Races)).races] == [race]
        # Who has a seat keeps it.
        await bob.ask(LeaveGroup(season.group), Groups)
        await bob.ask(Leave(race), Left)
        assert (await bob.ask(Join(race), Room)).seats[0].state == "resigned"
        await ann.ask(ChangeSeason(season.season, NameOrganiser(bob_is.player)), Season)
        await zoe.ask(JoinGroup(code), Groups)
        assert (await zoe.ask(Join(race), Room)).players == 2


async def test_of_an_open_week_nobody_learns_the_deal(client: Client) -> None:
    async with servers(client) as both:
        ann, _, _, season = await club(both.here)
        bound = season.weeks[0].commitment
        race = await opened(both, ann, season)
        (first,) = await both.store.events(race)
        assert isinstance(first, Opened)
        seed = Create(practice=True, seed=first.server_seed)
        assert (await ann.ask(seed, Refused)).code == "seed"
        assert (await ann.ask(Watch(race), Room)).commitment == bound
        told = await both.there.seasons.told(season.season)
        for message in (told, season):
            for secret in (first.server_seed, "server_seed", "secret"):
                assert secret not in f"{message}"


async def test_a_deleted_player_leaves_the_table_of_the_others_as_it_was(client: Client) -> None:
    async with servers(client) as both:
        ann, _, code, season = await club(both.here)
        bob, bob_is = await member(both.there, "Bob", code)
        race = await opened(both, ann, season)
        for guest in (ann, bob):
            await resigned(guest, race)
        await ann.ask(ChangeSeason(season.season, NameOrganiser(bob_is.player)), Season)
        asked = ChangeSeason(season.season, TakeOut(1, bob_is.player, "Played twice."))
        before = await ann.ask(asked, Season)
        store = Store(client)
        gone = (await delete(store, bob_is.player, "0123", clock=both.clock)).instead
        after = await ann.ask(GetSeason(season.season), Season)
        assert [replace(row, player="", name="") for row in after.rows] == [
            replace(row, player="", name="") for row in before.rows
        ]
        assert after.weeks[0].results[-1] == replace(before.weeks[0].results[-1], player=gone)
        assert after.organisers[-1] == gone
        (texts,) = await StoredSeasons(store).logs.read([season.season])
        assert isinstance(texts, list)
        for text in texts:
            assert bob_is.player.encode() not in text
            assert b"Bob" not in text


async def test_seasons_are_exported_and_imported_and_what_is_damaged_is_named(
    client: Client,
) -> None:
    store = Store(client)
    async with servers(client) as both:
        ann, _, _, season = await club(both.here)
        race = await opened(both, ann, season)
        await resigned(ann, race)
        await both.here.hub.settled()
    told = await both.here.seasons.shown(await both.here.seasons.stored.season(season.season))
    file = StringIO("".join([line async for line in exported(store)]))
    await client.flushall()
    await imported(store, file)
    again = await both.there.seasons.shown(await both.there.seasons.stored.season(season.season))
    assert again == told
    assert [one async for one in damaged(store, SILENT)] == []
    await client.xadd(store.keys.season(season.season), {"9": "{}"}, id="9-0")
    (found,) = [one async for one in damaged(store, SILENT)]
    assert found.key == store.keys.season(season.season)


async def test_a_season_that_is_deleted_is_found_no_more_and_its_open_week_goes_on(
    client: Client,
) -> None:
    async with servers(client) as both:
        ann, _, code, season = await club(both.here)
        bob, _ = await member(both.there, "Bob", code)
        race = await opened(both, ann, season)
        await ann.ask(Join(race), Room)
        assert (await bob.ask(DeleteSeason(season.season), Refused)).id == "season.organisers"
        assert (await ann.ask(DeleteSeason(season.season), Seasons)).seasons == ()
        assert (await bob.ask(GetSeason(season.season), Refused)).code == "unknown"
        assert (await bob.ask(Join(race), Refused)).code == "unknown"
        await resigned(ann, race)


async def test_who_leaves_has_no_row_until_they_race_again(client: Client) -> None:
    async with servers(client) as both:
        ann, _, code, season = await club(both.here)
        bob, _ = await member(both.there, "Bob", code)
        leaving = ChangeSeason(season.season, LeaveSeason())
        assert (await bob.ask(leaving, Refused)).id == "season.not_in"
        race = await opened(both, ann, season)
        for guest in (ann, bob):
            await resigned(guest, race)
        both.clock.now = both.clock_there.now = OPENS + HOUR
        rows = (await bob.ask(leaving, Season)).rows
        assert [row.name for row in rows] == ["Ann"]
        assert rows[0].points[0] == (await ann.ask(GetSeason(season.season), Season)).rows[0].total


async def test_what_a_guest_has_raced_and_organises_is_their_accounts_once_they_are_tied(
    client: Client,
) -> None:
    account = Player(PlayerId("discord:8035"), "Zoë")
    async with servers(client) as both:
        ann, ann_is, code, season = await club(both.here)
        bob, bob_is = await member(both.there, "Bob", code)
        race = await opened(both, ann, season)
        for guest in (ann, bob):
            await resigned(guest, race)
        asked = ChangeSeason(season.season, TakeOut(1, bob_is.player, "Played twice."))
        before = await ann.ask(asked, Season)
        zoe, _ = await arrive(both.there, token=Issuers(SECRET, {}).mint(LINK, account, NOON))
        for guest_is in (ann_is, bob_is):
            await zoe.ask(Tie(guest_is.token), Refused if guest_is is bob_is else Tied)
        after = await zoe.ask(GetSeason(season.season), Season)
        assert (after.organisers, after.organises, after.plays) == ((account.id,), True, True)
        assert [row.player for row in after.rows] == [account.id, bob_is.player]
        assert [row.total for row in after.rows] == [row.total for row in before.rows]
        assert (await zoe.ask(GetSeasons(), Seasons)).seasons[0].season == season.season
        back = ChangeSeason(season.season, PutBack(1, bob_is.player))
        assert not any(one.out for one in (await zoe.ask(back, Season)).weeks[0].results)


async def test_a_week_that_is_packed_counts_and_never_expires(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "AGENDA_S", 0.1)
    store = Store(client)
    async with servers(client) as both:
        ann, _, _, season = await club(both.here)
        race = await opened(both, ann, season)
        await resigned(ann, race)  # alone: another race would be deleted after thirty days
        both.clock.now = both.clock_there.now = CLOSES
        assert (await ann.until(Reveal)).kept_until == 0
        while race in await store.due():
            pass  # it is being recorded
        before = await ann.ask(GetSeason(season.season), Season)
        assert [one.phase for one in before.weeks] == ["closed", "to come", "to come"]
        packer = Packer(store, Pool(0), lambda: CLOSES + AGE_MS, gently=False)
        assert await packer.pack(race) == "packed"
        assert await ann.ask(GetSeason(season.season), Season) == before
        assert await Expiring(store).races() == []


def test_a_week_has_more_seats_than_a_room() -> None:
    plan = checked(PLAN, NOON)
    season = folded.Season(ID, [Made("aces", plan, ANN, "Ann", NOON, "5e" * 32, (*windows(plan),))])
    race = Race(RACE, [season.opened(season.weeks[0])])
    for n in range(MOST_SEATS + 1):
        request = decisions.Request(Join(RACE), Player(PlayerId(f"guest:{n}"), f"Guest {n}"))
        decided = deciding.decide(race, request, OPENS)
        assert len(decided.appends) == (n < MOST_SEATS)
        race.durable = race.event_count


@pytest.mark.parametrize(
    "name", ["week", "week.", "week.K7QPXM2A", "week.K7QPXM2A.0", "week.K7QPXM2A.27",
             "week.K7QPXM2A.1.1", "week.K7QPXM2A.1.10", "week.K7QPXM20.1", "week.K7QPXM2A.1\n"]
)  # fmt: skip
def test_what_names_no_week_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        code_named(name)


def test_a_week_is_named_in_any_case() -> None:
    assert code_named("Week.k7qpxm2a.26.2") == RaceId("week.K7QPXM2A.26.2")
    assert season_of(RACE) == ID
    assert season_of("K7QPXM") == ""

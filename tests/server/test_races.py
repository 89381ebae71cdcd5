"""The races of a player, and a race in short for those who have its code or an invitation."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.guests import Guest, running
from tests.server.stage import ADA, BOB, CARL, NONCE, live
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Create,
    Diff,
    GetRaces,
    Hello,
    Join,
    Leave,
    Left,
    Move,
    RaceId,
    RaceInfo,
    Races,
    Ready,
    Refused,
    Room,
    Rules,
    Snapshot,
    Standings,
    Welcome,
)
from bigben_server.leaderboards.queries import Queries
from bigben_server.race import views
from bigben_server.race.events import Player, Refusal
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store

DAILY = "daily.2026-11-21.bigben.standard"


@pytest.fixture
def clock() -> Clock[int]:
    return Clock(NOON)


@pytest.fixture
async def app(client: Client, clock: Clock[int]) -> AsyncIterator[App]:
    async with running(client, clock) as app:
        yield app


async def welcome(app: App, name: str, token: str = "") -> Guest:
    guest = Guest(app)
    await guest.ask(Hello(name, token), Welcome)
    return guest


async def listed(guest: Guest) -> dict[str, RaceInfo]:
    return {info.race: info for info in (await guest.ask(GetRaces(ref=5), Races)).races}


async def test_a_player_finds_every_race_that_is_not_closed_also_after_a_restart(
    app: App, client: Client, clock: Clock[int]
) -> None:
    ada = Guest(app)
    token = (await ada.ask(Hello("Ada"), Welcome)).token
    bob = await welcome(app, "Bob")
    assert await listed(ada) == {}
    room = await ada.ask(Create(undo=True), Room)
    await bob.ask(Join(room.race), Room)
    clock.now += 1
    ada.say(Create(practice=True))
    practice = await ada.until(Room, lambda room: room.kind == "practice")
    clock.now += 1
    ada.say(Join("daily"))
    await ada.until(Room, lambda room: room.kind == "daily")
    daily = RaceInfo(
        DAILY,  # type: ignore[arg-type] # a text for an id
        "daily",
        "running",
        Rules(),
        "",
        1,
        opened_at=NOON - DAY // 2,
        closes_at=NOON + DAY // 2,
        state="joined",
    )
    found = await listed(ada)
    assert [*found] == [DAILY, practice.race, room.race], "the latest first"
    assert found[DAILY] == daily
    assert found[room.race].names == ("Ada", "Bob")
    assert (found[room.race].host, found[room.race].players) == ("Ada", 2)
    assert (found[room.race].state, found[room.race].rules) == ("joined", room.rules)
    async with running(client, clock, process="other") as other:
        again = await welcome(other, "", token)
        assert await listed(again) == found
        assert [*await listed(await welcome(other, "Cy"))] == []


async def test_a_race_is_listed_with_the_state_of_the_seat_until_it_is_closed(
    app: App, clock: Clock[int], client: Client
) -> None:
    ada, bob = await welcome(app, "Ada"), await welcome(app, "Bob")
    race = (await ada.ask(Create(), Room)).race
    await bob.ask(Join(race), Room)
    for one in (ada, bob):
        one.say(Ready(race, NONCE))
    await ada.until(Room, lambda room: room.phase == "countdown")
    assert (await listed(bob))[race].phase == "countdown"
    clock.now += 3_000
    await ada.until(Snapshot)
    assert (await listed(bob))[race].state == "playing"
    await ada.ask(Move(race, 1, "resign"), Diff)
    assert (await listed(ada))[race].state == "resigned"
    bob.say(Move(race, 1, "resign"))
    await ada.until(Standings, lambda standings: standings.final)
    assert await listed(ada) == {}


async def test_a_seat_that_was_left_and_a_race_that_is_lost_are_not_listed(
    app: App, client: Client
) -> None:
    ada, bob = await welcome(app, "Ada"), await welcome(app, "Bob")
    room = await ada.ask(Create(), Room)
    await bob.ask(Join(room.race), Room)
    await bob.ask(Leave(room.race), Left)
    assert await listed(bob) == {}
    assert [*await listed(ada)] == [room.race]
    await client.delete(Keys().room_log(room.race))
    assert await listed(ada) == {}
    assert ada.player
    assert await client.exists(Keys().open_races(ada.player.id)) == 0, "and no longer stored"


async def test_an_invitation_says_who_invites_and_to_what(
    app: App, client: Client, clock: Clock[int]
) -> None:
    ada = await welcome(app, "Ada")
    room = await ada.ask(Create(game="watch", limit_ms=60_000), Room)
    info = await app.queries.race(room.race.lower())
    assert (info.host, info.names, info.players) == ("Ada", ("Ada",), 1)
    assert (info.phase, info.rules, info.state) == ("open", room.rules, None)
    assert await app.queries.race(f"{room.race}-ABCDEF") == info, "it needs no invitation"
    with pytest.raises(Refusal, match="There is no race ZZZZZZ; check its name") as unknown:
        await app.queries.race("zzzzzz")
    assert unknown.value.code == "unknown"
    with pytest.raises(Refusal, match="six-letter code"):
        await app.queries.race("nonsense!")
    today = await app.queries.race("daily")
    assert (today.race, today.players, today.host) == (DAILY, 0, "")
    await ada.ask(Join("daily"), Room)
    assert (await app.queries.race("daily")).players == 1
    with pytest.raises(Refusal, match="opens at"):
        await app.queries.race("daily.2026-12-24.bigben.standard")
    practice = await ada.ask(Create(practice=True), Room)
    with pytest.raises(Refusal, match="There is no race"):
        await app.queries.race(practice.race)


async def test_a_room_by_invitation_names_nobody_without_it(app: App) -> None:
    ada = await welcome(app, "Ada")
    room = await ada.ask(Create(invite_only=True), Room)
    assert room.invite
    named = await app.queries.race(room.invite)
    assert (named.host, named.names) == ("Ada", ("Ada",))
    unnamed = await app.queries.race(room.race)
    assert (unnamed.host, unnamed.names, unnamed.players) == ("", (), 1)
    with pytest.raises(Refusal, match="invite only") as refused:
        await app.queries.race(f"{room.race}-AAAAAA")
    assert refused.value.code == "seat"
    eve = await welcome(app, "Eve")
    assert (await eve.ask(Join(f"{room.race}-AAAAAA"), Refused)).code == "seat"


async def test_a_player_may_ask_twenty_times_a_minute(app: App, clock: Clock[int]) -> None:
    ada = await welcome(app, "Ada")
    for _ in range(20):
        assert await listed(ada) == {}
    assert (await ada.ask(GetRaces(ref=6), Refused)).code == "limit"
    clock.now += 3_000
    assert await listed(ada) == {}


async def test_of_a_daily_only_the_ends_of_its_log_are_read(
    app: App, clock: Clock[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await welcome(app, "Ada")
    await ada.ask(Join("daily"), Room)
    clock.now += DAY
    app.hub.tick()
    await ada.until(Room, lambda room: room.phase == "closed")
    read: list[int] = []
    events = Store.events

    async def counting(store: Store, race: RaceId, *, after: int = 0, most: int = 0) -> object:
        found = await events(store, race, after=after, most=most)
        read.append(len(found) if race == DAILY else 0)
        return found

    monkeypatch.setattr(Store, "events", counting)
    assert (await app.queries.race(DAILY)).players == 1
    ada.say(Create(practice=True, daily=DAILY))
    assert (await ada.until(Room, lambda room: room.kind == "practice")).rules.daily == DAILY
    assert max(read) == 1, "opened, and not who joined"


async def test_yesterdays_daily_is_closed_and_one_that_nobody_played_is_unknown(
    app: App, clock: Clock[int], store: Store
) -> None:
    ada = await welcome(app, "Ada")
    await ada.ask(Join("daily"), Room)
    clock.now += DAY
    app.hub.tick()
    await ada.until(Room, lambda room: room.phase == "closed")
    assert await listed(ada) == {}
    info = await app.queries.race(DAILY)
    assert (info.phase, info.players) == ("closed", 1)
    queries = Queries(store, clock)
    with pytest.raises(Refusal, match="There is no race"):
        await queries.race("daily.2026-11-21.watch.standard")


@given(st.lists(st.sampled_from((ADA, BOB, CARL)), unique=True, min_size=1), st.booleans())
def test_the_short_form_of_a_race_tells_no_secret(players: list[Player], ready: bool) -> None:
    stage = live(*players, invite_only=False)
    if ready:
        stage.ready(*players)
    for viewer in (None, *(player.id for player in players)):
        told = repr(views.info(stage.race, stage.now, viewer))
        assert stage.race.opened.server_seed not in told
        assert NONCE not in told
    assert stage.race.opened.invite == ""

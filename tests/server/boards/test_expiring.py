"""Races that count nowhere expire after thirty days, and say until when they are kept."""

import pytest
from tests.server.guests import Guest, running
from tests.server.stage import ADA, BOB, NONCE, Stage, daily, deadline, live, racing
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import (
    AddHouse,
    Create,
    GetProfile,
    Hello,
    Join,
    Move,
    PlayerId,
    Profile,
    RaceId,
    Ready,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Start,
    Watch,
    Welcome,
)
from bigben_server.config import Limits
from bigben_server.leaderboards.expiry import Expiry
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.deciding import MOST_SEATS
from bigben_server.race.events import Player
from bigben_server.race.state import KEPT_MS
from bigben_server.rooms import quotas
from bigben_server.rooms.app import App
from bigben_server.storage.admin.dump import keys_there
from bigben_server.storage.bounds.expiring import Expiring
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store

PIP = Player(PlayerId("bot:beginner"), "Pip (house)", bot=True)
BEN = Player(PlayerId("bot:master"), "Ben (house)", bot=True)


def closed(stage: Stage, *players: Player) -> Stage:
    for player in players:
        stage.move(player, "resign")
    return stage.wait(0)


def with_house(*house: Player) -> Stage:
    stage = live(ADA)
    for one in house:
        stage.say(ADA, AddHouse(stage.race.id, one.id.partition(":")[2]))
    stage.ready(ADA, *house)
    stage.start(ADA)
    return closed(stage.wait(COUNTDOWN_MS), ADA, *house)


def test_a_race_that_one_player_resigned_alone_is_kept_for_thirty_days() -> None:
    stage = closed(racing(ADA), ADA)
    until = stage.now + KEPT_MS
    assert stage.race.kept_until == until
    assert stage.heard(ADA, Reveal)[-1].kept_until == until
    stage.restart()
    assert stage.race.kept_until == until


def test_what_counts_for_a_rating_or_on_a_board_is_kept_for_ever() -> None:
    assert closed(racing(ADA, BOB), ADA, BOB).race.kept_until == 0
    assert with_house(PIP, BEN).race.kept_until == 0, "house players are rated among bots"
    day = daily(ADA)
    day.ready(ADA)
    assert closed(day, ADA).wait(DAY).race.kept_until == 0


def test_who_plays_alone_among_people_and_alone_among_programs_is_not_rated() -> None:
    assert with_house(PIP).race.kept_until > 0


def test_a_game_in_which_nothing_is_decided_is_not_rated() -> None:
    stage = racing(ADA, BOB, game="clock", rules="standard")
    assert closed(stage, ADA, BOB).race.kept_until > 0


def test_nobody_plays_against_those_who_never_began() -> None:
    stage = deadline(ADA, BOB)
    stage.ready(ADA)
    stage.move(ADA, "resign")
    assert stage.race.kept_until == 0, "it is not closed"
    stage.wait(DAY)
    assert stage.race.kept_until == stage.now + KEPT_MS


async def arrive(app: App, address: str = "") -> tuple[Guest, PlayerId]:
    one = Guest(app)
    one.address = address
    return one, (await one.ask(Hello("Ada"), Welcome)).player


async def resigned(app: App, clock: Clock[int], *players: Guest) -> RaceId:
    """A room that these have played and resigned, once all of it is recorded."""
    host = players[0]
    race = RaceId((await host.ask(Create(), Room)).race)
    for player in players:
        player.say(Join(race), Ready(race, NONCE))
    host.say(Start(race))
    for player in players:
        await player.until(Room, lambda room: room.race == race and room.starts_at > 0)
    clock.now += COUNTDOWN_MS
    for player in players:
        await player.until(Snapshot)
        player.say(Move(race, 1, "resign"))
    await host.until(Reveal)
    await app.hub.settled()
    return race


async def test_nothing_is_left_of_a_race_that_expired_and_of_a_guest_who_played_no_other(
    client: Client,
) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        before = {key async for key in keys_there(store)}
        ada, me = await arrive(app)
        race = await resigned(app, clock, ada)
        assert await Expiring(store).races() == [race]
        assert await Ledger(store).races() == []
        clock.now += KEPT_MS - 1
        await Expiry(store, clock).look()
        assert (await ada.ask(GetProfile(), Profile)).tallies[0].played == 1
        clock.now += 1
        await Expiry(store, clock).look()
        assert (await ada.ask(GetProfile(), Profile)).tallies == ()
        assert await client.hget(Keys().names, me) is None
        app.hub.rooms.drop(race)
        bob, _ = await arrive(app)
        assert (await bob.ask(Watch(race), Refused)).code == "unknown"
        assert not any(race in key for key in {key async for key in keys_there(store)} - before)


async def test_a_guest_who_has_another_result_keeps_their_name(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        (ada, me), (bob, _) = await arrive(app), await arrive(app)
        alone, together = await resigned(app, clock, ada), await resigned(app, clock, ada, bob)
        clock.now += KEPT_MS
        await Expiry(store, clock).look()
        assert await client.hget(Keys().names, me) == b"Ada"
        assert await client.hkeys(Keys().history(me)) == [together.encode()]
        assert not await store.events(alone)


async def test_boards_that_are_rebuilt_still_have_the_history_of_what_expires(
    client: Client,
) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        ada, me = await arrive(app)
        race = await resigned(app, clock, ada)
    await rebuild(store)
    assert await client.hkeys(Keys().history(me)) == [race.encode()]


async def test_a_race_that_an_older_server_let_count_stays(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        ada, _ = await arrive(app)
        race = await resigned(app, clock, ada)
        await Ledger(store).close(race)
        clock.now += KEPT_MS
        await Expiry(store, clock).look()
        assert await store.events(race)
        assert await Expiring(store).races() == []


async def test_guests_of_an_address_take_so_many_seats_in_a_day(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        monkeypatch.setattr(app.hub.quotas, "_seats_of_address", quotas.a_day(3))
        (ada, _), (bob, _) = await arrive(app, "192.0.2.1"), await arrive(app, "192.0.2.1")
        race = (await ada.ask(Create(), Room)).race
        await bob.ask(Join(race), Room)
        await bob.ask(Join(race), Room)  # no new seat
        await bob.ask(Join("daily"), Room)
        refused = await bob.ask(Create(), Refused)
        assert (refused.code, "come back tomorrow" in refused.text) == ("limit", True)
        bob.say(Create(practice=True, ref=5))
        await bob.until(Room, lambda room: room.ref == 5)
        elsewhere, _ = await arrive(app, "192.0.2.2")
        await elsewhere.ask(Join(race), Room)
        clock.now += DAY // 3
        await ada.ask(Join("daily"), Room)


def test_a_class_of_forty_has_fifty_games_each() -> None:
    assert Limits().seats_per_address >= 40 * 50
    assert Limits().seats_per_address >= MOST_SEATS

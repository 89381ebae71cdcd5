"""Cheers: who may send one and when, who receives it, and that nothing keeps it."""

from collections.abc import AsyncIterator

import pytest
from tests.server.guests import Guest, running
from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    DORA,
    Stage,
    daily,
    deadline,
    live,
    only,
    only_refusal,
    practice,
    racing,
)
from tests.server.test_two_processes import two
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    CHEERS,
    Cheer,
    Cheered,
    Cheers,
    Create,
    Hello,
    Join,
    Leave,
    Left,
    Ping,
    PlayerId,
    Pong,
    Refused,
    Room,
    Watch,
    Welcome,
)
from bigben_server.race.broadcasts.cheering import PAUSE_MS
from bigben_server.race.events import Player
from bigben_server.rooms.app import App
from bigben_server.rooms.followers.gathering import MOST_OF_SEATS, MOST_OF_WATCHERS, Latest
from bigben_server.storage.client import Client

TOO_SOON = ("limit", "You cheered a moment ago; wait three seconds between cheers.")


def heard(stage: Stage, player: Player) -> list[Cheered]:
    """What a subscriber was told of cheers, without the answers to their own."""
    return [cheered for told in stage.heard(player, Cheers) for cheered in told.cheers]


@pytest.mark.parametrize("cheer", CHEERS)
def test_a_cheer_is_answered_and_comes_to_all_who_follow_the_race(cheer: str) -> None:
    stage = racing(ADA, BOB)
    stage.watch(CARL)
    answer, own = stage.cheer(ADA, cheer)
    assert answer == Cheers(stage.race.id, ref=1)
    assert own == Cheers(stage.race.id, (Cheered(cheer, ADA.id),))
    assert heard(stage, BOB) == heard(stage, CARL) == [Cheered(cheer, ADA.id)]


def test_a_cheer_is_stored_nowhere() -> None:
    stage = racing(ADA, BOB)
    logs = len(stage.room_log), {player: len(log) for player, log in stage.seat_logs.items()}
    stage.cheer(ADA, "well")
    assert logs == (len(stage.room_log), {p: len(log) for p, log in stage.seat_logs.items()})


def test_a_player_cheers_at_most_once_in_three_seconds() -> None:
    stage = racing(ADA, BOB)
    stage.cheer(ADA, "luck")
    assert only_refusal(stage.wait(PAUSE_MS - 1).cheer(ADA, "well")) == TOO_SOON
    only(stage.cheer(BOB, "luck")[:1], Cheers)  # the others may
    only(stage.wait(1).cheer(ADA, "well")[:1], Cheers)
    assert only_refusal(stage.cheer(ADA, "well")) == TOO_SOON


def test_a_watcher_cheers_without_a_name_that_nobody_has_seen_in_the_race() -> None:
    stage = racing(ADA, BOB)
    stage.watch(CARL)
    stage.cheer(CARL, "wow")
    assert heard(stage, ADA) == [Cheered("wow")]


def test_there_are_five_cheers_and_no_other_text() -> None:
    stage = racing(ADA, BOB)
    text = "The cheers are luck, well, wow, close, thanks."
    assert only_refusal(stage.cheer(ADA, "shout")) == ("unknown", text)
    only(stage.cheer(ADA, "well")[:1], Cheers)  # a refused one counts for nothing


def test_strangers_do_not_cheer_in_a_race_that_only_its_players_follow() -> None:
    stage = racing(ADA, BOB, spectate=False)
    text = "Only its players can see this race until it is over."
    assert only_refusal(stage.cheer(DORA, "wow")) == ("seat", text)


def test_rooms_have_cheers_from_the_lobby_to_the_end_and_dailies_and_practice_have_none() -> None:
    lobby, over = live(ADA, BOB), racing(ADA, BOB)
    for player in (ADA, BOB):
        over.move(player, "resign")
    for stage in (lobby, over.wait(0), deadline(ADA)):
        only(stage.cheer(ADA, "thanks")[:1], Cheers)
    refusal = ("phase", "This race has no cheer command.")
    assert only_refusal(daily(ADA).cheer(ADA, "wow")) == refusal
    assert only_refusal(practice().cheer(ADA, "wow"))[0] == "phase"


def test_many_cheers_are_the_latest_and_watchers_never_hide_the_players() -> None:
    latest = Latest()
    latest.add(*(Cheered("well", PlayerId(f"guest:{n}")) for n in range(50)))
    latest.add(*(Cheered("wow") for _ in range(50)))
    taken = latest.take()
    assert [one.player for one in taken] == [
        *(f"guest:{n}" for n in range(50 - MOST_OF_SEATS, 50)),
        *[""] * MOST_OF_WATCHERS,
    ]
    assert latest.take() == ()


# Connections


@pytest.fixture
def clock() -> Clock[int]:
    return Clock(NOON)


@pytest.fixture
async def app(client: Client, clock: Clock[int]) -> AsyncIterator[App]:
    async with running(client, clock) as app:
        yield app


async def guest(app: App, name: str, *, cheers: bool = True) -> tuple[Guest, PlayerId]:
    one = Guest(app)
    welcome = await one.ask(Hello(name, cheers=cheers), Welcome)
    assert welcome.cheers == cheers
    return one, welcome.player


async def hears_no_cheers(one: Guest) -> None:
    """Everything that a guest was told until now has no cheers."""
    one.say(Ping(1))
    while not isinstance(told := await one.hears(), Pong):
        assert not isinstance(told, Cheers)


async def test_only_connections_that_ask_for_cheers_receive_them(app: App) -> None:
    (ada, me), (bob, _), (old, _) = [
        await guest(app, name, cheers=name != "Old") for name in ("Ada", "Bob", "Old")
    ]
    race = (await ada.ask(Create(), Room)).race
    for one in (bob, old):
        await one.ask(Watch(race), Room)
    assert (await ada.ask(Cheer(race, "luck", 7), Cheers)).ref == 7
    for one in (ada, bob):
        assert (await one.until(Cheers)).cheers == (Cheered("luck", me),)
    await hears_no_cheers(old)


async def test_one_must_follow_the_race(app: App) -> None:
    (ada, _), (bob, _) = await guest(app, "Ada"), await guest(app, "Bob")
    race = (await ada.ask(Create(), Room)).race
    text = "Join or watch this race first; then you can cheer."
    assert await bob.ask(Cheer(race, "luck", 1), Refused) == Refused(
        "seat", text, race, 1, "cheer.join_first"
    )
    await bob.ask(Watch(race), Room)
    await bob.ask(Cheer(race, "luck", 2), Cheers)
    await bob.ask(Leave(race), Left)
    assert (await bob.ask(Cheer(race, "luck", 3), Refused)).code == "seat"


async def test_cheers_that_come_together_are_told_together(app: App) -> None:
    ada, _ = await guest(app, "Ada")
    race = (await ada.ask(Create(), Room)).race
    others = [(await guest(app, f"Guest {n}")) for n in range(5)]
    for one, _ in others:
        await one.ask(Join(race), Room)
    ada.say(Cheer(race, "luck", 1))
    await ada.until(Cheers, lambda told: len(told.cheers) == 1)
    for one, _ in others:
        one.say(Cheer(race, "luck", 1))
    told = await ada.until(Cheers)
    assert {cheered.player for cheered in told.cheers} == {player for _, player in others}


async def test_a_player_has_a_limit_for_all_races_together(app: App, clock: Clock[int]) -> None:
    ada, _ = await guest(app, "Ada")
    races = [(await ada.ask(Create(), Room)).race for _ in range(6)]
    for _ in range(3):
        for race in races:
            await ada.ask(Cheer(race, "luck", 1), Cheers)
        clock.now += PAUSE_MS
    for race in races:
        ada.say(Cheer(race, "luck", 1))
    refused = await ada.until(Refused)
    assert (refused.code, refused.text) == ("limit", "You cheer too often; wait a minute.")


async def test_a_cheer_comes_to_those_who_follow_the_race_at_another_process(
    client: Client,
) -> None:
    async with two(client) as both:
        ada, me = await guest(both.here, "Ada")
        bob, his = await guest(both.there, "Bob")
        old, _ = await guest(both.there, "Old", cheers=False)
        race = (await ada.ask(Create(), Room)).race
        await bob.ask(Join(race), Room)
        await old.ask(Watch(race), Room)
        await ada.ask(Cheer(race, "well", 1), Cheers)
        assert (await bob.until(Cheers)).cheers == (Cheered("well", me),)
        both.clock_there.now += PAUSE_MS
        await bob.ask(Cheer(race, "thanks", 1), Cheers)
        await ada.until(Cheers, lambda told: Cheered("thanks", his) in told.cheers)
        await hears_no_cheers(old)

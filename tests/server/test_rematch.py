"""A rematch: all who call for it come to one room, on any process, before the close too."""

from collections.abc import AsyncIterator

import pytest
from tests.server.guests import Guest, running
from tests.server.stage import ADA, BOB, DORA, NONCE, SECOND, live, racing
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Diff,
    Hello,
    Join,
    Move,
    Ready,
    Refused,
    Rematch,
    Room,
    Snapshot,
    Standings,
    Watch,
    Welcome,
)
from bigben_server.race import lobby
from bigben_server.race.events import Refusal
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client


@pytest.fixture
def clock() -> Clock[int]:
    return Clock(NOON)


@pytest.fixture
async def apps(client: Client, clock: Clock[int]) -> AsyncIterator[tuple[App, App]]:
    async with (
        running(client, clock, process="one") as one,
        running(client, clock, process="two") as two,
    ):
        yield one, two


async def racers(clock: Clock[int], *apps: App) -> tuple[str, list[Guest]]:
    """A running race of one player on each of these processes."""
    guests = [Guest(app) for app in apps]
    for name, guest in zip(("Ada", "Bob", "Cyd"), guests, strict=False):
        await guest.ask(Hello(name), Welcome)
    host, *others = guests
    race = (await host.ask(Create(), Room)).race
    for guest in others:
        await guest.ask(Join(race), Room)
    for guest in guests:
        guest.say(Ready(race, NONCE))
    await host.until(Room, lambda room: room.phase == "countdown")
    clock.now += 3 * SECOND
    for guest in guests:
        await guest.until(Snapshot)
    return race, guests


def test_only_who_has_finished_may_call_for_a_rematch_of_a_race_that_runs() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, "resign")
    lobby.check_rematch(stage.race, ADA, stage.now)
    for player, told in ((BOB, "your own game is over"), (DORA, "Only players")):
        with pytest.raises(Refusal, match=told):
            lobby.check_rematch(stage.race, player, stage.now)
    for early in (live(ADA, BOB), racing(ADA).wait(0)):
        if early.race.phase(early.now) == "open":
            with pytest.raises(Refusal, match="when a live race is over"):
                lobby.check_rematch(early.race, ADA, early.now)
    stage.move(BOB, "resign")
    stage.wait(0)
    for player in (ADA, BOB):
        lobby.check_rematch(stage.race, player, stage.now)


def test_the_code_of_a_rematch_does_not_contain_the_seed() -> None:
    stage = racing(ADA, BOB)
    seed = stage.race.opened.server_seed
    code = next(lobby.rematch_codes(seed))
    assert len(code) == 6, "30 bits of a hash"
    assert code not in seed.upper()


async def test_a_finisher_opens_the_rematch_while_the_race_runs_and_all_hear_of_it(
    apps: tuple[App, App], clock: Clock[int]
) -> None:
    race, (ada, bob) = await racers(clock, *apps)
    eve = Guest(apps[1])
    await eve.ask(Hello("Eve"), Welcome)
    await eve.ask(Watch(race), Room)
    refused = await ada.ask(Rematch(race, ref=4), Refused)
    assert (refused.code, refused.ref) == ("phase", 4)
    await ada.ask(Move(race, 1, "resign"), Diff)
    ada.say(Rematch(race, ref=5))
    rematch = await ada.until(Room, lambda room: room.ref == 5)
    assert (rematch.phase, rematch.race != race) == ("open", True)
    for one in (ada, bob, eve):
        told = await one.until(Room, lambda room: room.race == race and room.rematch != "")
        assert (told.rematch, told.phase) == (rematch.race, "running")
    # Bob plays on, and the race ends as any other.
    assert (await bob.ask(Rematch(race, ref=6), Refused)).code == "phase"
    await bob.ask(Move(race, 1, "turn"), Diff)
    await bob.ask(Move(race, 2, "resign"), Diff)
    await bob.until(Standings, lambda standings: standings.final)
    bob.say(Rematch(race, ref=7))
    assert (await bob.until(Room, lambda room: room.ref == 7)).race == rematch.race


async def test_who_calls_together_on_two_processes_while_a_third_plays_gets_one_room(
    apps: tuple[App, App], clock: Clock[int]
) -> None:
    one, two = apps
    race, (ada, bob, cyd) = await racers(clock, one, two, one)
    for guest in (ada, bob):
        await guest.ask(Move(race, 1, "resign"), Diff)
    ada.say(Rematch(race, ref=5))
    cyd.say(Move(race, 1, "turn"), Move(race, 2, "turn"))
    bob.say(Rematch(race, ref=5))
    told = await cyd.until(Room, lambda room: room.race == race and room.rematch != "")
    for guest in (ada, bob):  # the answer and the news may come in any order
        heard: list[Room] = []
        while not (any(r.ref == 5 for r in heard) and any(r.rematch for r in heard)):
            heard.append(await guest.until(Room))
        assert {room.race for room in heard if room.ref == 5} == {told.rematch}
        assert {room.rematch for room in heard if room.race == race} <= {"", told.rematch}
    cyd.say(Move(race, 3, "resign"))
    assert (await cyd.until(Diff, lambda diff: diff.n == 3)).state == "resigned"

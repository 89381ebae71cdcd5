"""Nobody practises the deal of a race that is not closed: of a live room, on any process, or of
today's dailies."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.server.guests import SECRET, Guest, running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Create,
    Hello,
    Leave,
    Left,
    Move,
    RaceId,
    Ready,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Start,
    Welcome,
)
from bigben_rules import GAMES, commitment
from bigben_server.race.daily import all_of, daily_named, opened, today
from bigben_server.race.state import Race
from bigben_server.rooms.deals.seeds import OpenSeeds
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store

OPEN = "A race with this seed is still open; practise it later, or use another seed."


@pytest.fixture
def clock() -> Clock[int]:
    return Clock(NOON)


@pytest.fixture
async def guests(
    client: Client, store: Store, clock: Clock[int]
) -> AsyncIterator[tuple[Guest, Guest]]:
    """Ada at one process, and Bob at another one."""
    async with (
        running(client, clock, process="one") as one,
        running(client, clock, process="two") as two,
    ):
        ada, bob = Guest(one), Guest(two)
        await ada.ask(Hello("Ada"), Welcome)
        await bob.ask(Hello("Bob"), Welcome)
        yield ada, bob


async def practised(guest: Guest, seed: str) -> str:
    """Why this seed can't be practised; empty where it can."""
    guest.say(Create(practice=True, seed=seed, ref=9))
    async with asyncio.timeout(PATIENCE_S):
        while True:
            answer = await guest.hears()
            if isinstance(answer, Room | Refused) and answer.ref == 9:
                return answer.text if isinstance(answer, Refused) else ""


async def noted(store: Store, race: RaceId) -> Race:
    """The race as Redis has it, once its seeds are noted there, which follows its own writing."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            read = Race(race, await store.events(race))
            seeds = [bytes.fromhex(read.opened.server_seed), *([read.seed] * bool(read.starts_at))]
            if all(await store.ask(*(("GET", Keys().open_seed(commitment(s))) for s in seeds))):
                return read


async def test_a_live_rooms_seeds_are_refused_on_every_process_until_it_is_closed(
    guests: tuple[Guest, Guest], store: Store, clock: Clock[int]
) -> None:
    ada, _ = guests
    room = await ada.ask(Create(), Room)
    server_seed = (await noted(store, room.race)).opened.server_seed
    for guest in guests:
        assert await practised(guest, server_seed) == OPEN
    ada.say(Ready(room.race, "5e" * 32), Start(room.race))
    await ada.until(Room, lambda one: one.phase == "countdown")
    dealt = (await noted(store, room.race)).seed.hex()
    for guest in guests:
        assert await practised(guest, dealt) == OPEN
        assert await practised(guest, server_seed) == OPEN
    clock.now += 3_000
    await ada.until(Snapshot)
    for guest in guests:
        assert await practised(guest, dealt.upper()) == OPEN
    ada.say(Move(room.race, 1, "resign"))
    assert (await ada.until(Reveal)).seed == dealt
    for guest in guests:
        assert await practised(guest, dealt) == ""
        assert await practised(guest, server_seed) == ""


async def test_the_seed_of_a_room_that_was_cancelled_is_free(
    guests: tuple[Guest, Guest], store: Store
) -> None:
    ada, bob = guests
    room = await ada.ask(Create(), Room)
    seed = (await noted(store, room.race)).opened.server_seed
    assert await practised(bob, seed) == OPEN
    await ada.ask(Leave(room.race), Left)
    assert await practised(bob, seed) == ""


async def test_the_seeds_of_all_of_todays_dailies_are_refused(
    guests: tuple[Guest, Guest], clock: Clock[int]
) -> None:
    ada, _ = guests
    named = [daily_named(race, NOON) for race in ("daily", "daily.book", "daily.open")]
    mixture = daily_named(f"daily.{today(NOON)}.bigben.laps-stuck-foundations", NOON)
    seeds = [opened(one, SECRET).server_seed for one in (*named, mixture)]
    for seed in seeds:
        assert await practised(ada, seed) == OPEN
    clock.now += DAY
    for seed in seeds:
        assert await practised(ada, seed) == ""


def test_every_possible_daily_is_among_those_of_the_day() -> None:
    day = today(NOON)
    every = list(all_of(day))
    assert len(every) == len(set(every)) == sum(len(game.variants) for game in GAMES.values())
    for one in every:
        assert daily_named(one.id, NOON) == one
    for game in GAMES.values():
        assert {game.rules(variant) for variant in game.variants} == set(game.variants)


async def test_any_other_seed_can_be_practised_and_by_two_at_once(
    guests: tuple[Guest, Guest],
) -> None:
    for guest in guests:
        assert await practised(guest, "5e" * 32) == ""


class Away(Store):
    """A cluster in which the node of these keys is away."""

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if any(str(command[1]).startswith("bb:seed:") for command in commands):
            raise StoreLost("its node is away")
        return await super().ask(*commands, raise_on_error=raise_on_error)


async def test_where_seeds_can_not_be_looked_up_rooms_open_all_the_same(
    client: Client, store: Store, clock: Clock[int]
) -> None:
    async with running(client, clock, Away(client)) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        room = await ada.ask(Create(), Room)
        ada.say(Ready(room.race), Start(room.race))
        await ada.until(Room, lambda one: one.phase == "countdown")
        assert (await practised(ada, "5e" * 32)).startswith("The server can’t check this seed")
        assert (await ada.ask(Create(practice=True), Room)).kind == "practice"


async def test_a_race_with_an_entry_of_a_newer_version_is_not_closed(store: Store) -> None:
    room = RaceId("ZZZZZZ")
    await store.ask(
        ("SET", Keys().open_seed(commitment(b"\x5e" * 32)), room),
        ("XADD", Keys().room_log(room), "1-0", "1", '{"type":"from-the-future"}'),
    )
    seeds = OpenSeeds(store, SECRET, Clock(NOON))
    with pytest.raises(Exception, match="still open"):
        await seeds.check("5e" * 32)

"""Several server processes look for the deal of a room, and any of them may die meanwhile."""

import asyncio
from typing import Any, Final

import pytest
from tests.server.guests import Guest, SlowStore, running
from tests.server.stage import NONCE
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import DAY, HOUR, NOON

from bigben_protocol import (
    FIRST_DEAL,
    Chosen,
    Create,
    Hello,
    Join,
    Move,
    RaceId,
    Ready,
    Refused,
    Rematch,
    Resume,
    Reveal,
    Room,
    Snapshot,
    Start,
    Watch,
    Welcome,
)
from bigben_protocol.sentence import sentence
from bigben_rules import commitment
from bigben_server.race.choosing import CHOOSING_MS, COUNTDOWN_MS
from bigben_server.race.events import Dealt, Refusal, Searched
from bigben_server.race.state import Race
from bigben_server.rooms.app import App
from bigben_server.rooms.deals import search
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store
from bigben_server.thinking.pool import Pool
from bigben_solver.games import DEALS

HARD: Final = Chosen(3, "hard", ("turn",))
EASY: Final = Chosen(1, "easy", ("turn",))


Found = asyncio.Future[Chosen | int]
"""A deal, or how many are ruled out."""


class Searches:
    """What the pools of all processes are asked, which the test answers."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[tuple[Pool, Found, int]] = asyncio.Queue()
        self.ruled_out = 0
        """So many deals were known not to pass when the last search began."""

    async def ask(self, pool: Pool, *args: object) -> Chosen | int:
        pool.check()
        found: Found = asyncio.get_running_loop().create_future()
        ruled_out = args[-1]
        assert isinstance(ruled_out, int)
        self.asked.put_nowait((pool, found, ruled_out))
        return await found

    async def of(self, app: App) -> Found:
        """The next search of this process."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                pool, found, ruled_out = await self.asked.get()
                if pool is app.pool:
                    self.ruled_out = ruled_out
                    return found
                self.asked.put_nowait((pool, found, ruled_out))
                await asyncio.sleep(0)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Searches:
    searches = Searches()

    async def ask(pool: Pool, *args: Any, **_: object) -> Chosen | int:  # Any: passed on
        return await searches.ask(pool, *args)

    monkeypatch.setattr(Pool, "ask", ask)
    return searches


async def arrive(at: App, name: str = "", token: str = "") -> tuple[Guest, Welcome]:
    guest = Guest(at)
    return guest, await guest.ask(Hello(name, token), Welcome)


async def counting(ada: Guest, bob: Guest) -> RaceId:
    """Ada and Bob are ready in a room that asks for a deal, and know that it is being chosen."""
    race = RaceId((await ada.ask(Create(grade="hard"), Room)).race)
    await bob.ask(Join(race), Room)
    bob.say(Ready(race, NONCE))
    ada.say(Ready(race, NONCE))
    for guest in (ada, bob):
        await guest.until(Room, lambda room: room.choosing)
    return race


async def noted(store: Store, seed: bytes) -> None:
    """Wait until the store has the seed of a race."""
    async with asyncio.timeout(PATIENCE_S):
        while not await store.race_of_seed(commitment(seed)):
            pass


async def written(store: Store, race: RaceId, ruled_out: int) -> None:
    """Wait until the store says that so many deals are ruled out."""
    async with asyncio.timeout(PATIENCE_S):
        while Race(race, await store.events(race)).searched.deals != ruled_out:
            pass


async def dealt(store: Store, race: RaceId) -> list[Chosen]:
    return [event.chosen for event in await store.events(race) if isinstance(event, Dealt)]


def has_deal(room: Room) -> bool:
    return room.starts_at > 0


async def test_the_deal_is_in_the_store_before_anybody_hears_of_the_start(
    client: Client, searches: Searches
) -> None:
    store, clock = SlowStore(client), Clock(NOON)
    async with running(client, clock, store, thinkers=1) as app:
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await counting(ada, bob)
        store.writes.clear()
        (await searches.of(app)).set_result(HARD)
        await store.asked_to_write.wait()
        assert await dealt(store, race) == []
        store.writes.set()
        assert (await ada.until(Room, has_deal)).certified
        assert await dealt(store, race) == [HARD]
        clock.now += COUNTDOWN_MS
        await ada.until(Snapshot)


async def test_two_processes_look_and_the_first_to_write_is_right(
    client: Client, searches: Searches
) -> None:
    """They would find the same; here they do not, so that it is seen who was first."""
    here_store, clock = SlowStore(client), Clock(NOON)
    async with (
        running(client, clock, here_store, process="here", thinkers=1) as here,
        running(client, clock, process="there", thinkers=1) as there,
    ):
        (ada, _), (bob, _) = await arrive(here, "Ada"), await arrive(there, "Bob")
        race = await counting(ada, bob)
        one, other = await searches.of(here), await searches.of(there)
        here_store.writes.clear()
        one.set_result(HARD)
        await here_store.asked_to_write.wait()
        other.set_result(EASY)
        await bob.until(Room, has_deal)
        here_store.writes.set()
        assert not (await ada.until(Room, has_deal)).grade
        assert await dealt(here_store, race) == [EASY]
        clock.now += COUNTDOWN_MS
        assert (await ada.until(Snapshot)).piles == (await bob.until(Snapshot)).piles


async def test_a_process_that_dies_while_it_looks_leaves_it_to_another(
    client: Client, searches: Searches
) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock, process="there", thinkers=1) as there:
        async with running(client, clock, process="here", thinkers=1) as here:
            (ada, me), (bob, _) = await arrive(here, "Ada"), await arrive(here, "Bob")
            race = await counting(ada, bob)
            _ = await searches.of(here)
        ada, _ = await arrive(there, token=me.token)
        assert (await ada.ask(Resume(race), Room)).choosing
        (await searches.of(there)).set_result(HARD)
        assert (await ada.until(Room, has_deal)).grade == "hard"
        assert await dealt(store, race) == [HARD]


async def test_nobody_comes_back_and_still_the_race_is_dealt(
    client: Client, searches: Searches
) -> None:
    """The process that died was the only one; the next one finds the race on the agenda."""
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock, process="here", thinkers=1) as here:
        (ada, _), (bob, _) = await arrive(here, "Ada"), await arrive(here, "Bob")
        race = await counting(ada, bob)
    async with running(client, clock, process="there", thinkers=1) as there:
        (await searches.of(there)).set_result(HARD)
        carl, _ = await arrive(there, "Carl")
        while (room := await carl.ask(Watch(race), Room)).choosing:
            pass
        assert room.starts_at == NOON + COUNTDOWN_MS
    assert await dealt(store, race) == [HARD]


async def test_a_pool_that_is_away_costs_fifteen_seconds_and_the_grade(
    client: Client, searches: Searches
) -> None:
    clock = Clock(NOON)
    async with running(client, clock, thinkers=1) as app:
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await counting(ada, bob)
        (await searches.of(app)).set_exception(Refusal("busy", sentence("server.full")))
        clock.now += CHOOSING_MS
        room = await ada.until(Room, has_deal)
        assert (room.grade, room.certified) == ("", False)
        assert await dealt(Store(client), race) == [FIRST_DEAL]


async def test_a_search_that_is_killed_goes_on_where_it_was(
    client: Client, searches: Searches
) -> None:
    """Also if the server is away for longer than a countdown waits."""
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock, process="here", thinkers=1) as here:
        (ada, me), (bob, _) = await arrive(here, "Ada"), await arrive(here, "Bob")
        race = await counting(ada, bob)
        for ruled_out in (6, 11):
            (await searches.of(here)).set_result(ruled_out)
        _ = await searches.of(here)
        assert searches.ruled_out == 11
        await written(store, race, 11)
    clock.now += HOUR
    async with running(client, clock, process="there", thinkers=1) as there:
        ada, _ = await arrive(there, token=me.token)
        found = await searches.of(there)
        assert searches.ruled_out == 11
        assert (await ada.ask(Resume(race), Room)).choosing
        clock.now += CHOOSING_MS - 1
        found.set_result(HARD)
        assert (await ada.until(Room, has_deal)).grade == "hard"
    assert await dealt(store, race) == [HARD]


async def test_a_busy_server_takes_longer_than_fifteen_seconds(
    client: Client, searches: Searches
) -> None:
    clock = Clock(NOON)
    async with running(client, clock, thinkers=1) as app:
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await counting(ada, bob)
        # A search gets the time that is left when it begins, so the clock moves after that.
        search = await searches.of(app)
        for ruled_out in range(1, 5):
            clock.now += CHOOSING_MS - 1
            search.set_result(ruled_out)
            search = await searches.of(app)
            assert searches.ruled_out == ruled_out
        search.set_result(HARD)
        assert (await ada.until(Room, has_deal)).grade == "hard"
        assert await dealt(Store(client), race) == [HARD]


async def test_when_all_deals_are_ruled_out_nobody_waits_any_longer(
    client: Client, searches: Searches
) -> None:
    clock = Clock(NOON)
    async with running(client, clock, thinkers=1) as app:
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        await counting(ada, bob)
        (await searches.of(app)).set_result(DEALS)
        room = await ada.until(Room, has_deal)
        assert (room.certified, room.starts_at) == (False, NOON + COUNTDOWN_MS)


async def test_servers_of_an_older_version_read_nothing_of_a_search(
    client: Client, searches: Searches
) -> None:
    """The search goes on all the same, in this process."""
    async with running(client, Clock(NOON), thinkers=1) as app:
        app.hub.rooms.store.version = 3
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await counting(ada, bob)
        (await searches.of(app)).set_result(5)
        found = await searches.of(app)
        assert searches.ruled_out == 5
        found.set_result(HARD)
        assert (await ada.until(Room, has_deal)).certified
        events = await Store(client).events(race)
        assert not any(isinstance(event, Searched) for event in events)


async def test_a_pool_that_has_refused_is_asked_again(
    client: Client, searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "AGAIN_S", 0.0)
    async with running(client, Clock(NOON), thinkers=1) as app:
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        await counting(ada, bob)
        (await searches.of(app)).set_exception(Refusal("busy", sentence("server.not_computed")))
        (await searches.of(app)).set_result(HARD)
        assert (await ada.until(Room, has_deal)).grade == "hard"


async def test_a_server_without_thinkers_refuses_such_rooms(client: Client) -> None:
    async with running(client, Clock(NOON), thinkers=0) as app:
        ada, _ = await arrive(app, "Ada")
        for create in (
            Create(winnable=True),
            Create(grade="easy", practice=True),
            Create(grade="easy", deadline_at=NOON + DAY),
        ):
            refused = await ada.ask(create, Refused)
            assert (refused.code, "grades" in refused.text) == ("busy", True)
        await ada.ask(Create(), Room)


async def test_rooms_without_nonces_are_opened_with_their_deal(
    client: Client, searches: Searches
) -> None:
    async with running(client, Clock(NOON), thinkers=1) as app:
        ada, _ = await arrive(app, "Ada")
        for create in (
            Create(grade="hard", practice=True),
            Create(grade="hard", deadline_at=NOON + DAY),
        ):
            ada.say(create)
            found = await searches.of(app)
            ada.say(create)
            assert (await ada.until(Refused)).code == "limit", "one at a time"
            found.set_result(HARD)
            room = await ada.until(Room)
            assert (room.phase, room.grade, room.certified) == ("running", "hard", True)
            await ada.ask(Ready(room.race), Snapshot)
            race = Race(RaceId(room.race), await Store(client).events(RaceId(room.race)))
            assert race.chosen == HARD


async def test_the_chosen_deal_is_not_for_practice_before_the_close(
    client: Client, searches: Searches
) -> None:
    async with running(client, Clock(NOON), thinkers=1) as app:
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await counting(ada, bob)
        (await searches.of(app)).set_result(HARD)
        await ada.until(Room, has_deal)
        store = Store(client)
        read = Race(race, await store.events(race))
        for seed in (read.seed, bytes.fromhex(read.opened.server_seed)):
            await noted(store, seed)
            bob.say(Create(practice=True, seed=seed.hex()))
            assert "still open" in (await bob.until(Refused)).text


async def test_a_rematch_looks_for_a_deal_of_the_same_grade(
    client: Client, searches: Searches
) -> None:
    clock = Clock(NOON)
    async with running(client, clock, thinkers=1) as app:
        (ada, _), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await counting(ada, bob)
        (await searches.of(app)).set_result(HARD)
        await ada.until(Room, has_deal)
        clock.now += COUNTDOWN_MS
        for guest in (ada, bob):
            await guest.until(Snapshot)
            guest.say(Move(race, 1, "resign"))
        assert (await ada.until(Reveal)).chosen == HARD
        again = await ada.ask(Rematch(race), Room)
        ada.say(Ready(again.race, NONCE), Start(again.race))
        await ada.until(Room, lambda room: room.choosing)
        (await searches.of(app)).set_result(HARD)
        assert (await ada.until(Room, has_deal)).grade == "hard"


async def test_a_search_that_fails_costs_the_grade_and_no_log_has_its_text(
    client: Client, searches: Searches, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(client, Clock(NOON), thinkers=1) as app:
        ada, _ = await arrive(app, "Ada")
        ada.say(Create(grade="hard", practice=True))
        (await searches.of(app)).set_exception(ValueError("7H is on 8S"))
        room = await ada.until(Room)
        assert (room.grade, room.certified) == ("", False)
    assert "a deal can't be chosen: ValueError" in caplog.text
    assert "7H" not in caplog.text


async def test_a_player_has_only_so_many_deals_chosen_in_a_minute(
    client: Client, searches: Searches
) -> None:
    """A search takes longer than all else of a room, and other rooms wait for it."""
    async with running(client, Clock(NOON), thinkers=1) as app:
        ada, _ = await arrive(app, "Ada")
        for practice in (True, False) * 3:
            ada.say(Create(grade="hard", practice=practice))
            if practice:
                (await searches.of(app)).set_result(HARD)
            await ada.until(Room)
        for practice in (True, False):
            refused = await ada.ask(Create(grade="hard", practice=practice), Refused)
            assert (refused.code, "chosen deals" in refused.text) == ("limit", True)
        assert searches.asked.empty()
        await ada.ask(Create(), Room)


async def test_a_deal_of_other_nonces_is_never_written(client: Client, searches: Searches) -> None:
    """A store that falls back forgets a countdown, and the next one mixes another seed."""
    clock = Clock(NOON)
    async with running(client, clock, thinkers=1) as app:
        (ada, me), (bob, _) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await counting(ada, bob)
        found = await searches.of(app)
        app.hub.rooms[race].race.seats[me.player].nonce = "ee" * 32  # as it is read again
        await app.hub.rooms.batches.settled()
        found.set_result(HARD)
        await asyncio.sleep(0)  # it looks no longer, so it is not too late for another deal
        clock.now += CHOOSING_MS
        (await searches.of(app)).set_result(EASY)
        assert (await ada.until(Room, has_deal)).certified
        assert await dealt(Store(client), race) == [EASY]

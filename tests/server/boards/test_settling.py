"""What a closed race changes is applied once, in one order, whatever breaks off in the middle."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.server.boards.contents import everything, made
from tests.server.boards.made import Season, daily, daily_id, live, player, stuck, won
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, Group, PlayerId, RaceId
from bigben_server.leaderboards.queries import Queries
from bigben_server.leaderboards.settler import Settler
from bigben_server.race.events import Player
from bigben_server.scoring.results import RaceSummary, Result
from bigben_server.storage.client import StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.opening import client_of
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

RACES: list[tuple[RaceId, RaceSummary, dict[str, Result]]] = [
    (daily_id(), daily(), {"ada": won(61_000), "bob": won(61_000), "carl": stuck(60, 9_000)}),
    (RaceId("K7QPXM"), live(), {"ada": won(70_000), "bot:x": won(1), "bob": stuck(30, 1)}),
    (daily_id("2026-11-22"), daily("2026-11-22"), {"bob": won(5_000), "bot:x": won(4_000)}),
    (RaceId("ALONE2"), live(), {"ada": won(70_000)}),
    (RaceId("BBBBBB"), live("2026-11-22"), {"carl": won(2), "ada": won(3), "bob": won(4)}),
]


class Dies(Store):
    """Fails at its n-th round trip that writes, before or after it has reached Redis."""

    def __init__(self, client: Any, at: int, *, after: bool) -> None:
        super().__init__(client)
        self.left = at
        self.after = after

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        writes = any(words[0] not in ("GET", "HMGET", "HGETALL", "ZRANGE") for words in commands)
        self.left -= writes
        if writes and self.left == 0:
            # All but the last command of a round trip may have been carried out, too.
            await super().ask(*(commands if self.after else commands[:-1]))
            raise StoreLost("died")
        if self.left < 0:
            raise StoreLost("died")
        return await super().ask(*commands, raise_on_error=raise_on_error)


@pytest.fixture
async def season(store: Store) -> Season:
    """Races that are closed and not settled; Ada and Bob are in a group."""
    people = People(store)
    await people.create(player("ada"), Group("aces", "Aces", "CODE"), NOON)
    await people.join(player("bob"), "aces", NOON)
    season = Season(store)
    for race, summary, results in RACES:
        await season.race(race, summary, results)
    return season


@pytest.fixture
async def another(redis_url: str, store: Store) -> AsyncIterator[Store]:
    async with client_of(redis_url) as client:
        yield Store(client)


async def test_settling_may_die_anywhere_and_is_then_done_once(
    client: Any, store: Store, season: Season
) -> None:
    before = await everything(store)
    await season.settler.settle()
    expected = await everything(store)
    assert expected != before

    async def back_to_the_start() -> None:
        await store.ask(("FLUSHALL",))
        people = People(store)
        await people.create(player("ada"), Group("aces", "Aces", "CODE"), NOON)
        await people.join(player("bob"), "aces", NOON)
        for race, summary, results in RACES:
            await season.race(race, summary, results)

    died = 0
    for after in (False, True):
        at = 1
        while True:
            await back_to_the_start()
            try:
                dying = Dies(client, at, after=after)
                await Settler(Boards(dying), Ledger(dying)).settle()
            except StoreLost:
                died += 1
            else:
                break
            await store.ask(("DEL", Keys().lease))  # which would expire
            await season.settler.settle()
            assert await everything(store) == expected, f"died at {at}"
            at += 1
    assert died > 60


async def test_two_processes_that_settle_at_a_time_do_not_count_anything_twice(
    store: Store, another: Store, season: Season
) -> None:
    await season.settler.settle()
    expected = await made(store)
    for race, _, _ in RACES:
        assert await season.ledger.next() is None, race
    await store.ask(*(("DEL", key) for key in expected))
    for race, summary, results in RACES:
        await season.race(race, summary, results)
    # Without the lease, which is only there to spare work.
    await asyncio.gather(settle_all(store), settle_all(another))
    assert await made(store) == expected


async def test_a_process_that_is_late_changes_nothing(store: Store, season: Season) -> None:
    first = await season.ledger.next()
    assert first is not None
    await season.settler.settle()
    expected = await everything(store)
    found = await season.boards.results(first.race)
    assert found
    await season.settler.settle_race(first, found)  # as one that slept
    assert await everything(store) == expected


async def test_only_the_lease_holder_settles(store: Store, season: Season) -> None:
    async with season.ledger.lease() as theirs:
        assert theirs
        await season.settler.settle()
        assert await season.ledger.next() is not None
    await season.settler.settle()
    assert await season.ledger.next() is None


async def test_a_race_is_closed_once(store: Store, season: Season) -> None:
    for _ in range(3):
        await season.ledger.close(daily_id())
    assert await season.ledger.races() == [race for race, _, _ in RACES]


async def test_more_players_than_go_at_once_all_have_their_points(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-21", {f"p{i:04}": won(60_000 + i) for i in range(2_345)})
    queries = Queries(store, clock=lambda: NOON)
    page = await queries.leaderboard("guest:p2344", GetLeaderboard(period="all-time"))
    assert page.total == 2_345
    assert page.ranked[0].points == 100
    assert page.my_rank is not None
    assert page.my_rank.points == 1


async def test_points_of_days_add_up_and_live_races_have_none(store: Store, season: Season) -> None:
    await season.settler.settle()
    queries = Queries(store, clock=lambda: NOON)

    async def points(**wanted: Any) -> dict[str, int]:
        page = await queries.leaderboard("", GetLeaderboard(period="weekly", **wanted))
        return {row.player.removeprefix("guest:"): row.points for row in page.ranked}

    # Ada and Bob were level before Carl: 1 + 99 * 3/4. Bob was alone on the second day: 50.
    assert await points() == {"bob": 75 + 50, "ada": 75, "carl": 1}
    assert await points(group="aces") == {"bob": 75 + 50, "ada": 75}
    assert await points(group="bots") == {"bot:x": 50}
    assert await points(rules="book") == {}


async def test_a_name_that_changes_changes_on_every_board(store: Store, season: Season) -> None:
    await season.settler.settle()
    ada = Player(PlayerId("guest:ada"), "Countess Lovelace")
    await People(store).introduce(ada, NOON)
    queries = Queries(store, clock=lambda: NOON)
    day = await queries.leaderboard(ada.id, GetLeaderboard(date="2026-11-21"))
    week = await queries.leaderboard(ada.id, GetLeaderboard(period="weekly"))
    assert day.mine is not None
    assert week.my_rank is not None
    assert (day.mine.name, week.my_rank.name) == (ada.name, ada.name)


async def settle_all(store: Store) -> None:
    settler = Settler(Boards(store), Ledger(store))
    while await settler.settle_next():
        pass

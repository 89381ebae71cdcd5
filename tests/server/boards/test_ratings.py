"""Ratings: equals are draws, in the order of the closed races, bots apart."""

import random
from typing import Any

import pytest
from tests.server.boards.contents import made
from tests.server.boards.made import Season, stuck, won
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, GetProfile, PlayerId, Ranked, Tally
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.ranking import Key
from bigben_server.scoring.ratings import Rating, rated, read_rating, write_rating
from bigben_server.scoring.results import Result
from bigben_server.storage.race_log import Store

NEW = Rating()


def field(*keys: Key) -> list[tuple[Key, Rating]]:
    return [(key, NEW) for key in keys]


@pytest.fixture
def queries(store: Store) -> Queries:
    return Queries(store, clock=lambda: NOON)


async def ratings(queries: Queries, **wanted: Any) -> list[Ranked]:
    question = GetLeaderboard(period="all-time", by="rating", **wanted)
    return [*(await queries.leaderboard("", question)).ranked]


async def tally(queries: Queries, who: str) -> Tally:
    (one,) = (await queries.profile(PlayerId(f"guest:{who}"), GetProfile())).tallies
    return one


def test_everybody_begins_at_1500() -> None:
    assert NEW.shown == 1500
    assert NEW.provisional


def test_winning_raises_and_losing_lowers() -> None:
    first, second = rated(field(Key(0, 1), Key(0, 2)))
    assert first.mu > NEW.mu > second.mu
    assert first.sigma == second.sigma < NEW.sigma
    assert first.races == second.races == 1


def test_equal_keys_are_a_draw() -> None:
    one, other = rated(field(Key(0, 1), Key(0, 1)))
    assert one == other
    assert one.mu == NEW.mu
    first, *level, last = rated(field(Key(0, 1), Key(0, 2), Key(0, 2), Key(9, 0)))
    assert level[0] == level[1]
    assert first.mu > level[0].mu > last.mu


def test_one_alone_is_not_rated() -> None:
    assert rated(field(Key(0, 1))) == [NEW]
    assert rated([]) == []


def test_a_rating_is_provisional_until_ten_races() -> None:
    one = other = NEW
    for race in range(10):
        assert one.provisional, race
        one, other = rated([(Key(0, 1), one), (Key(0, 2), other)])
    assert not one.provisional
    assert not other.provisional


@pytest.mark.parametrize("players", [2, 16, 17, 1_000])
def test_the_same_field_gives_the_same_ratings_and_everybody_one_race(players: int) -> None:
    chance = random.Random(players)
    strangers = [
        (Key(0, i), Rating(round(chance.gauss(25, 8), 6), round(chance.uniform(2, 8), 6), i))
        for i in range(players)
    ]
    after = rated(strangers)
    assert after == rated(strangers)
    assert [new.races - old.races for new, (_, old) in zip(after, strangers, strict=True)] == [
        1
    ] * players


def test_a_rating_comes_back_as_it_was_written() -> None:
    (after, _) = rated(field(Key(0, 1), Key(0, 2)))
    assert read_rating(write_rating(after)) == after


async def test_better_players_end_with_better_ratings(store: Store, queries: Queries) -> None:
    chance = random.Random(1)
    season = Season(store)
    speed = {f"p{i}": 60_000 + 4_000 * i for i in range(8)}
    for race in range(25):
        times = {who: won(int(chance.gauss(ms, 5_000))) for who, ms in speed.items()}
        await season.room(f"RACE{race:02}", times)
    rows = await ratings(queries)
    assert [row.name for row in rows[:2]] == ["P0", "P1"]
    assert rows[-1].name == "P7"
    assert not any(row.provisional for row in rows)
    assert rows[0].rating > 1500 + 200
    first = await tally(queries, "p0")
    assert (first.rating, first.rated, first.provisional) == (rows[0].rating, 25, False)


async def test_bots_are_rated_among_bots(store: Store, queries: Queries) -> None:
    season = Season(store)
    await season.room("AAAAAA", {"ada": won(9), "bot:x": won(1), "bot:y": won(2)})
    assert await ratings(queries) == [], "one person alone is not rated"
    assert [row.player for row in await ratings(queries, group="bots")] == ["bot:x", "bot:y"]
    await season.room("BBBBBB", {"ada": won(9), "bot:x": won(1), "bob": stuck(60, 1)})
    people = await ratings(queries)
    first, second = rated(field(Key(0, 9), Key(44, 1)))
    assert [(row.name, row.rating) for row in people] == [
        ("Ada", first.shown),
        ("Bob", second.shown),
    ]


async def test_rules_have_ratings_of_their_own(store: Store, queries: Queries) -> None:
    season = Season(store)
    await season.day("2026-11-21", {"ada": won(9), "bob": won(10)})
    await season.day("2026-11-21", {"ada": won(11), "bob": won(10)}, rules="book")
    assert [row.name for row in await ratings(queries)] == ["Ada", "Bob"]
    assert [row.name for row in await ratings(queries, rules="book")] == ["Bob", "Ada"]


async def test_a_daily_is_rated_at_its_close_and_once(store: Store, queries: Queries) -> None:
    season = Season(store)
    results: dict[str, Result] = {"ada": won(9), "bob": won(10)}
    await season.day("2026-11-21", results)
    once = await made(store)
    for _ in range(3):
        await season.day("2026-11-21", results)
    assert await made(store) == once


async def test_the_order_of_the_close_is_the_order_of_the_ratings(store: Store) -> None:
    results: list[tuple[str, dict[str, Result]]] = [
        ("FIRST2", {"ada": won(1), "bob": won(2)}),
        ("SECND2", {"bob": won(1), "carl": won(2)}),
        ("THIRD2", {"carl": won(1), "ada": won(2)}),
    ]
    contents = []
    for order in (results, results, results[::-1]):
        await store.ask(("FLUSHALL",))
        season = Season(store)
        for code, each in order:
            await season.room(code, each)
        contents.append((await made(store))["bb:rating:{bigben.standard}"])
    assert contents[0] == contents[1] != contents[2]


async def test_a_past_board_keeps_the_ratings_of_its_time(store: Store, queries: Queries) -> None:
    season = Season(store)
    await season.day("2026-11-01", {"ada": won(1), "bob": won(2)})
    question = GetLeaderboard(period="weekly", by="rating", date="2026-11-01")
    then = (await queries.leaderboard("", question)).ranked
    for day in range(10, 15):
        await season.day(f"2026-11-{day}", {"bob": won(1), "ada": won(2)})
    assert (await queries.leaderboard("", question)).ranked == then
    assert [row.name for row in await ratings(queries)] == ["Bob", "Ada"]

"""Equal keys share a place, in Redis as in a plain sorted list: 1, 2, 2, 4."""

import random
from bisect import bisect_left
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.boards.made import (
    Season,
    by_hand,
    daily,
    daily_id,
    finish,
    player,
    result,
)
from tests.server.ranked import ranked
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, Standing
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.ranking import Key, pack, unpack
from bigben_server.scoring.boards import Board
from bigben_server.scoring.ratings import Rating, rated
from bigben_server.storage.client import chunks
from bigben_server.storage.keys import Keys
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.race_log import Store

BOARD = Board("daily", "2026-11-21", "bigben", "standard", "key")
BARE = BOARD._replace(order="points")
"""Of a board by points nothing is read but its scores."""
EDGES = [
    Key(missing, home_ms)
    for missing in (0, 1, 104, 2**13 - 2, 2**13 - 1)
    for home_ms in (0, 1, 2**40 - 2, 2**40 - 1)
]
few_keys = st.builds(Key, st.sampled_from([0, 1, 50]), st.integers(60_000, 60_004))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(few_keys, min_size=1, max_size=30), st.data())
async def test_a_page_has_the_places_of_a_sorted_list(
    store: Store, keys: list[Key], data: st.DataObject
) -> None:
    await store.ask(("FLUSHALL",))
    boards = Boards(store)
    names = [f"p{i:02}" for i in range(len(keys))]
    await boards.record([finish(who, result(key)) for who, key in zip(names, keys, strict=True)])
    expected = by_hand(zip(keys, map(player, names), strict=True))
    start = data.draw(st.integers(0, len(keys) + 2))
    count = data.draw(st.integers(1, len(keys) + 2))
    asker = data.draw(st.sampled_from(names))
    page = await boards.page(BOARD, start, count, player(asker))
    assert page is not None
    shown = [(row.player, Key(104 - row.home, row.home_ms), row.place) for row in page.rows]
    assert shown == expected[start : start + count]
    assert page.total == len(keys)
    assert page.mine is not None
    mine = (page.mine.player, Key(104 - page.mine.home, page.mine.home_ms), page.mine.place)
    assert mine in expected


async def test_a_board_of_a_hundred_thousand_results_is_a_plain_sorted_list(store: Store) -> None:
    chance = random.Random(20261121)
    # Few cards and short times, so that there are many thousands of real ties.
    keys = [
        Key(chance.choice((0, 0, 0, 1, 40, 92)), chance.randrange(60_000, 94_000))
        for _ in range(99_000)
    ] + [chance.choice(EDGES) for _ in range(1_000)]
    name = Keys().board(BARE.name)
    for numbered in chunks(list(enumerate(keys)), 20_000):
        await store.ask(("ZADD", name, *(word for i, key in numbered for word in (pack(key), i))))
    rows: list[Any] = []
    for start in range(0, len(keys), 20_000):
        (some,) = await store.ask(("ZRANGE", name, start, start + 19_999, "WITHSCORES"))
        rows += some
    by_key = sorted(keys)
    assert [keys[int(member)] for member, _ in rows] == by_key
    assert [unpack(int(score)) for _, score in rows] == by_key
    boards = Boards(store)
    for start in (0, 1, 49_990, 99_000, 99_999, *(chance.randrange(10**5) for _ in range(20))):
        page = await boards.page(BARE, start, 100, "")
        assert page is not None
        expected = by_key[start : start + 100]
        assert [unpack(-row.points) for row in page.ranked] == expected
        assert [row.place for row in page.ranked] == [bisect_left(by_key, k) + 1 for k in expected]


async def test_everybody_receives_the_same_places(store: Store) -> None:
    """On the board, in the race's own standings, and in the ratings, where equals are draws."""
    keys = {"ada": Key(0, 61), "bob": Key(0, 70), "carl": Key(0, 70), "dora": Key(3, 5)}
    season = Season(store)
    await season.day("2026-11-21", {who: result(key) for who, key in keys.items()})
    queries = Queries(store, clock=lambda: NOON)
    answer = await queries.leaderboard("", GetLeaderboard())
    assert [row.place for row in answer.rows] == [1, 2, 2, 4]
    seats = [result(key).standing(player(who), who) for who, key in keys.items()]
    standings = ranked(104, seats)
    assert [(row.player, row.place) for row in standings] == [
        (row.player, row.place) for row in answer.rows
    ]
    after = rated([(key, Rating()) for key in sorted(keys.values())])
    assert after[1] == after[2]
    by_rating = await queries.leaderboard("", GetLeaderboard(period="weekly", by="rating"))
    assert [row.place for row in by_rating.ranked] == [1, 2, 2, 4]
    by_points = await queries.leaderboard("", GetLeaderboard(period="weekly"))
    assert [(row.place, row.points) for row in by_points.ranked] == [
        (1, 100),
        (2, 50),
        (2, 50),
        (4, 1),
    ]


async def test_neighbours_at_the_edges_of_the_packing_keep_their_order_in_redis(
    store: Store,
) -> None:
    near = sorted({*EDGES, *(edge._replace(home_ms=edge.home_ms ^ 1) for edge in EDGES)})
    name = Keys().board(BARE.name)
    await store.ask(*(("ZADD", name, pack(key), i) for i, key in enumerate(near)))
    page = await Boards(store).page(BARE, 0, 100, "")
    assert page is not None
    assert [unpack(-row.points) for row in page.ranked] == near
    assert [row.place for row in page.ranked] == list(range(1, len(near) + 1))


async def test_a_standing_on_the_board_is_the_one_of_the_race(store: Store) -> None:
    seat = Standing(player("ada"), "Ada", "blocked", 86, 58, 1022, 1001)
    how = result(Key(46, 1001), moves=86)
    how = type(how)(**{**{f: getattr(how, f) for f in how.__struct_fields__}, "ms": 1022})
    await Boards(store).record([finish("ada", how, daily_id(), daily())])
    queries = Queries(store, clock=lambda: NOON)
    answer = await queries.leaderboard("guest:ada", GetLeaderboard())
    (row,) = answer.rows
    assert row == answer.mine
    assert (row.name, row.state, row.moves, row.home, row.ms, row.home_ms, row.place) == (
        *(seat.name, seat.state, seat.moves, seat.home, seat.ms, seat.home_ms),
        1,
    )

"""Pages of boards: paging, the asker's own row, what there is not, and how little it costs."""

from typing import Any

import pytest
from tests.server.boards.made import Season, daily, daily_id, finish, player, stuck, won
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, Group, Leaderboard
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.events import Refusal
from bigben_server.storage.exchange import Command
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

"""21 November 2026, 12:00 UTC."""


class Counted(Store):
    """Counts its round trips."""

    trips = 0

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        self.trips += bool(commands)
        return await super().ask(*commands, raise_on_error=raise_on_error)


def desk_of(store: Store, now: int = NOON) -> Queries:
    return Queries(store, clock=lambda: now)


@pytest.fixture
async def queries(store: Store) -> Queries:
    """Today's daily with p00 … p29, each a second slower than the one before."""
    await Boards(store).record([finish(f"p{i:02}", won(60_000 + 1_000 * i)) for i in range(30)])
    return desk_of(store)


def names(answer: Leaderboard) -> list[str]:
    return [row.name for row in answer.rows]


async def test_a_board_is_read_page_by_page(queries: Queries) -> None:
    pages = [
        await queries.leaderboard("", GetLeaderboard(start=start, count=12))
        for start in (0, 12, 24)
    ]
    assert [len(page.rows) for page in pages] == [12, 12, 6]
    assert [name for page in pages for name in names(page)] == [f"P{i:02}" for i in range(30)]
    assert [row.place for page in pages for row in page.rows] == list(range(1, 31))
    assert {page.total for page in pages} == {30}


async def test_a_page_beyond_the_end_is_empty_and_says_how_many_there_are(queries: Queries) -> None:
    page = await queries.leaderboard("guest:p03", GetLeaderboard(start=10_000_000))
    assert (page.rows, page.total, page.start) == ((), 30, 10_000_000)
    assert page.mine is not None
    assert page.mine.place == 4


@pytest.mark.parametrize(
    ("who", "first", "last"),
    [("p00", 0, 4), ("p01", 0, 4), ("p02", 0, 4), ("p15", 13, 17), ("p28", 25, 29)],
)
async def test_the_page_around_me_has_me_in_its_middle_or_as_near_as_can_be(
    queries: Queries, who: str, first: int, last: int
) -> None:
    page = await queries.leaderboard(player(who), GetLeaderboard(around=True, count=5))
    assert names(page) == [f"P{i:02}" for i in range(first, last + 1)]
    assert page.start == first
    assert page.mine in page.rows


async def test_the_rows_of_some_players_can_be_asked_for(queries: Queries) -> None:
    wanted = (player("p20"), "guest:stranger", player("p03"))
    page = await queries.leaderboard(player("p01"), GetLeaderboard(only=wanted, start=7, count=1))
    assert [(row.name, row.place) for row in page.rows] == [("P03", 4), ("P20", 21)]
    assert (page.start, page.total) == (0, 30)
    assert page.mine is not None
    assert page.mine.place == 2
    page = await queries.leaderboard("", GetLeaderboard(only=("guest:stranger",)))
    assert (page.rows, page.total) == ((), 30)


async def test_around_an_absent_player_is_the_first_page(queries: Queries) -> None:
    page = await queries.leaderboard("guest:stranger", GetLeaderboard(around=True, count=5))
    assert (names(page)[0], page.start, page.mine) == ("P00", 0, None)


async def test_my_own_row_comes_with_every_page(queries: Queries) -> None:
    page = await queries.leaderboard("guest:p20", GetLeaderboard(count=3))
    assert page.mine is not None
    assert (page.mine.name, page.mine.place, page.mine.home_ms) == ("P20", 21, 80_000)


async def test_any_past_date_can_be_looked_up(store: Store) -> None:
    season = Season(store)
    await season.day("2026-10-31", {"ada": won(61_000), "bob": stuck(60, 5_000)})
    await season.day("2026-11-01", {"bob": won(61_000)})
    queries = desk_of(store)

    async def board(**wanted: Any) -> list[tuple[str, int, int]]:
        answer = await queries.leaderboard("", GetLeaderboard(**wanted))
        return [
            *((row.name, row.place, row.home_ms) for row in answer.rows),
            *((row.name, row.place, row.points) for row in answer.ranked),
        ]

    assert await board(date="2026-10-31") == [("Ada", 1, 61_000), ("Bob", 2, 5_000)]
    assert await board(date="2026-11-01") == [("Bob", 1, 61_000)]
    assert await board(date="2026-11-02") == []
    october = [("Ada", 1, 100), ("Bob", 2, 1)]
    assert await board(period="monthly", date="2026-10") == october
    assert await board(period="monthly", date="2026-10-05") == october
    assert await board(period="monthly") == [("Bob", 1, 50)]
    # Saturday and Sunday of one ISO week, in two months.
    both = [("Ada", 1, 100), ("Bob", 2, 51)]
    assert await board(period="weekly", date="2026-W44") == both
    assert await board(period="weekly", date="2026-10-26") == both
    assert await board(period="weekly", date="2026-11-02") == []
    assert await board(period="all-time") == both


async def test_the_first_days_of_a_year_may_belong_to_the_last_week_of_the_one_before(
    store: Store,
) -> None:
    await Season(store).day("2027-01-01", {"ada": won(61_000)})
    queries = desk_of(store, NOON + 60 * 86_400_000)
    for date in ("2026-12-28", "2027-01-03", "2026-W53"):
        answer = await queries.leaderboard("", GetLeaderboard(period="weekly", date=date))
        assert answer.board == "weekly.2026-W53.bigben.standard.points"
        assert [row.name for row in answer.ranked] == ["Ada"]


@pytest.mark.parametrize(
    ("day", "week"),
    [
        ("2024-12-30", "2025-W01"),
        ("2026-01-01", "2026-W01"),
        ("2025-12-28", "2025-W52"),
        ("2027-01-04", "2027-W01"),
        ("0001-01-01", "0001-W01"),
    ],
)
async def test_weeks_are_those_of_iso_8601(store: Store, day: str, week: str) -> None:
    queries = desk_of(store, NOON + 60 * 86_400_000)
    answer = await queries.leaderboard("", GetLeaderboard(period="weekly", date=day))
    assert answer.board == f"weekly.{week}.bigben.standard.points"


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (GetLeaderboard(date="2026-02-30"), "There is no day '2026-02-30'"),
        (GetLeaderboard(date="tomorrow"), "There is no day 'tomorrow'"),
        (GetLeaderboard(date="2026-W47"), "There is no day '2026-W47'"),
        (GetLeaderboard(date="2026W47"), "There is no day '2026W47'"),
        (GetLeaderboard(period="weekly", date="2025-W53"), "no such date: '2025-W53'"),
        (GetLeaderboard(date="2026-11-22"), "opens at 00:00 UTC of that day"),
        (GetLeaderboard(period="weekly", date="2026-W54"), "no such date: '2026-W54'. .*2026-W47"),
        (GetLeaderboard(period="weekly", date="2026-11"), "no such date"),
        (GetLeaderboard(period="monthly", date="2026-13"), "no such date: '2026-13'. .*2026-11"),
        (GetLeaderboard(period="monthly", date="2026-12"), "2026-12 has not begun"),
        (GetLeaderboard(period="weekly", date="2026-W48"), "2026-W48 has not begun"),
        (GetLeaderboard(period="all-time", date="2026-11"), "has no date"),
        (GetLeaderboard(rules="mine"), "No rules are called 'mine'; there are standard"),
        (GetLeaderboard(game="chess"), "chess"),
        (GetLeaderboard(group="the-aces"), "There is no group 'the-aces'"),
        (GetLeaderboard(group="discord:}{"), "There is no group"),
    ],
)
async def test_a_request_for_something_unknown_gets_a_sentence(
    store: Store, wanted: GetLeaderboard, text: str
) -> None:
    with pytest.raises(Refusal, match=text) as refused:
        await desk_of(store).leaderboard("", wanted)
    assert str(refused.value).endswith(".")


async def test_the_rest_of_this_week_is_this_week(store: Store) -> None:
    answer = await desk_of(store).leaderboard(
        "", GetLeaderboard(period="weekly", date="2026-11-22")
    )
    assert answer.board == "weekly.2026-W47.bigben.standard.points"


async def test_players_with_the_same_name_can_be_distinguished(store: Store) -> None:
    await Boards(store).record(
        [
            finish("0a1b", won(60_000))._replace(name="Ada"),
            finish("9f3a", won(61_000))._replace(name="ada"),
            finish("04bb", won(62_000))._replace(name="Bob"),
        ]
    )
    page = await desk_of(store).leaderboard("guest:9f3a", GetLeaderboard(count=1))
    assert names(page) == ["Ada (0a1b)"]
    assert page.mine is not None
    assert page.mine.name == "ada (9f3a)"
    page = await desk_of(store).leaderboard("", GetLeaderboard())
    assert names(page) == ["Ada (0a1b)", "ada (9f3a)", "Bob"]


@pytest.mark.parametrize("players", [1, 300])
async def test_a_page_takes_two_round_trips_however_many_players_there_are(
    client: Any, players: int
) -> None:
    store = Counted(client)
    season = Season(store)
    await season.day("2026-11-20", {f"p{i:03}": won(60_000 + i) for i in range(players)})
    await Boards(store).record([finish("p000", won(60_000), daily_id(), daily())])
    await People(store).create(player("p000"), Group("aces", "Aces", "CODE"), NOON)
    queries = desk_of(store)
    for wanted in (
        GetLeaderboard(),
        GetLeaderboard(count=100, start=players // 2),
        GetLeaderboard(around=True, date="2026-11-20"),
        GetLeaderboard(period="weekly", around=True),
        GetLeaderboard(period="monthly", by="rating", count=100),
        GetLeaderboard(period="all-time", start=10 * players),
        GetLeaderboard(group="aces"),
        GetLeaderboard(count=100, date="2026-11-20", form=True),
        GetLeaderboard(period="weekly", form=True),
        GetLeaderboard(only=tuple(f"guest:p{i:03}" for i in range(100))),
    ):
        store.trips = 0
        await queries.leaderboard("guest:p000", wanted)
        assert store.trips <= 2, wanted

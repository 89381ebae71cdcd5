"""Every period of the one table has boards; one more row there is all that the server needs."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, cast, get_args

import pytest
from tests.server.boards.contents import made
from tests.server.boards.made import Season, won
from tests.support.times import NOON

from bigben_protocol import PERIODS, GetLeaderboard, Period
from bigben_protocol.periods import Spans
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import Refusal
from bigben_server.scoring.boards import asked_for, is_over
from bigben_server.storage.race_log import Store

DAY_MS = 86_400_000
NEW = "new"
"""A period that there is not."""
NAMES = (*get_args(Period), NEW)


@pytest.fixture(autouse=True)
def _new(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more row: years."""
    years = Spans(lambda day: day.isoformat()[:4], "2026", "-01-01")
    monkeypatch.setitem(cast(dict[str, Spans], PERIODS), NEW, years)


def wanted(period: str, **more: Any) -> GetLeaderboard:
    return GetLeaderboard(period=cast(Period, period), **more)


def spans() -> Mapping[str, Spans]:
    return cast(Mapping[str, Spans], PERIODS)


@pytest.mark.parametrize("period", NAMES)
async def test_a_closed_day_is_on_the_boards_of_each_period(store: Store, period: str) -> None:
    await Season(store).day("2026-11-21", {"ada": won(61_000), "bob": won(62_000)})
    queries = Queries(store, clock=lambda: NOON)
    page = await queries.leaderboard("", wanted(period))
    names = [row.name for row in page.rows] + [row.name for row in page.ranked]
    assert names == ["Ada", "Bob"]
    assert page.board.startswith(f"{period}.")
    before = await made(store)
    await rebuild(store)
    assert await made(store) == before


@pytest.mark.parametrize("period", NAMES)
def test_a_span_is_requested_by_its_name_or_by_any_day_in_it(period: str) -> None:
    row = spans()[period]
    if not row.example:
        with pytest.raises(Refusal, match=f"The {period} leaderboard has no date; leave it out"):
            asked_for(wanted(period, date="2026-11-21"), NOON)
        return
    assert asked_for(wanted(period), NOON) == asked_for(wanted(period, date=row.example), NOON)
    first = row.day_in(row.example)
    assert row.of(first) == row.example == row.of(date(2026, 11, 21))
    assert row.of(first - timedelta(days=1)) != row.example
    with pytest.raises(Refusal, match="There is no "):
        asked_for(wanted(period, date="tomorrow"), NOON)


@pytest.mark.parametrize("period", NAMES)
def test_a_board_is_over_when_its_span_is(period: str) -> None:
    board = asked_for(wanted(period), NOON)
    assert not is_over(board, NOON)
    assert is_over(board, NOON + 366 * DAY_MS) == bool(spans()[period].example)

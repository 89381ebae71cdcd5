"""How the players of a page have done lately, and how many brought how many cards home."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.boards.made import (
    TOTAL,
    Season,
    at,
    daily,
    daily_id,
    finish,
    player,
    stuck,
    won,
)
from tests.support.times import NOON

from bigben_protocol import (
    Form,
    GetLeaderboard,
    GetProfile,
    Group,
    Leaderboard,
    Profile,
    Tally,
    WeekRating,
)
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.ranking import Key, pack
from bigben_server.scoring.form import COLUMNS, DAYS, column, columns, scores_of_columns
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ADA, BOB = player("ada"), player("bob")


async def board(store: Store, asker: str = "", **wanted: Any) -> Leaderboard:
    queries = Queries(store, clock=lambda: NOON)
    return await queries.leaderboard(asker, GetLeaderboard(form=True, **wanted))


async def form(store: Store, who: str = "ada", **wanted: Any) -> Form:
    found = {one.player: one for one in (await board(store, **wanted)).form}
    return found[player(who)]


async def profile(store: Store) -> Profile:
    return await Queries(store, clock=lambda: NOON).profile(ADA, GetProfile(form=True))


async def tally(store: Store) -> Tally:
    """That of the standard rules."""
    return next(one for one in (await profile(store)).tallies if one.rules == "standard")


async def test_the_form_has_fourteen_days_the_last_of_them_the_boards(store: Store) -> None:
    season = Season(store)
    for day, home in (("06", 1), ("07", 20), ("08", 30), ("20", 50), ("21", 60)):
        await season.day(f"2026-11-{day}", {"ada": stuck(home, 5)})
    assert (await form(store)).lately == (30, *[-1] * 11, 50, 60)
    assert (await form(store, date="2026-11-20")).lately == (20, 30, *[-1] * 11, 50)


async def test_a_win_is_all_cards_and_a_day_of_other_rules_is_none(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-20", {"ada": stuck(60, 5)}, rules="book")
    await season.day("2026-11-21", {"ada": won(61_000)})
    assert (await form(store)).lately[-2:] == (-1, TOTAL)


async def test_a_board_of_more_days_has_the_form_up_to_today(store: Store) -> None:
    season = Season(store)
    await season.day("2026-10-31", {"ada": stuck(40, 5)})
    await season.day("2026-11-21", {"ada": stuck(60, 5)})
    for wanted in ({"period": "weekly"}, {"period": "monthly", "date": "2026-10"}):
        page = await board(store, **wanted)
        assert page.homes == ()
        assert page.form[0].lately == (*[-1] * 13, 60)


async def test_every_row_has_its_form_and_the_own_row_once(store: Store) -> None:
    await Boards(store).record([finish(f"p{n}", stuck(90 - n, 5)) for n in range(5)])
    page = await board(store, player("p1"), count=3)
    assert [one.player for one in page.form] == [row.player for row in page.rows]
    page = await board(store, player("p4"), count=3)
    assert [one.player for one in page.form][3:] == [player("p4")]
    assert page.form[3].lately[-1] == 86


async def test_the_form_has_the_rating_now(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-20", {"ada": won(61_000), "bob": won(62_000)})
    await season.day("2026-11-21", {"ada": stuck(60, 5), "carl": stuck(50, 5)})
    page = await board(store, date="2026-11-20")
    tally_now = await tally(store)
    assert (page.form[0].rating, page.form[0].provisional) == (tally_now.rating, True)
    assert tally_now.rating > page.form[1].rating > 0


async def test_who_was_never_rated_has_no_rating(store: Store) -> None:
    await Season(store).day("2026-11-21", {"ada": won(61_000)})
    assert (await form(store)).rating == 0


async def test_a_void_day_is_as_if_it_was_not_played(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-21", {"ada": won(61_000)})
    old = [finish("ada", stuck(60, 5), daily_id("2026-11-20"), daily("2026-11-20"))]
    await Ledger(store).void(daily_id("2026-11-20"), "a mistake")
    await season.boards.record(old)
    assert (await form(store)).lately == (*[-1] * 13, TOTAL)


async def test_a_group_shows_what_its_members_did_before_they_joined(store: Store) -> None:
    await Season(store).day("2026-11-20", {"ada": stuck(60, 5)})
    await People(store).create(ADA, Group("aces", "Aces", "CODE"), NOON)
    await Boards(store).record([finish("ada", stuck(70, 5)), finish("bob", stuck(80, 5))])
    page = await board(store, group="aces")
    assert [one.lately[-2:] for one in page.form] == [(60, 70)]
    assert sum(page.homes) == 1, "the columns are of the group"


async def test_nobody_who_does_not_ask_gets_the_form(store: Store) -> None:
    await Season(store).day("2026-11-21", {"ada": won(61_000)})
    queries = Queries(store, clock=lambda: NOON)
    page = await queries.leaderboard("", GetLeaderboard())
    assert (page.form, page.homes) == ((), ())
    assert (await queries.profile(ADA, GetProfile())).tallies[0].homes == ()


async def test_a_page_with_the_form_has_at_most_twenty_rows(store: Store) -> None:
    names = [f"p{n:02}" for n in range(25)]
    await Boards(store).record([finish(name, stuck(50, 5)) for name in names])
    only = tuple(map(player, names))
    for page in (await board(store, count=100), await board(store, only=only)):
        assert (len(page.rows), len(page.form), page.total) == (20, 20, 25)


async def test_a_page_without_a_row_has_no_form(store: Store) -> None:
    page = await board(store)
    assert (page.form, page.homes, page.total) == ((), (), 0)


async def test_each_player_of_a_day_is_in_the_column_of_their_cards(store: Store) -> None:
    homes = {"p0": 0, "p7": 7, "p8": 8, "tie": 8, "p95": 95, "p96": 96, "p103": 103}
    results = {name: stuck(home, 1000 + home) for name, home in homes.items()}
    await Season(store).day("2026-11-21", {**results, "all": won(61_000)})
    page = await board(store, count=1)
    assert page.homes == (2, 2, *[0] * 9, 1, 3)
    assert sum(page.homes) == page.total


@given(st.integers(0, TOTAL), st.integers(0, 86_400_000), st.sampled_from([TOTAL, 52]))
def test_a_score_is_in_one_column_that_of_its_cards(home: int, home_ms: int, total: int) -> None:
    score = pack(Key(max(0, total - home), home_ms))
    within = [n for n, (low, high) in enumerate(scores_of_columns(total)) if low <= score <= high]
    assert within == [column(min(home, total), total)]


@pytest.mark.parametrize("total", [52, TOTAL])
def test_all_columns_but_the_last_are_of_as_many_cards(total: int) -> None:
    width = total // COLUMNS
    assert columns(range(total + 1), total) == (*[width] * (COLUMNS - 1), width + 1)


async def test_a_tally_has_every_result_in_its_column(store: Store) -> None:
    season = Season(store)
    await season.day("2026-10-01", {"ada": stuck(17, 5)})
    await season.day("2026-11-20", {"ada": won(61_000)})
    await season.day("2026-11-21", {"ada": stuck(60, 5)}, rules="book")
    await season.room("K7QPXM", {"ada": stuck(60, 5), "bob": stuck(61, 6)})
    own = {one.rules: one for one in (await profile(store)).tallies}
    assert own["standard"].homes == (0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    assert sum(own["standard"].homes) == own["standard"].played == 3
    assert own["standard"].lately == (*[-1] * (DAYS - 2), TOTAL, -1), "rooms are no dailies"
    assert own["book"].lately == (*[-1] * (DAYS - 1), 60)


async def test_a_tally_has_the_rating_after_each_week_with_a_race(store: Store) -> None:
    season, after = Season(store), list[WeekRating]()
    for day, week in (("2026-11-08", "W45"), ("2026-11-09", "W46"), ("2026-11-21", "W47")):
        await season.day(day, {"ada": won(61_000), "bob": won(62_000)})
        after.append(WeekRating(f"2026-{week}", (await tally(store)).rating))
    await season.day("2026-11-21", {"ada": won(1)}, rules="book")  # alone: not rated
    found = {one.rules: one for one in (await profile(store)).tallies}
    assert found["standard"].ratings == tuple(after)
    assert [one.rating for one in after] == sorted({one.rating for one in after}), "all different"
    assert (found["book"].ratings, found["book"].uncertainty) == ((), 0)
    await rebuild(store)
    assert (await tally(store)).ratings == tuple(after)


async def test_uncertainty_shrinks_with_each_race(store: Store) -> None:
    season, seen = Season(store), list[int]()
    for day in ("2026-11-18", "2026-11-19", "2026-11-20"):
        await season.day(day, {"ada": won(61_000), "bob": won(62_000)})
        seen.append((await tally(store)).uncertainty)
    assert 625 > seen[0] > seen[1] > seen[2] > 0


async def test_a_year_of_weeks_is_told_and_no_more(store: Store) -> None:
    season = Season(store)
    for day in ("2025-11-16", "2025-11-17", "2026-11-21"):
        await season.day(day, {"ada": won(61_000), "bob": won(62_000)})
    weeks = [one.week for one in (await tally(store)).ratings]
    assert weeks == ["2025-W47", "2026-W47"]


async def test_the_last_races_have_their_places_the_latest_first(store: Store) -> None:
    season = Season(store)
    for day in ("14", "15", "16", "17"):
        await season.day(f"2026-11-{day}", {"ada": stuck(60, 5)})
    others = {"bob": stuck(60, 5), "carl": stuck(61, 5), "bot:tick": won(1)}
    await season.day("2026-11-18", {"ada": stuck(60, 5), **others})
    await season.day("2026-11-19", {"ada": won(61_000), "bob": won(62_000)}, rules="book")
    await season.room("K7QPXM", {"ada": at("2026-11-20", stuck(60, 5)), **others})
    found = (await profile(store)).latest
    assert [(one.race, one.place, one.players) for one in found] == [
        ("K7QPXM", 3, 4),
        (daily_id("2026-11-19", "book"), 1, 2),
        (daily_id("2026-11-18"), 2, 3),
        (daily_id("2026-11-17"), 1, 1),
        (daily_id("2026-11-16"), 1, 1),
    ]
    assert (found[0].day, found[0].state, found[0].home) == ("2026-11-20", "blocked", 60)
    assert (found[1].rules, found[1].state, found[1].home_ms) == ("book", "won", 61_000)
    seen = await Queries(store, clock=lambda: NOON).profile(BOB, GetProfile(ADA, form=True))
    assert "K7QPXM" not in {one.race for one in seen.latest}, "its code may let others in"
    assert seen.latest[0] == found[1]


async def test_a_bot_whose_id_does_not_say_so_has_no_place_among_people(store: Store) -> None:
    await store.ask(("HSET", store.keys.player(ADA), "bot", "1"))
    await Season(store).day("2026-11-21", {"ada": won(61_000), "bob": won(62_000)})
    [past] = (await profile(store)).latest
    assert past.place == 0

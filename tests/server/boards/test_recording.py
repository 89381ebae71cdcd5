"""A result counts once, whoever writes it and however often, and for the groups of that moment."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack
from subprocess import PIPE

import pytest
from tests.server.boards.made import Season, daily, daily_id, finish, live, player, stuck, won
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, GetProfile, Group, PlayerId, RaceId
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.events import Player, Refusal
from bigben_server.scoring.results import BOTS
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.opening import client_of
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ADA = Player(player("ada"), "Ada")


@pytest.fixture
def queries(store: Store) -> Queries:
    return Queries(store, clock=lambda: NOON)


@pytest.fixture
async def another(redis_url: str, store: Store) -> AsyncIterator[Store]:
    """A second process's connection to the same Redis."""
    async with client_of(redis_url) as client:
        yield Store(client)


async def board(queries: Queries, group: str = "", who: str = "", **wanted: str) -> list[str]:
    """The names on a board, in order; today's daily one unless it says otherwise."""
    question = GetLeaderboard(group=group, **wanted)  # type: ignore[arg-type] # its own fields
    answer = await queries.leaderboard(who, question)
    return [*(row.name for row in answer.rows), *(row.name for row in answer.ranked)]


def finish_in_two_processes(redis_url: str) -> None:
    """The same two finishes and the close of their race, five times in each process at once."""
    command = [sys.executable, "-m", "tests.server.boards.finishing", redis_url]
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with ExitStack() as stack:
        both = [
            stack.enter_context(
                subprocess.Popen(command, env=path, stdin=PIPE, stdout=PIPE, text=True)
            )
            for _ in range(2)
        ]
        for one in both:
            assert one.stdout
            assert one.stdout.readline() == "ready\n"
        for one in both:
            assert one.stdin
            one.stdin.close()
        assert [one.wait(60) for one in both] == [0, 0]


async def test_the_same_finish_written_ten_times_by_two_processes_counts_once(
    store: Store, another: Store, queries: Queries
) -> None:
    how = finish("ada", won(61_000))
    await asyncio.gather(*(Boards(s).record([how, how]) for s in [store, another] * 5))
    answer = await queries.leaderboard("", GetLeaderboard())
    assert (answer.total, [row.place for row in answer.rows]) == (1, [1])
    (tally,) = (await queries.profile(player("ada"), GetProfile())).tallies
    assert (tally.played, tally.won) == (1, 1)


async def test_nor_does_it_when_the_two_are_processes_that_close_the_race_too(
    redis_url: str, store: Store, queries: Queries
) -> None:
    finish_in_two_processes(redis_url)
    await Season(store).settler.settle()
    answer = await queries.leaderboard("", GetLeaderboard(period="weekly"))
    assert [(row.name, row.points) for row in answer.ranked] == [("Ada", 100), ("Bob", 1)]
    (tally,) = (await queries.profile(player("ada"), GetProfile())).tallies
    assert (tally.played, tally.won, tally.rated) == (1, 1, 1)


async def test_the_first_result_is_kept_and_boards_show_it(
    store: Store, another: Store, queries: Queries
) -> None:
    await Boards(store).record([finish("ada", won(61_000))])
    await Boards(another).record([finish("ada", won(50_000))])
    (row,) = (await queries.leaderboard("", GetLeaderboard())).rows
    assert row.home_ms == 61_000
    (tally,) = (await queries.profile(player("ada"), GetProfile())).tallies
    assert tally.best_ms == 61_000


async def test_a_result_counts_for_the_groups_of_its_moment(store: Store, queries: Queries) -> None:
    people, boards = People(store), Boards(store)
    await people.create(ADA.id, Group("aces", "Aces", "CODE"), NOON)
    await people.create(player("bob"), Group("kings", "Kings", "CODE2"), NOON)
    await people.join(player("carl"), "aces", NOON)
    await boards.record([finish("ada", won(61_000))])
    await people.leave(ADA.id, "aces", NOON)
    await people.join(ADA.id, "kings", NOON)
    # Recorded once more, as after a crash: the groups stay those of the first time.
    await boards.record([finish("ada", won(61_000))])
    assert await board(queries, "aces") == ["Ada"]
    assert await board(queries, "kings") == []
    assert await board(queries) == ["Ada"]


async def test_the_groups_of_a_token_replace_those_of_its_issuer_and_no_others(
    store: Store,
) -> None:
    people = People(store)
    who = PlayerId("discord:1")
    await people.create(who, Group("aces", "Aces", "CODE"), NOON)
    await people.introduce(Player(who, "Ada", frozenset({"discord:7", "discord:8"})), NOON)
    await people.introduce(Player(who, "Ada", frozenset({"discord:8", "discord:9"})), NOON)
    assert [one.group for one in await people.groups(who)] == ["aces", "discord:8", "discord:9"]
    await people.introduce(Player(who, "Ada", None), NOON)
    assert len(await people.groups(who)) == 3
    await people.introduce(Player(who, "Ada", frozenset()), NOON)
    assert await people.groups(who) == (Group("aces", "Aces", "CODE"),)


async def test_bots_have_boards_of_their_own(store: Store, queries: Queries) -> None:
    claimed = PlayerId("house:1")
    await People(store).introduce(Player(claimed, "Deep Bell", bot=True), NOON)
    await Boards(store).record(
        [
            finish("ada", won(61_000)),
            finish("house:1", won(1_000)),
            finish("bot:hasty", won(2_000)),
        ]
    )
    assert await board(queries) == ["Ada"]
    assert await board(queries, BOTS) == ["House:1", "Bot:Hasty"]


async def test_a_live_race_is_on_no_daily_board(store: Store, queries: Queries) -> None:
    await Boards(store).record([finish("ada", won(61_000), RaceId("K7QPXM"), live())])
    assert await board(queries) == []


async def test_only_games_that_began_count_and_each_rule_set_has_its_own_board(
    store: Store, queries: Queries
) -> None:
    by_the_book = finish("bob", stuck(60, 90_000), daily_id(rules="book"), daily(rules="book"))
    await Boards(store).record([finish("ada", won(61_000)), by_the_book])
    assert await board(queries) == ["Ada"]
    assert await board(queries, rules="book") == ["Bob"]
    assert await board(queries, rules="survey") == ["Bob"]


async def test_an_unknown_group_is_named_as_such(queries: Queries) -> None:
    with pytest.raises(Refusal, match="There is no group 'discord:404'"):
        await board(queries, "discord:404")


async def test_points_come_with_the_close_and_daily_places_at_once(
    store: Store, queries: Queries
) -> None:
    season = Season(store)
    await season.boards.record([finish("ada", won(61_000)), finish("bob", won(62_000))])
    assert await board(queries) == ["Ada", "Bob"]
    assert await board(queries, period="weekly") == []
    await season.ledger.close(daily_id())
    await season.settler.settle()
    assert await board(queries, period="weekly") == ["Ada", "Bob"]

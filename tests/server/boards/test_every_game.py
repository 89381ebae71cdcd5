"""Boards, ratings, profiles, checks and exports of every game; ties where nothing is decided."""

import io
from random import Random

import pytest
from tests.server.boards.contents import everything
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Diff,
    GetLeaderboard,
    GetProfile,
    GetStandings,
    Hello,
    Join,
    Leaderboard,
    Move,
    Profile,
    Ready,
    Refused,
    Snapshot,
    Standings,
    Welcome,
)
from bigben_rules import GAMES, Game
from bigben_server.ops.check import damaged
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT
from bigben_server.rooms import app
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store

MOST_MOVES = 60


async def play(guest: Guest, clock: Clock[int], race: str, random: Random) -> None:
    """Random moves at random times, to the end or up to a resignation."""
    guest.say(Ready(race))
    game: Snapshot | Diff = await guest.until(Snapshot)
    while game.state == "playing":
        clock.now += random.randrange(1, 5_000)
        legal = game.legal if isinstance(game.legal, tuple) else ()
        move = random.choice(legal) if legal and game.n < MOST_MOVES else "resign"
        game = await guest.ask(Move(race, game.n + 1, move), Diff)


@pytest.mark.parametrize("game", GAMES.values(), ids=[*GAMES])
async def test_a_closed_day_of_a_game(
    client: Client, store: Store, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "AGENDA_S", 0.1)  # the day ends while it waits for the next
    clock, rules = Clock(NOON), game.variants[-1]
    race = f"daily.2026-11-21.{game.name}.{rules}"
    async with running(client, clock) as server:
        ada, bob = Guest(server), Guest(server)
        for luck, (guest, name) in enumerate(((ada, "Ada"), (bob, "Bob"))):
            await guest.ask(Hello(name), Welcome)
            guest.say(Join(f"daily.{game.name}.{rules}"))
            await play(guest, clock, race, Random(luck))
        clock.now = NOON + DAY
        final = await ada.until(Standings, lambda standings: standings.final)
        day = GetLeaderboard("2026-11-21", game.name, rules)
        board = await ada.ask(day, Leaderboard)
        assert board.rows == final.rows
        if not game.description.decides:
            assert [row.home_ms for row in board.rows] == [0, 0]
            assert [row.place for row in board.rows] == [1, 1]
        week = GetLeaderboard("2026-11-21", game.name, rules, period="weekly")
        points = await ada.ask(week, Leaderboard)
        while points.total < 2:  # the day is being settled
            points = await ada.ask(week, Leaderboard)
        assert sum(row.points for row in points.ranked) in (100, 101)
        by_rating = GetLeaderboard("", game.name, rules, period="all-time", by="rating")
        if not game.description.decides:
            assert [row.points for row in points.ranked] == [50, 50]
            assert "nobody is rated" in (await ada.ask(by_rating, Refused)).text
        else:
            while (await ada.ask(by_rating, Leaderboard)).total < 2:
                pass
        (tally,) = (await ada.ask(GetProfile(), Profile)).tallies
        assert (tally.game, tally.rules, tally.played) == (game.name, rules, 1)
        assert bool(tally.rated) is game.description.decides
        assert (await ada.ask(GetStandings(race), Standings)).rows == final.rows
    assert [found async for found in damaged(store, SILENT)] == []
    before = await everything(store)
    lines = [line async for line in exported(store)]
    await store.ask(("FLUSHALL",))
    assert await imported(store, io.StringIO("".join(lines))) >= 1
    assert await everything(store) == before

"""A whole server over midnight: the day closes, and only then points and ratings are given."""

import asyncio

import pytest
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S

from bigben_protocol import (
    Diff,
    GetLeaderboard,
    GetProfile,
    Hello,
    Join,
    Leaderboard,
    Move,
    Profile,
    Ready,
    Snapshot,
    Standings,
    Streak,
    Welcome,
)
from bigben_server.storage.client import Client

MIDNIGHT = 1_795_305_600_000
"""Between 21 and 22 November 2026, UTC."""


@pytest.mark.usefixtures("store")
async def test_the_day_is_settled_at_its_close_and_counts_for_itself(client: Client) -> None:
    # So short before midnight that the server looks at the clock again and again.
    clock = Clock(MIDNIGHT - 50)
    async with running(client, clock) as app:
        ada, bob = Guest(app), Guest(app)
        for guest, name in ((ada, "Ada"), (bob, "Bob")):
            await guest.ask(Hello(name), Welcome)
            guest.say(Join("daily"), Ready("daily"))
        race = (await ada.until(Snapshot)).race
        await bob.until(Snapshot)
        await ada.ask(Move(race, 1, "resign"), Diff)
        # Ada's result is there; Bob still plays, and nobody has points.
        day = GetLeaderboard(date="2026-11-21")
        week = GetLeaderboard(period="weekly", date="2026-11-21")
        assert [row.name for row in (await ada.ask(day, Leaderboard)).rows] == ["Ada"]
        assert (await ada.ask(week, Leaderboard)).total == 0

        clock.now = MIDNIGHT + 1
        final = await bob.until(Standings, lambda standings: standings.final)
        # Equal keys: neither brought a card home.
        assert {row.state: row.place for row in final.rows} == {"resigned": 1, "timed out": 1}
        board = await bob.ask(week, Leaderboard)
        async with asyncio.timeout(PATIENCE_S):
            while not board.total:
                board = await bob.ask(week, Leaderboard)
        assert [(row.place, row.points) for row in board.ranked] == [(1, 50), (1, 50)]
        daily = await bob.ask(day, Leaderboard)
        assert [row.place for row in daily.rows] == [1, 1]
        assert daily.mine is not None
        assert daily.mine.state == "timed out"
        # Recorded after midnight, it counts for its own day.
        (tally,) = (await bob.ask(GetProfile(), Profile)).tallies
        async with asyncio.timeout(PATIENCE_S):
            while not tally.rated:  # which comes after the points
                (tally,) = (await bob.ask(GetProfile(), Profile)).tallies
        assert (tally.played, tally.rated, tally.days_played) == (1, 1, Streak(1, 1))
        clock.now = MIDNIGHT + 86_400_000
        (tally,) = (await bob.ask(GetProfile(), Profile)).tallies
        assert tally.days_played == Streak(0, 1)

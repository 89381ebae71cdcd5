"""Verified players alone on everybody's boards; guests are ranked apart, as if elsewhere."""

import logging
from pathlib import Path
from typing import Any

import pytest
from tests.server.boards.contents import everything, made
from tests.server.boards.made import Season, daily_id, finish, player, stuck, won
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.times import NOON
from tests.wire.in_process import server_here
from tests.wire.peer import peer

from bigben_protocol import (
    Diff,
    GetLeaderboard,
    GetProfile,
    GetStandings,
    Group,
    Hello,
    Join,
    Leaderboard,
    Move,
    PlayerId,
    Ready,
    Snapshot,
    Standings,
    Welcome,
)
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops.people.delete import delete
from bigben_server.ops.rebuild import rebuild, warn_of_other_boards
from bigben_server.race.events import Refusal
from bigben_server.scoring.results import Ranked, Result
from bigben_server.storage.admin.maintenance import made_for
from bigben_server.storage.client import Client
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ADA, BOB = "discord:1", "discord:2"
"""For whom another issuer vouches."""
GINA, GUS = "guest:gina", "guest:gus"
BOTS = {"bot:x": won(5), "bot:y": won(6)}
DAYS: dict[str, dict[str, Result]] = {
    "2026-11-19": {ADA: won(61_000), GINA: won(9), GUS: stuck(60, 7), BOB: won(70_000), **BOTS},
    "2026-11-20": {GUS: won(61_000), ADA: won(61_000), BOB: stuck(50, 3), GINA: won(61_000)},
}
ROOM = {GINA: won(1), ADA: won(2), GUS: won(3), BOB: won(4), **BOTS}


async def play(store: Store, ranked: Ranked, *who: str) -> None:
    """Two days and a live race, of these players alone."""
    season = Season(store, ranked=ranked)
    for day, results in DAYS.items():
        await season.day(day, {one: how for one, how in results.items() if one in who})
    await season.room("K7QPXM", {one: how for one, how in ROOM.items() if one in who})


EVERYBODY = (ADA, BOB, GINA, GUS, *BOTS)


async def boards_of(store: Store, ending: str) -> dict[str, Any]:
    """Boards and ratings whose names end so, each by its name without that."""
    found = await made(store)
    return {
        key.replace(ending, ""): value
        for key, value in found.items()
        if key.startswith(("bb:board:", "bb:rating:"))
        and ("@" in key) == bool(ending)
        and ending in key
    }


def desk_of(store: Store, ranked: Ranked) -> Queries:
    return Queries(store, clock=lambda: NOON, ranked=ranked)


async def names(store: Store, ranked: Ranked = "verified", **wanted: Any) -> list[str]:
    page = await desk_of(store, ranked).leaderboard("", GetLeaderboard(**wanted))
    return [*(str(row.player) for row in page.rows), *(str(row.player) for row in page.ranked)]


async def test_boards_points_and_ratings_are_as_if_no_guest_had_been_there(store: Store) -> None:
    await play(store, "verified", *EVERYBODY)
    with_guests = await boards_of(store, "")
    await store.ask(("FLUSHALL",))
    await play(store, "all", ADA, BOB, *BOTS)
    without = await boards_of(store, "")
    assert len(without) > 10
    assert with_guests == without


async def test_guests_have_boards_points_and_ratings_among_themselves(store: Store) -> None:
    await play(store, "verified", *EVERYBODY)
    apart = await boards_of(store, "@guests")
    await store.ask(("FLUSHALL",))
    await play(store, "all", GINA, GUS)
    assert apart == await boards_of(store, "")


async def test_the_board_of_guests_is_requested_like_that_of_bots(store: Store) -> None:
    await play(store, "verified", *EVERYBODY)
    day: dict[str, Any] = {"date": "2026-11-20"}
    assert await names(store, **day) == [ADA, BOB]
    assert await names(store, group="guests", **day) == [GINA, GUS]
    week: dict[str, Any] = {"period": "weekly", "by": "rating"}
    assert set(await names(store, group="guests", **week)) == {GINA, GUS}
    profile = await desk_of(store, "verified").profile(PlayerId(GINA), GetProfile())
    assert (profile.tallies[0].played, profile.tallies[0].rated) == (3, 3)


async def test_where_all_are_ranked_together_there_is_no_board_of_guests(store: Store) -> None:
    await play(store, "all", *EVERYBODY)
    assert set(await names(store, "all", date="2026-11-20")) == {ADA, BOB, GINA, GUS}
    with pytest.raises(Refusal, match="Guests are ranked with everybody here"):
        await names(store, "all", group="guests")


@pytest.mark.parametrize("ranked", ["all", "verified"])
async def test_boards_made_again_have_the_same_contents(store: Store, ranked: Ranked) -> None:
    await play(store, ranked, *EVERYBODY)
    await rebuild(store, ranked=ranked)
    before = await everything(store)
    await rebuild(store, ranked=ranked)
    assert await everything(store) == before
    await store.ask(("FLUSHALL",))
    await play(store, ranked, *EVERYBODY)
    assert await made(store) == {key: before[key] for key in await made(store)}


async def test_another_setting_is_a_rebuild_away_and_so_is_the_way_back(store: Store) -> None:
    await play(store, "all", *EVERYBODY)
    together = await everything(store)
    await rebuild(store, ranked="verified")
    assert await made_for(store) == "verified"
    apart = await made(store)
    await rebuild(store, ranked="all")
    assert await everything(store) == together
    await store.ask(("FLUSHALL",))
    await play(store, "verified", *EVERYBODY)
    assert await made(store) == apart


async def test_boards_of_a_group_have_its_verified_members(store: Store) -> None:
    for who in (ADA, GINA):
        await People(store).join(PlayerId(who), "aces", NOON)
    await People(store).create(PlayerId(BOB), Group("aces", "Aces", "CODE"), NOON)
    await play(store, "verified", *EVERYBODY)
    assert await names(store, date="2026-11-20", group="aces") == [ADA, BOB]


async def test_a_group_that_was_called_guests_before_is_not_mixed_up_with_them(
    store: Store,
) -> None:
    await People(store).create(PlayerId(ADA), Group("guests", "Guests", "CODE"), NOON)
    await play(store, "verified", *EVERYBODY)
    assert await names(store, group="guests", date="2026-11-20") == [GINA, GUS]
    await rebuild(store, ranked="all")
    assert await names(store, "all", group="guests", date="2026-11-20") == [ADA]


async def test_the_results_of_a_deleted_guest_stay_where_they_were(store: Store) -> None:
    await play(store, "verified", *EVERYBODY)
    await rebuild(store, ranked="verified")
    instead, _ = await delete(store, PlayerId(GINA), "0123")
    assert set(await names(store, group="guests", date="2026-11-20")) == {instead, GUS}
    before = await everything(store)
    await rebuild(store, ranked="verified")
    assert await everything(store) == before
    verified, _ = await delete(store, PlayerId(ADA), "4567")
    assert await names(store, date="2026-11-20") == [verified, BOB]


async def test_the_operator_is_warned_of_boards_that_were_made_for_others(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    await warn_of_other_boards(store, "verified")
    assert await made_for(store) == "verified", "there were no boards before"
    await play(store, "verified", *EVERYBODY)
    await warn_of_other_boards(store, "verified")
    assert caplog.messages == []
    await warn_of_other_boards(store, "all")
    (message,) = caplog.messages
    assert message.startswith("BIGBEN_RANKED is all, and the boards were made for verified:")
    assert "rebuild-boards" in message
    await rebuild(store, ranked="all")
    caplog.clear()
    await warn_of_other_boards(store, "all")
    assert caplog.messages == []


@pytest.mark.usefixtures("store")
async def test_a_race_shows_all_its_players_and_the_boards_verified_players(
    client: Client,
) -> None:
    async with running(client, Clock(NOON), ranked="verified") as app:
        guest = Guest(app)
        await guest.ask(Hello("Gina"), Welcome)
        guest.say(Join("daily"), Ready("daily"))
        race = (await guest.until(Snapshot)).race
        await guest.ask(Move(race, 1, "resign"), Diff)
        await Boards(Store(client), "verified").record([finish(ADA, won(61_000), daily_id())])
        standings = await guest.ask(GetStandings(race), Standings)
        assert [row.name for row in standings.rows] == ["Gina"]
        everybody = await guest.ask(GetLeaderboard(), Leaderboard)
        assert [row.player for row in everybody.rows] == [player(ADA)]
        assert everybody.mine is None
        apart = await guest.ask(GetLeaderboard(group="guests"), Leaderboard)
        assert [row.name for row in apart.rows] == ["Gina"]
        assert apart.mine is not None


async def test_a_server_ranks_as_its_setting_says_and_tells_of_boards_of_another(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with server_here(tmp_path, ranked="verified") as url, peer(url, name="Gina") as gina:
        await gina.say(Join("daily"), Ready("daily"))
        race = (await gina.until(Snapshot)).race
        await gina.ask(Move(race, 1, "resign"), Diff)
        day = race.split(".")[1]
        assert (await gina.ask(GetLeaderboard(date=day), Leaderboard)).total == 0
        guests = await gina.ask(GetLeaderboard(date=day, group="guests"), Leaderboard)
        assert [row.name for row in guests.rows] == ["Gina"]
    assert not any("BIGBEN_RANKED" in message for message in caplog.messages)
    async with server_here(tmp_path):
        assert any(
            message.startswith("BIGBEN_RANKED is all, and the boards were made for verified")
            for message in caplog.messages
        )

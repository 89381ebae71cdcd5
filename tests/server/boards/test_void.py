"""A void race counts nowhere: everything derived is as if its results had never been recorded."""

import argparse
from typing import Any

import pytest
from tests.server.boards.contents import everything, made
from tests.server.boards.made import Dies, Season, daily, daily_id, finish, player, won
from tests.server.boards.test_rebuilding import play_a_season
from tests.support.times import DAY, HOUR, NOON

from bigben_protocol import GetProfile, PlayerId, RaceId, Rules
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops import check, races
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.daily import daily_named, opened
from bigben_server.race.events import (
    BEGIN,
    NOTHING,
    Closed,
    Entry,
    Joined,
    Opened,
    RoomAppend,
    RoomEvent,
    SeatAppend,
    SeatStatus,
    Voided,
)
from bigben_server.scoring.results import Finish
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.client import StoreLost
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store

ROOM = RaceId("K7QPXM")


def typed(race: str, reason: str = "a card was there twice") -> argparse.Namespace:
    return argparse.Namespace(race=race, reason=reason, progress=SILENT, ranked="all", yes=True)


async def log(store: Store, race: RaceId, *later: RoomEvent) -> None:
    """Write the log of a room with nobody in it, whose results are recorded by hand."""
    if race.startswith("daily"):
        first = opened(daily_named(race, NOON + 9 * DAY), b"secret")
    else:
        first = Opened("deadline", Rules(limit_ms=HOUR), "00" * 32, NOON, closes_at=NOON + HOUR)
    events = [first, *later]
    await store.append([RoomAppend(race, k, e) for k, e in enumerate(events, start=1)], {})


@pytest.fixture
async def season(store: Store) -> Store:
    await play_a_season(store)
    for race in (daily_id("2026-11-19"), daily_id("2026-11-20"), ROOM):
        await log(store, race, Closed(NOON))
    return store


async def without(store: Store, race: RaceId) -> dict[str, Any]:
    """What a rebuild makes of a store from which the results of a race were left out."""
    (kept,) = await store.ask(("HGETALL", store.keys.results(race)))
    await store.ask(("DEL", store.keys.results(race)))
    await rebuild(store)
    left = await made(store)
    words = [word for field in kept.items() for word in field]
    await store.ask(("HSET", store.keys.results(race), *words))
    await rebuild(store)
    return left


async def void(store: Store, race: RaceId) -> None:
    outcome = await races.void_race(store, typed(race))
    assert outcome.done
    assert outcome.facts["race"] == race


SETTLED = (daily_id("2026-11-19"), daily_id("2026-11-20"), ROOM)


@pytest.mark.parametrize("race", [*SETTLED, daily_id()])
async def test_after_it_is_void_everything_is_as_without_its_results(
    season: Store, race: RaceId
) -> None:
    before = await made(season)
    left = await without(season, race)
    assert await made(season) == before != left
    await void(season, race)
    if race not in SETTLED:  # a daily that was open is closed by it, with a number of its own
        await season.ask(("SET", season.keys.settled, len(SETTLED)))
    assert await made(season) == left
    (kept,) = await season.ask(("HLEN", season.keys.results(race)))
    assert kept >= 3


@pytest.mark.parametrize("race", [*SETTLED, daily_id()])
async def test_a_rebuild_after_it_changes_nothing(season: Store, race: RaceId) -> None:
    await void(season, race)
    before = await everything(season)
    await rebuild(season)
    assert await everything(season) == before
    await void(season, race)
    assert await everything(season) == before


async def test_a_race_that_is_closed_but_not_settled_is_never_settled(season: Store) -> None:
    race, known = daily_id("2026-11-18"), await made(season)
    await log(season, race, Closed(NOON))
    results = {"ada": won(5), "bob": won(6)}
    await Season(season).race(race, daily("2026-11-18"), results)
    await void(season, race)
    known[season.keys.settled] = b"4"
    assert await made(season) == known


@pytest.mark.parametrize("race", [ROOM, daily_id()])
async def test_one_that_was_killed_at_any_write_is_finished_by_the_next(
    client: Any, season: Store, race: RaceId
) -> None:
    left = await without(season, race)
    for at in range(1, 200):
        try:
            await races.void_race(Dies(client, at), typed(race))
        except StoreLost:
            await season.ask(("DEL", season.keys.lease))
        else:
            break
    else:
        pytest.fail("it never ends")
    assert at > 5
    await void(season, race)
    await season.ask(("SET", season.keys.settled, left[season.keys.settled]))
    assert await made(season) == left


async def test_results_that_a_server_records_later_count_nowhere_either(season: Store) -> None:
    await void(season, daily_id())
    known = await made(season)
    late: list[Finish] = [finish("carl", won(3)), finish("ada", won(62_000))]
    await Boards(season).record(late)
    assert await made(season) == known
    assert len(await Boards(season).results(daily_id())) == 3


async def test_a_server_that_reads_just_before_it_is_void_leaves_nothing_on_a_board(
    client: Any, season: Store
) -> None:
    class MadeVoidMeanwhile(Store):
        async def ask(self, *commands: Any, raise_on_error: bool = True) -> list[Any]:
            if commands and commands[-1][0] == "ZADD":
                await Ledger(season).void(daily_id(), "late")
            return await super().ask(*commands, raise_on_error=raise_on_error)

    known = await made(season)
    await Boards(MadeVoidMeanwhile(client)).record([finish("carl", won(3))])
    assert await made(season) == known


async def test_a_streak_goes_on_over_a_void_day(season: Store) -> None:
    async def streak(who: str) -> int:
        asked = GetProfile(player=player(who))
        profile = await Queries(season, clock=lambda: NOON).profile(PlayerId("guest:x"), asked)
        return profile.tallies[0].days_played.now

    assert await streak("bob") == 2  # on the 19th and 20th
    assert await streak("ada") == 1  # on the 19th and 21st
    await void(season, daily_id("2026-11-20"))
    assert await streak("bob") == 1
    assert await streak("ada") == 2


async def test_its_log_says_why_and_the_first_reason_stays(season: Store) -> None:
    await void(season, ROOM)
    await races.void_race(season, typed(ROOM, "another reason"))
    race = await races.read(season, ROOM)
    assert race
    assert race.void == "a card was there twice"
    assert isinstance((await season.events(ROOM))[-1], Voided)
    assert await Ledger(season).voided() == {ROOM: race.void}


@pytest.mark.parametrize("reason", ["", " \n ", "x" * 201])
async def test_it_needs_a_short_reason(season: Store, reason: str) -> None:
    with pytest.raises(NotDone, match="players read it"):
        await races.void_race(season, typed(ROOM, reason))


async def damage(store: Store) -> list[str]:
    return [str(damaged) async for damaged in check.damaged(store, SILENT)]


async def test_a_check_finds_a_race_that_was_not_made_void_to_the_end(season: Store) -> None:
    await void(season, ROOM)
    assert await damage(season) == []
    await Ledger(season).void(daily_id(), "interrupted here")
    found = await damage(season)
    assert len([why for why in found if "void in the list, and not in its log" in why]) == 1
    assert len([why for why in found if "is void and counts" in why]) == 2
    await void(season, daily_id())
    assert await damage(season) == []


@pytest.mark.parametrize("home", [12, 13])
async def test_a_check_compares_a_status_with_the_moves_before_it(store: Store, home: int) -> None:
    ada, race = player("ada"), RaceId("K7QPXM")
    first = Opened("deadline", Rules(limit_ms=HOUR), "00" * 32, NOON, closes_at=NOON + HOUR)
    statuses = [
        SeatStatus("playing", 0, 12, 0, 0, NOON),
        SeatStatus("resigned", 1, home, 5, 0, NOON),
    ]
    entries = [Entry(0, NOON, BEGIN), Entry(1, 5, "resign")]
    await store.append(
        [
            RoomAppend(race, 1, first),
            RoomAppend(race, 2, Joined(ada, "Ada", NOON)),
            *(
                SeatAppend(race, ada, entry, status, entry.n - 1 if entry.n else NOTHING, 2)
                for entry, status in zip(entries, statuses, strict=True)
            ),
        ],
        {},
    )
    found = await damage(store)
    assert len(found) == (home == 13)
    assert all("its moves give '1 12 0 5" in why for why in found)

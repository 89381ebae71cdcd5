"""A race with a deadline: each on their own clock, once, with a deal that is fixed at creation."""

import asyncio
from io import StringIO

import pytest
from tests.server.guests import Guest, running
from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    DORA,
    NONCE,
    ROOM,
    SECOND,
    any_move,
    deadline,
    only,
    only_refusal,
)
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import DAY, HOUR, NOON

from bigben_protocol import (
    Create,
    Curves,
    Diff,
    GetCurves,
    GetProfile,
    GetRecord,
    GetStandings,
    Hello,
    Join,
    Move,
    Profile,
    Progress,
    Ready,
    Refused,
    Resume,
    Reveal,
    Room,
    Snapshot,
    Standings,
    Welcome,
)
from bigben_rules import commitment
from bigben_server.leaderboards.queries import Queries
from bigben_server.leaderboards.recorder import finishes_of
from bigben_server.ops.check import damaged
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.rebuild import rebuild
from bigben_server.race import timers
from bigben_server.race.events import Closed
from bigben_server.scoring.boards import boards_of
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store

MINUTE = 60 * SECOND
TOO_LATE = ("phase", "The time for this race is over.")


@pytest.mark.parametrize("after", [-1, 0, MINUTE - 1, 7 * DAY + 1])
def test_a_deadline_is_a_minute_to_seven_days_away(after: int) -> None:
    with pytest.raises(Exception, match="at least a minute and at most seven days"):
        deadline(ADA, after=after)


def test_practice_has_no_deadline() -> None:
    with pytest.raises(Exception, match="Practice has no deadline"):
        deadline(ADA, practice=True)


@pytest.mark.parametrize("after", [MINUTE, 7 * DAY])
def test_it_is_open_at_once_and_until_then(after: int) -> None:
    room = deadline(ADA, BOB, after=after).heard(BOB, Room)[-1]
    assert (room.kind, room.phase, room.host) == ("deadline", "running", ADA.id)
    assert (room.opened_at, room.closes_at, room.starts_at) == (NOON, NOON + after, 0)


def test_the_deal_is_committed_at_creation_and_no_nonce_changes_it() -> None:
    decks = []
    for nonce in ("", NONCE):
        stage = deadline(ADA, BOB)
        assert stage.heard(BOB, Room)[-1].commitment == commitment(bytes(range(32)))
        stage.ready(ADA, nonce=nonce)
        stage.wait(HOUR).ready(BOB)
        assert len({m.digest for who in (ADA, BOB) for m in stage.heard(who, Snapshot)}) == 1
        decks.append(stage.race.order)
        stage.wait(DAY)
        reveal = stage.heard(ADA, Reveal)[-1]
        assert (reveal.seed, reveal.nonces) == (reveal.server_seed, ())
    assert decks[0] == decks[1]


def test_a_seat_has_its_own_time_from_its_own_start() -> None:
    stage = deadline(ADA, BOB, limit_ms=HOUR)
    stage.ready(ADA)
    move = any_move(stage.told[ADA.id])
    stage.wait(HOUR // 2).ready(BOB)
    stage.now = NOON + HOUR
    assert only_refusal(stage.move(ADA, move)) == TOO_LATE
    stage.wait(0)
    assert stage.standing(ADA).state == "timed out"
    assert stage.standing(ADA).ms == HOUR
    assert only(stage.move(BOB, move), Diff).ms == HOUR // 2
    assert timers.next_at(stage.race, stage.now) == NOON + HOUR // 2 + HOUR
    stage.wait(HOUR)
    assert stage.standing(BOB).state == "timed out"
    assert stage.race.phase(stage.now) == "running"


def test_the_deadline_ends_every_seat() -> None:
    stage = deadline(ADA, limit_ms=HOUR)
    stage.wait(DAY - SECOND).ready(ADA)
    stage.wait(SECOND)
    assert (stage.standing(ADA).state, stage.standing(ADA).ms) == ("timed out", SECOND)
    assert stage.race.phase(stage.now) == "closed"
    assert only_refusal(stage.ready(ADA))[0] == "phase"


def test_it_stays_open_for_others_when_all_who_joined_are_done() -> None:
    stage = deadline(ADA, BOB)
    for player in (ADA, BOB):
        stage.ready(player)
        stage.move(player, "resign")
    stage.wait(HOUR)
    assert stage.race.phase(stage.now) == "running"
    assert not stage.heard(ADA, Reveal)
    stage.join(CARL)
    only(stage.ready(CARL), Snapshot)
    assert only_refusal(stage.say(ADA, GetRecord(ROOM, BOB.id)))[0] == "phase"


def test_there_is_one_attempt() -> None:
    stage = deadline(ADA, BOB)
    stage.ready(ADA)
    stage.move(ADA, "resign")
    for again in (stage.ready(ADA), stage.join(ADA), stage.resume(ADA, 0)):
        assert only(again, Snapshot).state == "resigned"


def test_undo_is_as_the_room_says() -> None:
    for undo in (False, True):
        stage = deadline(ADA, undo=undo)
        told = only(stage.ready(ADA), Snapshot)
        build = next(move for move in told.legal if " " in move)
        assert only(stage.move(ADA, build), Diff).can_undo is undo


def test_rivals_get_progress_and_its_end_is_for_everybody() -> None:
    stage = deadline(ADA, BOB)
    stage.watch(DORA)
    stage.ready(ADA)
    stage.move(ADA, any_move(stage.told[ADA.id]))
    for viewer in (BOB, DORA):
        assert stage.heard(viewer, Progress)[-1].seats[0].moves == 1
        assert not stage.heard(viewer, Snapshot)
    stage.wait(DAY)
    assert stage.final()[0].player == ADA.id
    assert [seat.player for seat in stage.final()] == [ADA.id], "Bob has not begun"


def test_an_invitation_is_needed_where_the_room_says() -> None:
    stage = deadline(ADA, invite_only=True)
    invite = only(stage.join(ADA), Room).invite
    assert only_refusal(stage.join(BOB))[0] == "seat"
    answer, *_ = stage.say(BOB, Join(invite, 1))
    assert isinstance(answer, Room)
    assert answer.invite == invite


def test_a_room_with_a_deadline_has_a_hundred_seats() -> None:
    stage = deadline(ADA)
    for i in range(99):
        stage.join(ADA._replace(id=type(ADA.id)(f"guest:{i}")))
    assert only_refusal(stage.join(BOB))[0] == "limit"


def test_another_process_goes_on_where_this_one_died() -> None:
    stage = deadline(ADA, BOB, limit_ms=HOUR)
    stage.ready(ADA)
    stage.move(ADA, any_move(stage.told[ADA.id]))
    stage.restart()
    assert only(stage.resume(ADA, 0), Snapshot).n == 1
    stage.restart().wait(2 * HOUR)
    assert (stage.standing(ADA).state, stage.standing(ADA).ms) == ("timed out", HOUR)
    stage.restart().wait(DAY)
    assert stage.race.phase(stage.now) == "closed"


def test_its_results_count_for_ratings_on_the_day_of_the_deadline() -> None:
    stage = deadline(ADA, after=2 * DAY)
    stage.ready(ADA)
    stage.move(ADA, "resign")
    (finish,) = finishes_of(stage.race, stage.race.seats.values())
    assert (finish.summary.kind, finish.summary.day) == ("deadline", "2026-11-23")
    assert not [*boards_of(finish, "all", "points")]
    assert not [*boards_of(finish, "all", "key")]
    assert "weekly" in {board.period for board in boards_of(finish, "all", "rating")}


async def test_an_export_of_an_open_one_is_raced_on_and_counts_once(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        ada, bob = Guest(app), Guest(app)
        tokens = [
            (await guest.ask(Hello(name=name), Welcome)).token
            for guest, name in ((ada, "Ada"), (bob, "Bob"))
        ]
        race = (await ada.ask(Create(deadline_at=NOON + DAY), Room)).race
        bob.say(Join(race, 1), Ready(race, ref=2))
        ada.say(Ready(race, ref=1))
        await ada.ask(Move(race, 1, "resign"), Diff)
        await bob.until(Snapshot)
        await app.hub.settled()
    lines = [line async for line in exported(store)]
    await client.flushall()
    await imported(store, StringIO("".join(lines)))
    assert [damage async for damage in damaged(store, SILENT)] == []
    async with running(client, clock) as app:
        ada, bob = Guest(app), Guest(app)
        for guest, token in zip((ada, bob), tokens, strict=True):
            await guest.ask(Hello(token=token), Welcome)
        snapshot = await bob.ask(Resume(race, 0, 1), Snapshot)
        home = next((move for move in snapshot.legal if " f" in move), snapshot.legal[0])
        await bob.ask(Move(race, 1, home), Diff)
        assert [curve.name for curve in (await bob.ask(GetCurves(race), Curves)).curves] == ["Ada"]
        clock.now = NOON + DAY
        app.hub.tick()
        await bob.until(Reveal)
        async with asyncio.timeout(PATIENCE_S):
            while not (profile := await ada.ask(GetProfile(), Profile)).tallies[0].rated:
                pass  # it is settled in a task of the server
        (tally,) = profile.tallies
        assert (tally.played, tally.won, tally.rated) == (1, 0, 1)
        assert [(week.week, week.played) for week in profile.weeks] == [("2026-W47", 1)]
    await rebuild(store)
    queries = Queries(store, clock)
    assert await queries.profile(profile.player, GetProfile(), own_name="Ada") == profile


async def test_a_server_ends_each_seat_and_then_the_race(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada, bob = Guest(app), Guest(app)
        token = (await ada.ask(Hello(name="Ada"), Welcome)).token
        await bob.ask(Hello(name="Bob"), Welcome)
        wanted = Create(deadline_at=NOON + DAY, limit_ms=HOUR)
        race = (await ada.ask(wanted, Room)).race
        seed = app.hub.rooms[race].race.opened.server_seed
        bob.say(Join(race, 1))
        move = (await ada.ask(Ready(race, ref=1), Snapshot)).legal[-1]
        await ada.ask(Move(race, 1, move), Diff)
        refused = await bob.ask(Create(practice=True, seed=seed, ref=2), Refused)
        assert refused.code == "seed", "it is not closed yet"
        clock.now += HOUR
        app.hub.tick()
        await bob.until(Progress, lambda told: told.seats[0].state == "timed out")
    async with running(client, clock, process="another") as app:
        again = Guest(app)
        await again.ask(Hello(token=token), Welcome)
        assert (await again.ask(Resume(race, 0, 1), Snapshot)).state == "timed out"
        assert not (await again.ask(GetStandings(race, 2), Standings)).final
        clock.now = NOON + DAY
        app.hub.tick()
        assert (await again.until(Standings)).final
        assert (await again.until(Reveal)).server_seed == seed
        assert isinstance(app.hub.rooms[race].race.ended, Closed)

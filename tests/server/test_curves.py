"""Curves: how the cards of finished seats came home, from public progress alone."""

from collections.abc import Sequence
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.guests import Guest, running
from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    DORA,
    ROOM,
    SECOND,
    Stage,
    daily,
    deadline,
    live,
    only,
    only_refusal,
    practice,
    racing,
)
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Curve,
    Curves,
    Diff,
    GetCurves,
    Hello,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Reveal,
    Room,
    Snapshot,
    Start,
    Welcome,
)
from bigben_rules import GAMES
from bigben_server.race.broadcasts import curves as kept_curves
from bigben_server.race.broadcasts.curves import MOST_POINTS
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.events import Player, SeatStatus
from bigben_server.rooms.app import App
from bigben_server.storage import leaderboards
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store

MOVES = ("1 f4", "turn", "turn")


def curves(stage: Stage, asker: Player, *players: str) -> tuple[Curve, ...]:
    return only(stage.say(asker, GetCurves(stage.race.id, players, 7)), Curves).curves


def run_home(stage: Stage, player: Player, count: int) -> list[tuple[int, int]]:
    """Play home whatever can go home, a second each, then give up; the curve that this makes."""
    points = [(0, 12)]
    for _ in range(count):
        play = stage.race.seats[player.id].play
        assert play is not None
        home = [move for move in play.legal if " f" in move]
        stage.wait(SECOND).move(player, home[0] if home else play.legal[-1])
        seat = stage.standing(player)
        if seat.home != points[-1][1]:
            points.append((seat.ms, seat.home))
    stage.wait(SECOND).move(player, "resign")
    return points


def test_a_curve_has_the_times_at_which_cards_came_home() -> None:
    stage = racing(ADA, BOB)
    points = run_home(stage, ADA, 30)
    assert len(points) > 3
    assert curves(stage, BOB) == (Curve(ADA.id, "Ada", tuple(points)),)


def test_only_finished_seats_have_one() -> None:
    stage = daily(ADA, BOB, CARL)
    stage.ready(ADA, BOB)
    run_home(stage, ADA, 5)
    for asker in (ADA, BOB, CARL, DORA):
        assert [curve.player for curve in curves(stage, asker)] == [ADA.id]
        assert curves(stage, asker, BOB.id, CARL.id, "guest:nobody") == ()
        assert [curve.player for curve in curves(stage, asker, ADA.id)] == [ADA.id]


def test_the_best_twelve_come_if_nobody_is_named() -> None:
    players = [Player(PlayerId(f"guest:{i:02}"), f"Player {i}") for i in range(20)]
    stage = daily(*players)
    stage.ready(*players)
    for i, player in enumerate(players):
        run_home(stage, player, i)
    best = stage.race.ranking.page(0, 12)
    assert [curve.player for curve in curves(stage, ADA)] == best
    assert len(best) == 12


def test_ghosts_race_along_in_a_race_with_a_deadline() -> None:
    stage = deadline(ADA, BOB, spectate=False)
    stage.ready(ADA)
    points = run_home(stage, ADA, 10)
    refused = ("phase", "You can see how the others got on when your own clock has started.")
    assert only_refusal(stage.say(BOB, GetCurves(ROOM))) == refused
    assert only_refusal(stage.say(DORA, GetCurves(ROOM)))[0] == "seat"
    stage.ready(BOB)
    assert curves(stage, BOB)[0].points == tuple(points)
    stage.wait(stage.race.closes_at - stage.now)
    assert len(curves(stage, DORA)) == 2, "after the close they are for everybody"


def test_a_room_that_has_not_started_has_none_and_practice_never() -> None:
    assert curves(live(ADA, BOB), ADA) == ()
    assert only_refusal(practice().say(ADA, GetCurves(ROOM)))[0] == "phase"


moved = st.tuples(st.integers(0, 104), st.integers(0, 10_000))
statuses = st.lists(moved, min_size=1, max_size=600)


@given(statuses)
def test_a_curve_depends_on_public_progress_alone_and_is_short(
    moves: list[tuple[int, int]],
) -> None:
    """What it is made from is what Progress has of a seat: no card, no pile, no move."""
    ms, found = 0, []
    for n, (home, later) in enumerate(moves, start=1):
        ms += later
        found.append(SeatStatus("playing", n, home, ms))
    curve = kept_curves.Curves(GAMES["bigben"], Create())  # type: ignore[arg-type] # it has rules too
    curve.take(ADA.id, found)
    assert curve.get(ADA.id) is None, "it is not over"
    curve.take(ADA.id, [*found, SeatStatus("resigned", len(moves) + 1, found[-1].home, ms)])
    points = curve.get(ADA.id)
    assert points is not None
    assert len(points) <= MOST_POINTS + 1
    assert points[0] == (0, 12)
    assert points[-1][1] == found[-1].home
    assert sorted(at for at, _ in points) == [at for at, _ in points]
    assert get_type_hints(Curve)["points"] == tuple[tuple[int, int], ...]


async def played(app: App, clock: Clock[int]) -> tuple[Guest, Guest, str]:
    """A live race in which the first has played three moves and given up."""
    ada, bob = Guest(app), Guest(app)
    await ada.ask(Hello(name="Ada"), Welcome)
    await bob.ask(Hello(name="Bob"), Welcome)
    race = (await ada.ask(Create(), Room)).race
    await ada.ask(Ready(race, ref=1), Room)
    ada.say(Start(race, 2))
    await ada.until(Room, lambda room: room.phase == "countdown")
    clock.now += COUNTDOWN_MS
    app.hub.tick()
    legal = list((await ada.until(Snapshot)).legal)
    for n in (1, 2, 3):
        clock.now += SECOND
        legal = list((await ada.ask(Move(race, n, legal[0]), Diff)).legal or ())
    ada.say(Move(race, 4, "resign"))
    await ada.until(Reveal)  # nothing more is written
    return ada, bob, race


async def test_the_server_reads_each_curve_once(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada, bob, race = await played(app, clock)
        told = await bob.ask(GetCurves(race, ref=3), Curves)
        assert told.ref == 3
        (curve,) = told.curves
        assert curve.points[0] == (0, 12)
        assert all(at <= 3 * SECOND for at, _ in curve.points)
        await client.flushall()
        assert (await ada.ask(GetCurves(race, ref=4), Curves)).curves == told.curves


async def test_who_asks_while_a_curve_is_read_waits_for_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, read = Clock(NOON), list[PlayerId]()

    async def counting(
        store: Store, race: RaceId, players: Sequence[PlayerId]
    ) -> dict[PlayerId, list[SeatStatus]]:
        read.extend(players)
        return await leaderboards.progress(store, race, players)

    monkeypatch.setattr("bigben_server.rooms.answers.curves.progress", counting)
    async with running(client, clock) as app:
        ada, bob, race = await played(app, clock)
        ada.say(*(GetCurves(race, ref=ref) for ref in range(20)))
        assert (await bob.ask(GetCurves(race, ref=21), Curves)).curves
        assert len(read) == 1


async def test_a_seat_whose_log_is_damaged_has_no_curve(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada, bob, race = await played(app, clock)
        player = next(iter(app.hub.rooms[RaceId(race)].race.seats))
        await client.xadd(Keys().seat_log(RaceId(race), player), {"9": "junk"})
        assert (await bob.ask(GetCurves(race), Curves)).curves == ()
        await client.delete(Keys().seat_log(RaceId(race), player))
        assert (await ada.ask(GetCurves(race), Curves)).curves == ()

"""Who is away, and what becomes of their seats."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.guests import Guest, peer_of, running
from tests.server.stage import ADA, BOB, CARL, NONCE, SECOND, daily, live, only, racing
from tests.support.clock import Clock
from tests.support.times import HOUR, NOON

from bigben_protocol import (
    Create,
    Diff,
    Hello,
    Join,
    Leave,
    Left,
    Move,
    PlayerId,
    Progress,
    Ready,
    Room,
    Snapshot,
    Standing,
    Standings,
    Watch,
    Welcome,
)
from bigben_server.race import timers
from bigben_server.race.events import PeerUpdate, Player, SeatStatus
from bigben_server.rooms.app import App
from bigben_server.rooms.presence import AWAY_MS, PROBE_MS, SILENT_MS
from bigben_server.storage.client import Client

MINUTE = 60 * SECOND


def row(progress: Progress, player: Player) -> Standing:
    (found,) = (seat for seat in progress.seats if seat.player == player.id)
    return found


# The seats of players who are away


def test_a_rival_learns_who_is_away_and_who_is_back() -> None:
    stage = racing(ADA, BOB)
    stage.away(BOB)
    assert row(stage.heard(ADA, Progress)[-1], BOB).away
    assert stage.heard(ADA, Progress)[-1].seats[0].ends_at == 0, "Ada still plays"
    (shown,) = (seat for seat in only(stage.join(ADA), Room).seats if seat.player == BOB.id)
    assert shown.away
    count = len(stage.heard(ADA, Progress))
    stage.away(BOB)
    assert len(stage.heard(ADA, Progress)) == count, "it is told once"
    stage.away()
    assert not row(stage.heard(ADA, Progress)[-1], BOB).away


def test_when_all_others_have_finished_an_away_players_seat_ends_after_the_grace() -> None:
    stage = racing(ADA, BOB, grace_ms=MINUTE)
    stage.wait(5 * SECOND).away(BOB)
    stage.wait(5 * SECOND)
    stage.move(ADA, "resign")
    finished = stage.now
    stage.away(BOB)
    ends_at = row(stage.heard(ADA, Progress)[-1], BOB).ends_at
    assert ends_at == finished + MINUTE == timers.next_at(stage.race, stage.now)
    stage.at(ends_at - 1)
    assert stage.standing(BOB).state == "playing"
    stage.at(ends_at)
    assert (stage.standing(BOB).state, stage.standing(BOB).away) == ("timed out", False)
    assert stage.standing(BOB).ms == ends_at - stage.race.starts_at
    assert stage.race.phase(stage.now) == "closed"
    assert [row.player for row in stage.final()] == [ADA.id, BOB.id]


def test_one_who_goes_away_last_has_all_of_the_grace() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, "resign")
    stage.wait(3 * MINUTE)
    assert stage.standing(BOB).state == "playing", "who is here may take the time of the race"
    stage.away(BOB)
    assert stage.standing(BOB).ends_at == stage.now + 2 * MINUTE
    stage.wait(MINUTE).away()
    assert (stage.standing(BOB).ends_at, stage.race.grace_at) == (0, 0)
    stage.wait(10 * MINUTE)
    assert stage.standing(BOB).state == "playing"
    stage.away(BOB).wait(2 * MINUTE)
    assert stage.standing(BOB).state == "timed out"


def test_players_who_are_away_together_end_together_once_somebody_waits() -> None:
    stage = racing(ADA, BOB, CARL)
    stage.away(BOB, CARL).wait(10 * MINUTE)
    stage.move(ADA, "resign")
    stage.away(BOB, CARL)
    assert {stage.standing(one).ends_at for one in (BOB, CARL)} == {stage.now + 2 * MINUTE}
    stage.wait(MINUTE).away(CARL)
    assert stage.standing(CARL).ends_at == 0, "Bob is back, and may play on"
    stage.wait(2 * MINUTE)
    assert stage.standing(CARL).state == "playing"


def test_nobody_ends_while_nobody_waits() -> None:
    alone = racing(ADA)
    assert alone.away(ADA).race.grace_at == 0
    both = racing(ADA, BOB)
    assert both.away(ADA, BOB).race.grace_at == 0
    assert both.wait(10 * MINUTE).standing(ADA).state == "playing"


def test_the_grace_never_outlasts_the_race() -> None:
    stage = racing(ADA, BOB, limit_ms=MINUTE, grace_ms=HOUR)
    stage.move(ADA, "resign")
    stage.away(BOB)
    assert stage.standing(BOB).ends_at == stage.race.closes_at
    stage.at(stage.race.closes_at)
    assert stage.standing(BOB).ms == MINUTE


def test_a_seat_that_ended_in_the_grace_reads_back_as_any_timeout() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, "resign")
    stage.move(BOB, "turn")
    stage.away(BOB).wait(2 * MINUTE)
    before = stage.standing(BOB)
    stage.restart()
    assert stage.standing(BOB) == before
    assert stage.standing(BOB).state == "timed out"


@given(st.sets(st.sampled_from((ADA, BOB, CARL))), st.sets(st.sampled_from((ADA, BOB, CARL))))
def test_a_seat_ends_only_if_somebody_has_finished_and_nobody_here_still_plays(
    finished: set[Player], away: set[Player]
) -> None:
    stage = racing(ADA, BOB, CARL)
    for player in sorted(finished):
        stage.move(player, "resign")
    left = {ADA, BOB, CARL} - finished
    if not left:
        return
    stage.away(*sorted(away))
    waits = bool(finished) and left <= away
    assert bool(stage.race.grace_at) == waits
    stage.wait(2 * MINUTE)
    assert {stage.standing(one).state for one in left} == {"timed out" if waits else "playing"}


def test_a_lobby_shows_who_is_away_and_a_daily_nobody() -> None:
    lobby = live(ADA, BOB)
    lobby.away(BOB)
    assert row(lobby.heard(ADA, Progress)[-1], BOB).away
    assert daily(ADA).race.grace_at == 0


# Connections


@pytest.fixture
def clock() -> Clock[int]:
    return Clock(NOON)


@pytest.fixture
async def app(client: Client, clock: Clock[int]) -> AsyncIterator[App]:
    async with running(client, clock) as app:
        yield app


class Quiet(Guest):
    """A guest who may say nothing for a while."""

    silent = 0
    probes = 0

    def silent_ms(self) -> int:
        return self.silent

    def probe(self) -> None:
        self.probes += 1


async def welcome(app: App, name: str, token: str = "") -> tuple[Quiet, Welcome]:
    guest = Quiet(app)
    return guest, await guest.ask(Hello(name, token), Welcome)


async def in_a_race(app: App, clock: Clock[int], *guests: Quiet) -> str:
    host, *others = guests
    race = (await host.ask(Create(grace_ms=MINUTE), Room)).race
    for one in others:
        await one.ask(Join(race), Room)
    for one in guests:
        one.say(Ready(race, NONCE))
    await host.until(Room, lambda room: room.phase == "countdown")
    clock.now += 3 * SECOND
    for one in guests:
        await one.until(Snapshot)
    return race


def away(player: PlayerId, *, is_away: bool = True) -> object:
    return lambda told: any(seat.player == player and seat.away == is_away for seat in told.seats)


async def test_a_player_whose_last_connection_closes_is_away_but_not_one_who_reloads(
    app: App, clock: Clock[int]
) -> None:
    (ada, _), (bob, bobs) = await welcome(app, "Ada"), await welcome(app, "Bob")
    race = await in_a_race(app, clock, ada, bob)
    app.look_at(list(app.hub.rooms))
    bob.close(1000, "reload")
    app.look_at(list(app.hub.rooms))
    clock.now += AWAY_MS - 1
    app.look_at(list(app.hub.rooms))
    assert not app.hub.rooms[race].race.grace_at  # type: ignore[index] # a text for an id
    back, _ = await welcome(app, "", bobs.token)
    await back.ask(Join(race), Room)
    clock.now += AWAY_MS
    app.look_at(list(app.hub.rooms))
    assert not app.hub.rooms[race].attendance.away  # type: ignore[index] # as above
    back.close(1000, "gone")
    app.look_at(list(app.hub.rooms))
    clock.now += AWAY_MS
    app.look_at(list(app.hub.rooms))
    await ada.until(Progress, away(bobs.player))  # type: ignore[arg-type] # any predicate
    again, _ = await welcome(app, "", bobs.token)
    shown = await again.ask(Join(race), Room)
    assert [seat.away for seat in shown.seats] == [False, True], "until the next look"
    app.look_at(list(app.hub.rooms))
    await ada.until(Progress, away(bobs.player, is_away=False))  # type: ignore[arg-type] # as above


async def test_a_silent_player_of_a_running_race_is_pinged_and_then_away(
    app: App, clock: Clock[int]
) -> None:
    (ada, _), (bob, bobs) = await welcome(app, "Ada"), await welcome(app, "Bob")
    race = (await ada.ask(Create(), Room)).race
    await bob.ask(Join(race), Room)
    bob.silent = 10 * SILENT_MS
    app.look_at(list(app.hub.rooms))
    assert bob.probes == 0, "in a lobby the usual pings are enough"
    assert not app.hub.rooms[race].attendance.away
    bob.silent = 0
    for one in (ada, bob):
        one.say(Ready(race, NONCE))
    await ada.until(Room, lambda room: room.phase == "countdown")
    clock.now += 3 * SECOND
    await bob.until(Snapshot)
    app.look_at(list(app.hub.rooms))
    bob.probes = 0
    for _ in range(SILENT_MS // 500 - 1):
        clock.now += 500
        bob.silent += 500
        app.look_at(list(app.hub.rooms))
    assert bob.probes == (SILENT_MS - 500) // PROBE_MS
    assert not app.hub.rooms[race].attendance.away
    clock.now += 500
    bob.silent += 500
    app.look_at(list(app.hub.rooms))
    await ada.until(Progress, away(bobs.player))  # type: ignore[arg-type] # any predicate
    assert app.hub.rooms[race].attendance.away == {bobs.player: clock.now - SILENT_MS}
    bob.silent = 100
    app.look_at(list(app.hub.rooms))
    await ada.until(Progress, away(bobs.player, is_away=False))  # type: ignore[arg-type] # as above


async def test_one_who_leaves_a_running_race_is_away_and_their_seat_ends(
    app: App, clock: Clock[int]
) -> None:
    (ada, _), (bob, bobs) = await welcome(app, "Ada"), await welcome(app, "Bob")
    race = await in_a_race(app, clock, ada, bob)
    await bob.ask(Leave(race), Left)
    await ada.ask(Move(race, 1, "resign"), Diff)
    app.look_at(list(app.hub.rooms))
    clock.now += AWAY_MS
    app.look_at(list(app.hub.rooms))
    told = await ada.until(Progress, away(bobs.player))  # type: ignore[arg-type] # any predicate
    (seat,) = (seat for seat in told.seats if seat.player == bobs.player)
    clock.now = seat.ends_at
    app.hub.tick()
    final = await ada.until(Standings, lambda standings: standings.final)
    assert sorted(row.state for row in final.rows) == ["resigned", "timed out"]


async def test_a_player_on_another_process_is_here_and_both_agree_who_is_away(
    client: Client, clock: Clock[int]
) -> None:
    async with (
        running(client, clock, process="one") as one,
        running(client, clock, process="two") as two,
    ):
        (ada, _), (bob, bobs) = await welcome(one, "Ada"), await welcome(two, "Bob")
        race = (await ada.ask(Create(), Room)).race
        await bob.ask(Join(race), Room)
        for guest in (ada, bob):
            guest.say(Ready(race, NONCE))
        await ada.until(Room, lambda room: room.phase == "countdown")
        clock.now += 3 * SECOND
        for guest in (ada, bob):
            await guest.until(Snapshot)
        rooms = one.hub.rooms[race], two.hub.rooms[race]
        while not all(any(room.attendance._peers.values()) for room in rooms):  # pyright: ignore[reportPrivateUsage]
            for app in (one, two):
                app.look_at(list(app.hub.rooms))
                await app.hub.rooms.pubsub.flush()
        clock.now += 10 * AWAY_MS
        for app in (one, two):
            app.look_at(list(app.hub.rooms))
        assert not any(room.attendance.away for room in rooms)
        bob.close(1000, "gone")
        while not rooms[0].attendance.away:
            clock.now += 1_000
            for app in (one, two):
                app.look_at(list(app.hub.rooms))
                await app.hub.rooms.pubsub.flush()
        await ada.until(Progress, away(bobs.player))  # type: ignore[arg-type] # any predicate
        assert [*rooms[1].attendance.away] == [bobs.player]
        await ada.ask(Move(race, 1, "resign"), Diff)
        clock.now += HOUR // 2
        for app in (one, two):
            app.look_at(list(app.hub.rooms))
            app.hub.tick()
        final = await ada.until(Standings, lambda standings: standings.final)
        assert sorted(row.state for row in final.rows) == ["resigned", "timed out"]


async def test_a_process_that_comes_later_asks_who_is_here(
    client: Client, clock: Clock[int]
) -> None:
    async with running(client, clock, process="one") as one:
        (ada, _), (bob, _) = await welcome(one, "Ada"), await welcome(one, "Bob")
        race = await in_a_race(one, clock, ada, bob)
        one.look_at(list(one.hub.rooms))
        async with running(client, clock, process="two") as two:
            eve, _ = await welcome(two, "Eve")
            await eve.ask(Watch(race), Room)
            room = two.hub.rooms[race]  # type: ignore[index] # a text for an id
            while not any(room.attendance._peers.values()):  # pyright: ignore[reportPrivateUsage]
                for app in (two, one):
                    app.look_at(list(app.hub.rooms))
                    await app.hub.rooms.pubsub.flush()
            clock.now += 10 * AWAY_MS
            two.look_at(list(two.hub.rooms))
            assert not room.attendance.away


async def test_one_who_moves_at_a_peer_of_version_0_1_0_is_not_ended(
    app: App, clock: Clock[int]
) -> None:
    (ada, _), (bob, bobs) = await welcome(app, "Ada"), await welcome(app, "Bob")
    race = await in_a_race(app, clock, ada, bob)
    room = app.hub.rooms[race]  # type: ignore[index] # a text for an id
    bob.close(1000, "gone to the other")
    await ada.ask(Move(race, 1, "resign"), Diff)
    for n in range(1, 10):
        clock.now += MINUTE // 2
        status = SeatStatus("playing", n, 12, n, 0, room.race.starts_at)
        room.apply(PeerUpdate(room.race.id, {}, {bobs.player: status}))
        app.look_at(list(app.hub.rooms))
        app.hub.tick()
        assert not room.attendance.away
    clock.now += AWAY_MS
    app.look_at(list(app.hub.rooms))
    assert room.race.grace_at == clock.now - AWAY_MS + MINUTE


async def test_a_room_is_kept_until_a_peer_that_asked_is_told(app: App, clock: Clock[int]) -> None:
    (ada, _), (bob, _) = await welcome(app, "Ada"), await welcome(app, "Bob")
    race = await in_a_race(app, clock, ada, bob)
    app.look_at(list(app.hub.rooms))
    room = app.hub.rooms[race]  # type: ignore[index] # a text for an id
    room.attendance.hear(
        PeerUpdate(room.race.id, {}, {}, here=frozenset(), process="two", asks=True)
    )
    for one in (ada, bob):
        one.close(1000, "gone")
    await app.hub.rooms.drop_unused()
    assert race in app.hub.rooms
    app.look_at(list(app.hub.rooms))
    while app.hub.rooms.is_busy(room.race.id):  # a timer has just looked at it
        await app.hub.settled()
    await app.hub.rooms.drop_unused()
    assert race not in app.hub.rooms


async def test_without_players_of_a_race_nothing_is_published(
    app: App, clock: Clock[int], client: Client
) -> None:
    ada, _ = await welcome(app, "Ada")
    await ada.ask(Join("daily"), Room)
    room = app.hub.rooms["daily.2026-11-21.bigben.standard"]  # type: ignore[index] # as above
    async with peer_of(app._store, room.race.id):  # pyright: ignore[reportPrivateUsage]
        app.look_at(list(app.hub.rooms))
        clock.now += HOUR
        app.look_at(list(app.hub.rooms))
        assert not room.attendance.away, "a daily has no presence"

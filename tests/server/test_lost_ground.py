"""A store that has less than it had: after a fail-over to a replica that lags, or a bad restore."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple

import pytest
from redis.asyncio import Redis
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    ClientMessage,
    Create,
    Diff,
    GetRecord,
    GetStandings,
    Hello,
    Join,
    Move,
    PlayerId,
    Progress,
    RaceId,
    Ready,
    Record,
    Refused,
    Room,
    Snapshot,
    Standings,
    Watch,
    Welcome,
)
from bigben_server.race.events import SeatStatus
from bigben_server.rooms.app import App
from bigben_server.storage.entries import write_status
from bigben_server.storage.keys import MARK, Keys
from bigben_server.storage.race_log import Store

NONCE = "5e" * 32
DAILY = RaceId("daily.2026-11-21.bigben.standard")
ENOUGH_COMMANDS = 150
"""More than any of these stories needs; a loop asks thousands of times a second."""


def app_on(
    client: Redis, clock: Clock[int], process: str = "test"
) -> AbstractAsyncContextManager[App]:
    """An application that may lose its connections to this Redis."""
    return running(client, clock, revive=Store(client).ping, process=process)


class Game(NamedTuple):
    """Ada's practice, with some moves."""

    ada: Guest
    token: str
    player: PlayerId
    race: RaceId

    @property
    def log(self) -> str:
        return Keys().seat_log(self.race, self.player)

    async def move(self, n: int) -> None:
        """Play move ``n``, which is acknowledged."""
        assert (await self.ada.ask(Move(self.race, n, "turn"), Diff)).n == n


async def game(app: App, moves: int) -> Game:
    ada = Guest(app)
    welcome = await ada.ask(Hello("Ada"), Welcome)
    race = RaceId((await ada.ask(Create(practice=True), Room)).race)
    await ada.ask(Ready(race), Snapshot)
    started = Game(ada, welcome.token, welcome.player, race)
    for n in range(1, moves + 1):
        await started.move(n)
    return started


async def daily_game(app: App, moves: int) -> Game:
    """Ada's game in the daily, with some moves."""
    ada = Guest(app)
    welcome = await ada.ask(Hello("Ada"), Welcome)
    ada.say(Join(DAILY), Ready(DAILY))
    await ada.until(Snapshot)
    started = Game(ada, welcome.token, welcome.player, DAILY)
    for n in range(1, moves + 1):
        await started.move(n)
    return started


async def commands(client: Redis) -> int:
    """How many this Redis has carried out."""
    return int((await client.info("stats"))["total_commands_processed"])


async def moves_in(client: Redis, one: Game) -> list[int]:
    """The numbers of the moves in the log of Ada's seat."""
    return [entry.n for entry in await Store(client).entries(one.race, one.player) if entry.n]


async def copy(client: Redis, key: str) -> bytes:
    """What a replica has that hears no more from now on."""
    dumped = await client.dump(key)
    assert dumped is not None
    return dumped


async def make_hole(client: Redis, log: str, until: int, then: int) -> None:
    """Take away what came after move ``until``, and write move ``then`` behind it.

    What version 0.1.0 did after a fail-over to a replica that lagged.
    """
    for n in range(until + 1, then):
        await client.xdel(log, f"{n}-0")
    status = write_status(SeatStatus("playing", then, 12, 9_000, 0, NOON))
    await client.xadd(log, {str(then): "9000 turn", MARK: status}, id=f"{then}-0")


async def test_a_move_after_lost_moves_is_refused_and_its_player_continues_from_what_is_left(
    client: Redis,
) -> None:
    async with app_on(client, Clock(NOON)) as app:
        one = await game(app, 6)
        replica = await copy(client, one.log)
        for n in range(7, 11):
            await one.move(n)
        await client.restore(one.log, 0, replica, replace=True)
        before = await commands(client)

        one.ada.say(Move(one.race, 11, "turn"))
        assert (await one.ada.until(Snapshot)).n == 6
        refused = await one.ada.until(Refused)
        assert (refused.code, refused.ref) == ("gap", 11)
        assert refused.text == "Your next move is number 7."
        await one.move(7)
        assert await moves_in(client, one) == [1, 2, 3, 4, 5, 6, 7]
        assert await commands(client) - before < ENOUGH_COMMANDS


async def test_an_idle_player_is_set_back_when_the_server_notices_the_fail_over(
    client: Redis,
) -> None:
    async with app_on(client, Clock(NOON)) as app:
        one = await game(app, 6)
        replica = await copy(client, one.log)
        await one.move(7)
        await client.restore(one.log, 0, replica, replace=True)
        await client.client_kill_filter(_type="pubsub")
        assert (await one.ada.until(Snapshot)).n == 6
        await one.move(7)
        assert await moves_in(client, one) == [1, 2, 3, 4, 5, 6, 7]


async def test_a_server_that_heard_more_than_the_store_has_reads_it_once(client: Redis) -> None:
    """Another process told of moves that the store has lost since."""
    async with (
        app_on(client, Clock(NOON), process="here") as here,
        app_on(client, Clock(NOON), process="there") as there,
    ):
        one = await game(there, 6)
        replica = await copy(client, one.log)
        idle = Guest(here)
        await idle.ask(Hello(token=one.token), Welcome)
        await idle.ask(Join(one.race), Snapshot)
        await one.move(7)
        await idle.until(Diff, lambda diff: diff.n == 7)
        await one.move(8)
        await idle.until(Diff, lambda diff: diff.n == 8)
        await client.restore(one.log, 0, replica, replace=True)
        before = await commands(client)
        assert (await idle.ask(Move(one.race, 9, "turn"), Snapshot)).n == 6
        assert (await idle.until(Refused)).code == "gap"
        assert await commands(client) - before < ENOUGH_COMMANDS


async def test_a_live_race_whose_start_is_lost_takes_no_move(client: Redis) -> None:
    clock = Clock(NOON)
    async with app_on(client, clock) as app:
        ada, bob = Guest(app), Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        await bob.ask(Hello("Bob"), Welcome)
        race = RaceId((await ada.ask(Create(), Room)).race)
        await bob.ask(Join(race), Room)
        replica = await copy(client, Keys().room_log(race))
        for guest in (ada, bob):
            guest.say(Ready(race, NONCE))
        await ada.until(Room, lambda room: room.phase == "countdown")
        clock.now += 3_000
        await client.restore(Keys().room_log(race), 0, replica, replace=True)
        ada.say(Move(race, 1, "turn"))
        refused = await ada.until(Refused)
        assert refused.code == "phase"
        assert (await ada.ask(Join(race), Room)).phase == "open"
        assert not await client.exists(
            *[Keys().seat_log(race, PlayerId(f"guest:{n}")) for n in "ab"]
        )


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(Join, id="join"),
        pytest.param(lambda race: Move(race, 12, "turn"), id="move"),
        pytest.param(GetRecord, id="record"),
    ],
)
async def test_a_seat_whose_log_has_a_hole_is_ended_there_with_a_sentence(
    client: Redis, message: Callable[[RaceId], ClientMessage], caplog: pytest.LogCaptureFixture
) -> None:
    async with app_on(client, Clock(NOON)) as app:
        one = await game(app, 8)
    await make_hole(client, one.log, until=6, then=11)
    before = await commands(client)
    async with app_on(client, Clock(NOON)) as app:
        ada = Guest(app)
        await ada.ask(Hello(token=one.token), Welcome)
        ada.say(Join(one.race), message(one.race))
        left = await ada.until(Snapshot)
        assert (left.n, left.state) == (7, "resigned")
        refused = await ada.until(Refused)
        sentence = refused.text
        lost = "The server has lost part of this game: it now ends after move 6."
        assert sentence == lost
        refused = await ada.ask(Move(one.race, 12, "turn"), Refused)
        assert (refused.code, refused.text) == ("phase", sentence)
        record = await ada.ask(GetRecord(one.race), Record)
        assert [move for _, move in record.moves] == ["turn"] * 6 + ["resign"]
    reports = [record.message for record in caplog.records if one.log in record.message]
    assert reports == [f"{one.log}: entry 7 is missing before entry 11; the seat is ended there"]
    assert await commands(client) - before < ENOUGH_COMMANDS

    async with app_on(client, Clock(NOON)) as app:
        ada = Guest(app)
        await ada.ask(Hello(token=one.token), Welcome)
        assert await ada.ask(Join(one.race), Snapshot) == left
    assert len([record for record in caplog.records if one.log in record.message]) == 1


async def test_a_race_with_such_a_seat_ends_for_the_others_as_it_should(client: Redis) -> None:
    clock = Clock(NOON)
    async with app_on(client, clock) as app:
        ada, bob = Guest(app), Guest(app)
        welcome = await ada.ask(Hello("Ada"), Welcome)
        await bob.ask(Hello("Bob"), Welcome)
        race = RaceId((await ada.ask(Create(), Room)).race)
        await bob.ask(Join(race), Room)
        for guest in (ada, bob):
            guest.say(Ready(race, NONCE))
        await ada.until(Room, lambda room: room.phase == "countdown")
        clock.now += 3_000
        for n in range(1, 5):
            await ada.ask(Move(race, n, "turn"), Diff)
        await make_hole(client, Keys().seat_log(race, welcome.player), until=2, then=6)
        # The server loses its connection for news, and reads what it holds again.
        await client.client_kill_filter(_type="pubsub")
        assert (await ada.until(Snapshot, lambda left: left.n == 3)).state == "resigned"
        await bob.ask(Move(race, 1, "resign"), Diff)
        final = await bob.until(Standings, lambda standings: standings.final)
        ended = {row.name: (row.state, row.moves) for row in final.rows}
        assert ended == {"Ada": ("resigned", 3), "Bob": ("resigned", 1)}


async def test_a_hole_that_is_found_after_the_close_leaves_nobody_playing(client: Redis) -> None:
    """Its player was away, so that nobody had read the log when the time was up."""
    clock = Clock(NOON)
    async with app_on(client, clock) as app:
        one = await daily_game(app, 8)
    await make_hole(client, one.log, until=6, then=11)
    clock.now += 86_400_000
    async with app_on(client, clock) as app:
        ada = Guest(app)
        await ada.ask(Hello(token=one.token), Welcome)
        ada.say(Watch(one.race))
        await ada.until(Room, lambda room: room.phase == "closed")
        record = await ada.ask(GetRecord(one.race), Record)
        assert [move for _, move in record.moves] == ["turn"] * 6 + ["timeout"]
        assert (record.standing.state, record.standing.moves) == ("timed out", 7)
        final = await ada.ask(GetStandings(one.race), Standings)
        assert [row.state for row in final.rows] == ["timed out"]


async def test_a_rival_on_another_server_sees_where_a_player_went_on(client: Redis) -> None:
    async with (
        app_on(client, Clock(NOON), process="here") as here,
        app_on(client, Clock(NOON), process="there") as there,
    ):
        one = await daily_game(there, 6)
        replica = await copy(client, one.log)
        eve = Guest(here)
        await eve.ask(Hello("Eve"), Welcome)
        eve.say(Watch(one.race))
        for n in range(7, 11):
            await one.move(n)
        await eve.until(Progress, lambda progress: progress.seats[0].moves == 10)
        await client.restore(one.log, 0, replica, replace=True)
        one.ada.say(Move(one.race, 11, "turn"))
        assert (await one.ada.until(Snapshot)).n == 6
        await one.move(7)
        await eve.until(Progress, lambda progress: progress.seats[0].moves == 7)


async def test_the_other_players_see_that_a_seat_is_lost(client: Redis) -> None:
    async with app_on(client, Clock(NOON)) as app:
        ada, bob, carl = Guest(app), Guest(app), Guest(app)
        for guest, name in ((ada, "Ada"), (bob, "Bob"), (carl, "Carl")):
            await guest.ask(Hello(name), Welcome)
        race = RaceId((await ada.ask(Create(), Room)).race)
        replica = await copy(client, Keys().room_log(race))
        await bob.ask(Join(race), Room)
        await client.restore(Keys().room_log(race), 0, replica, replace=True)
        carl.say(Join(race))
        told = await ada.until(Room, lambda room: room.seats[-1].name == "Carl")
        assert [seat.name for seat in told.seats] == ["Ada", "Carl"]
        await bob.until(Room, lambda room: room.seats == told.seats)

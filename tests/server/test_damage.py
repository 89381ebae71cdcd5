"""Damaged data, and whatever else breaks in one race: nobody else notices, and it is said once."""

import asyncio
import contextlib
import re
from collections.abc import Callable, Coroutine
from itertools import permutations
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.server.guests import Guest, SentAway, peer_of, running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Diff,
    GetLeaderboard,
    Hello,
    Join,
    Leaderboard,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Refused,
    Room,
    Snapshot,
    Standings,
    Welcome,
)
from bigben_server.race.events import Left, PeerUpdate, SeatStatus
from bigben_server.rooms.app import App
from bigben_server.rooms.comparing import QUIET_SWEEPS
from bigben_server.storage.keys import Keys
from bigben_server.storage.pubsub import news
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import Supervisor

NONCE = "5e" * 32
DAILY = RaceId("daily.2026-11-21.bigben.standard")
FROM_THE_FUTURE = '{"type":"from-the-future"}'


async def guest(app: App, name: str = "", token: str = "") -> Guest:
    one = Guest(app)
    await one.ask(Hello(name, token), Welcome)
    return one


async def room_of_two(app: App) -> tuple[Guest, Guest, RaceId]:
    ada, bob = await guest(app, "Ada"), await guest(app, "Bob")
    race = RaceId((await ada.ask(Create(), Room)).race)
    await bob.ask(Join(race), Room)
    return ada, bob, race


async def all_is_well(app: App) -> None:
    """Somebody plays a game and looks at a board."""
    one = await guest(app, "Carl")
    race = (await one.ask(Create(practice=True), Room)).race
    await one.ask(Ready(race), Snapshot)
    assert (await one.ask(Move(race, 1, "turn"), Diff)).n == 1
    await one.ask(GetLeaderboard(), Leaderboard)


def reports(caplog: pytest.LogCaptureFixture, of: str) -> list[str]:
    """What the operator reads of this key."""
    return [record.message for record in caplog.records if of in record.message]


# What can't be read


async def test_nothing_of_a_race_is_kept_that_cannot_be_read_or_is_not_there(
    client: Redis,
) -> None:
    async with running(client, Clock(NOON)) as app:
        await client.xadd(Keys().room_log(RaceId("BRKN23")), {"1": FROM_THE_FUTURE}, "1-0")
        ada = await guest(app, "Ada")
        for race in (RaceId("BRKN23"), RaceId("GNE234")):
            # As time visits what is on the agenda.
            app.hub.reconcile(race).record = True
            assert (await ada.ask(Join(race), Refused)).code == "unknown"
            assert race not in app.hub.rooms
            async with asyncio.timeout(PATIENCE_S):
                while await listeners(client, race):
                    pass


async def listeners(client: Redis, race: RaceId) -> int:
    """How many hear of this race."""
    ((_, listening),) = await client.pubsub_numsub(Keys().news(race))
    return int(listening)


async def test_a_race_that_becomes_unreadable_loses_its_subscribers(
    client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """An event of a newer version, found when the server looks whether it has missed anything."""
    async with running(client, Clock(NOON)) as app:
        ada, bob, race = await room_of_two(app)
        async with peer_of(Store(client), race):
            await client.xadd(Keys().room_log(race), {"4": FROM_THE_FUTURE}, id="4-0")
        for _ in range(QUIET_SWEEPS):
            app.hub.sweep()
        for one in (ada, bob):
            refused = await one.until(Refused)
            assert (refused.code, refused.race) == ("unknown", race)
            assert refused.text.startswith(f"Race {race} can’t be read by this server")
        for _ in range(3):
            assert (await ada.ask(Join(race, ref=7), Refused)).ref == 7
        await all_is_well(app)
    assert len(reports(caplog, Keys().room_log(race))) == 1
    told = reports(caplog, Keys().room_log(race))[0]
    assert "Invalid value 'from-the-future' - at `$.type`" in told


async def test_updates_of_a_newer_version_are_read_from_the_store_instead(client: Redis) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, bob, race = await room_of_two(app)
        await client.publish(Keys().news(race), b"\x00 of another version")
        await bob.ask(Ready(race, NONCE), Room)
        assert (await ada.until(Room, lambda room: room.since == 4)).seats[1].state == "ready"
        await all_is_well(app)


async def test_an_update_about_an_unknown_player_is_harmless(client: Redis) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, _, race = await room_of_two(app)
        nobody = PlayerId("guest:nobody")
        status = SeatStatus("playing", 3, begun_at=NOON)
        update = PeerUpdate(race, {4: Left(nobody, NOON)}, {nobody: status})
        await Store(client).ask(news(Keys(), "there", update))
        await ada.ask(Ready(race, NONCE), Room)
        assert len((await ada.ask(Join(race), Room)).seats) == 2
        await all_is_well(app)


async def test_one_seat_that_can_not_be_read_is_its_player_s_trouble_alone(
    client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, bob = Guest(app), await guest(app, "Bob")
        welcome = await ada.ask(Hello("Ada"), Welcome)
        for one in (ada, bob):
            one.say(Join(DAILY), Ready(DAILY))
            await one.until(Snapshot)
        legal = (await ada.ask(Move(DAILY, 1, "turn"), Diff)).legal
        assert legal
    log = Keys().seat_log(DAILY, welcome.player)
    builds = (f"{fan} {other}" for fan, other in permutations(range(1, 13), 2))
    illegal = next(move for move in builds if move not in legal)
    await client.xadd(log, {"2": f"900 {illegal}", "is": f"2 12 0 900 {NOON} playing"}, id="2-0")
    async with running(client, Clock(NOON)) as app:
        ada = await guest(app, token=welcome.token)
        for message in (Join(DAILY, ref=1), Move(DAILY, 3, "turn")):
            refused = await ada.ask(message, Refused)
            assert refused.text.startswith("This game can’t be read by this server")
        dora = await guest(app, "Dora")
        dora.say(Join(DAILY), Ready(DAILY))
        await dora.until(Snapshot)
        assert (await dora.ask(Move(DAILY, 1, "turn"), Diff)).n == 1
    (report,) = reports(caplog, log)
    assert len(re.findall("([2-9AJQK]|10)[CDHS]", report)) <= 3, "not the stock, which is secret"


async def test_a_key_with_another_type_affects_only_its_race(
    client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, bob, race = await room_of_two(app)
        _, other_bob, other = await room_of_two(app)
        await client.set(Keys().room_log(race), "not ours")
        ada.say(Ready(race, NONCE))
        other_bob.say(Ready(other, NONCE))
        assert (await other_bob.until(Room, lambda room: room.since == 4)).race == other
        assert (await ada.until(Refused)).race == race
        assert (await bob.until(Refused)).race == race
        await all_is_well(app)
    assert len(reports(caplog, Keys().room_log(race))) == 1
    assert await client.get(Keys().room_log(race)) == b"not ours"


# Results and the agenda


async def finish_daily(app: App, name: str) -> PlayerId:
    one = Guest(app)
    player = (await one.ask(Hello(name), Welcome)).player
    one.say(Join(DAILY), Ready(DAILY))
    await one.until(Snapshot)
    await one.ask(Move(DAILY, 1, "resign"), Diff)
    return player


async def test_an_unreadable_result_keeps_no_other_from_the_boards_and_ends_no_server(
    client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada = await finish_daily(app, "Ada")
    await client.hset(Keys().results(DAILY), ada, "spoilt")
    async with running(client, clock) as app:
        await finish_daily(app, "Bob")
        board = await (await guest(app, "Eve")).ask(GetLeaderboard(), Leaderboard)
        assert [row.name for row in board.rows] == ["Bob"]
    clock.now = NOON + 86_400_000
    for _ in range(2):  # the race closes, is settled, and the server starts once more
        async with running(client, clock) as app:
            while int(await client.get(Keys().settled) or 0) == 0:
                await all_is_well(app)
            await all_is_well(app)
    assert len(reports(caplog, f"{Keys().results(DAILY)} {ada}")) == 2, "once a process"


async def test_a_race_that_was_closed_without_its_own_record_is_passed_over(
    client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    await client.hset(Keys().results(DAILY), "race", "spoilt")
    await client.zadd(Keys().closed, {DAILY.encode(): 0, b"K7QPXM": 1, b"\xff\xfe": 2})
    async with running(client, Clock(NOON)) as app:
        while int(await client.get(Keys().settled) or 0) < 3:
            await all_is_well(app)
    assert "JSON is malformed" in reports(caplog, f"{Keys().results(DAILY)} race")[0]
    assert "has no results" in reports(caplog, Keys().results(RaceId("K7QPXM")))[0]


@pytest.mark.parametrize("entry", [b"\xff\xfe", b"daily.yesterday", b"", b"daily.2026-11-21.x.y"])
async def test_a_bad_entry_on_the_agenda_ends_no_server(client: Redis, entry: bytes) -> None:
    clock = Clock(NOON)
    await client.zadd(Keys().agenda, {entry: 1})
    async with running(client, clock) as app:
        ada, bob, race = await room_of_two(app)
        for one in (ada, bob):
            one.say(Ready(race, NONCE))
        await ada.until(Room, lambda room: room.phase == "countdown")
        clock.now += 3_000
        await ada.until(Snapshot)
        for one in (ada, bob):
            one.say(Move(race, 1, "resign"))
        assert len((await ada.until(Standings, lambda standings: standings.final)).rows) == 2


async def test_a_result_counts_of_a_race_that_is_given_up_in_the_same_batch(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ada's end is durable; Bob's log refuses his move."""
    monkeypatch.setattr("bigben_server.rooms.room.MOST_REFUSALS", 0)
    async with running(client, Clock(NOON)) as app:
        ada, bob = await guest(app, "Ada"), Guest(app)
        bobs = (await bob.ask(Hello("Bob"), Welcome)).player
        for one in (ada, bob):
            one.say(Join(DAILY), Ready(DAILY))
            await one.until(Snapshot)
        await client.xadd(Keys().seat_log(DAILY, bobs), {"7": "5 turn"}, "7-0")
        ada.say(Move(DAILY, 1, "resign"))
        bob.say(Move(DAILY, 1, "turn"))
        assert (await ada.until(Diff)).n == 1
        for one in (ada, bob):
            assert (await one.until(Refused)).text.startswith(f"Race {DAILY} can’t be read")
        board = await ada.ask(GetLeaderboard(), Leaderboard)
        assert [row.name for row in board.rows] == ["Ada"]


# Mistakes of ours


async def test_a_failure_in_one_race_of_a_batch_does_not_affect_the_others(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, _, race = await room_of_two(app)
        other_ada, _, other = await room_of_two(app)
        held = app.hub.rooms[race]
        monkeypatch.setattr(held, "announcement", _breaks)
        ada.say(Ready(race, NONCE))
        other_ada.say(Ready(other, NONCE))
        assert (await other_ada.until(Room, lambda room: room.since == 4)).race == other
        monkeypatch.undo()
        assert (await ada.ask(Join(race), Room)).race == race
        await all_is_well(app)


async def test_a_result_counts_although_another_race_of_its_batch_failed(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure comes after the batch was written, so the result is refused the second time."""
    async with running(client, Clock(NOON)) as app:
        ada = await guest(app, "Ada")
        ada.say(Join(DAILY), Ready(DAILY))
        await ada.until(Snapshot)
        bob, _, race = await room_of_two(app)
        monkeypatch.setattr(app.hub.rooms[race], "broadcast", _breaks)
        ada.say(Move(DAILY, 1, "resign"))
        bob.say(Ready(race, NONCE))
        await ada.until(Diff)
        board = await ada.ask(GetLeaderboard(), Leaderboard)
        assert [row.name for row in board.rows] == ["Ada"]
        monkeypatch.undo()
        await all_is_well(app)


async def test_requests_for_a_race_that_breaks_while_it_is_read_do_not_wait_for_ever(
    client: Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, _, race = await room_of_two(app)
        held = app.hub.rooms[race]
        monkeypatch.setattr(held, "catch_up", _breaks)
        await client.client_kill_filter(_type="pubsub")  # all that is held is read again
        refused = await ada.until(Refused)
        assert (refused.code, refused.race) == ("unknown", race)
        assert (await ada.ask(Join(race), Room)).race == race
        await all_is_well(app)
    assert caplog.text.count("we are wrong") > 1


async def test_a_timer_that_fails_in_one_race_continues_for_the_others(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada, bob, race = await room_of_two(app)
        broken = app.hub.rooms[race].race
        for one in (ada, bob):
            one.say(Ready(race, NONCE))
        await ada.until(Room, lambda room: room.phase == "countdown")
        monkeypatch.setattr(broken, "phase", _breaks)
        other_ada, other_bob, other = await room_of_two(app)
        for one in (other_ada, other_bob):
            one.say(Ready(other, NONCE))
        await other_ada.until(Room, lambda room: room.phase == "countdown")
        clock.now += 3_000
        assert (await other_ada.until(Snapshot)).race == other


def _breaks(*_: object) -> Any:
    raise AssertionError("we are wrong")


async def test_a_task_that_breaks_ends_no_other_and_a_loop_is_started_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    went = asyncio.Queue[int]()
    rounds = iter(range(3))

    async def once() -> None:
        raise ValueError("broken once")

    async def loop() -> None:
        went.put_nowait(next(rounds))
        raise ValueError("broken again")

    async def ends(run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async with Supervisor(_breaks) as tasks:
            tasks.start("the first", once)
            tasks.keep_running("the second", run)
            await went.get()
            await went.get()
            raise KeyError("the end")

    with pytest.raises(ExceptionGroup) as ended:
        await ends(loop)
    assert ended.group_contains(KeyError)
    assert "the first failed" in caplog.text
    assert caplog.text.count("the second failed") == 2


async def test_a_task_that_is_cancelled_before_it_begins_leaves_nothing_to_await() -> None:
    tasks, begun = Supervisor(_breaks), asyncio.Event()

    async def begin() -> None:
        begun.set()

    async def run() -> None:
        async with tasks:
            await asyncio.Event().wait()

    running = asyncio.create_task(run())
    await asyncio.sleep(0)
    running.cancel()
    tasks.start("beginning", begin)
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not begun.is_set()


async def test_a_seat_that_plays_elsewhere_during_an_outage_of_pubsub_is_caught_up(
    client: Redis,
) -> None:
    """One device here is idle while its player moves there, among seats that are over."""
    clock = Clock(NOON)
    store = Store(client)
    async with (
        running(client, clock, process="here", revive=store.ping) as here,
        running(client, clock, process="there", revive=store.ping) as there,
    ):
        for name in ("Bob", "Carl", "Dora"):
            await finish_daily(there, name)
        moving = Guest(there)
        token = (await moving.ask(Hello("Ada"), Welcome)).token
        moving.say(Join(DAILY), Ready(DAILY))
        await moving.until(Snapshot)
        idle = await guest(here, token=token)
        await idle.ask(Join(DAILY), Snapshot)
        n = 1
        while n < 16:
            await client.client_kill_filter(_type="pubsub")
            try:
                await moving.ask(Move(DAILY, n, "turn"), Diff)
                n += 1
            except SentAway:  # and come back, to send the same move again
                moving = await guest(there, token=token)
        while await moves_seen(idle) < 15:
            idle = await guest(here, token=token)
            idle.say(Join(DAILY))
        await all_is_well(here)


async def moves_seen(one: Guest) -> int:
    """The number of the last move that this device is told of, before it is sent away if it is."""
    seen = 0
    with contextlib.suppress(SentAway):
        while seen < 15:
            told = await one.hears()
            if isinstance(told, Snapshot | Diff):
                seen = told.n
    return seen

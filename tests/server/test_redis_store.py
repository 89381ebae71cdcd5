"""Logs in a real Redis: written once, read back whole, and what is said when it is away."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.server.redis_processes import kill_redis, no_redis_left_in
from tests.server.stage import ADA, BOB, CARL, ROOM, Stage, everything_of, live
from tests.support.times import NOON

from bigben_protocol import PlayerId, RaceId, Rules
from bigben_server.race.broadcasts.updates import updates_of
from bigben_server.race.events import (
    BEGIN,
    NOTHING,
    Append,
    Entry,
    Joined,
    Opened,
    RoomAppend,
    SeatAppend,
    SeatStatus,
)
from bigben_server.race.state import Race
from bigben_server.storage import pubsub
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.keys import Keys
from bigben_server.storage.opening import client_of
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

OPENED = Opened("live", Rules(), "ab" * 32, NOON, host=ADA.id)
OTHER = RaceId("QQQQQQ")


def joined(k: int, player: PlayerId, race: RaceId = ROOM) -> RoomAppend:
    return RoomAppend(race, k, Joined(player, "Somebody", NOON))


def moved(
    n: int,
    *,
    move: str = "turn",
    player: PlayerId = ADA.id,
    after: int | None = None,
    room: int = 0,
) -> SeatAppend:
    """A move after the one before it; move 1 after nothing, as in a live race."""
    status = SeatStatus("playing", n, 12, n * 10, 0, NOON)
    follows = (n - 1 or NOTHING) if after is None else after
    return SeatAppend(ROOM, player, Entry(n, n * 10, move), status, follows, room)


def begun(at: int = NOON) -> SeatAppend:
    status = SeatStatus("playing", begun_at=at)
    return SeatAppend(ROOM, ADA.id, Entry(0, at, BEGIN), status, NOTHING)


# Logs


async def test_appended_events_are_read_back_in_order(store: Store) -> None:
    events = [RoomAppend(ROOM, 1, OPENED), joined(2, ADA.id), joined(3, BOB.id)]
    for event in events:
        assert await store.append([event], {}) == frozenset()
    assert await store.events(ROOM) == [append.event for append in events]
    assert await store.events(OTHER) == []


async def test_a_batch_for_one_log_is_one_entry(store: Store, client: Redis) -> None:
    turn: list[Append] = [
        begun(),
        moved(1),
        RoomAppend(ROOM, 1, OPENED),
        moved(2),
        joined(2, BOB.id),
    ]
    assert await store.append(turn, {}) == frozenset()
    assert (
        await client.xlen(Keys().room_log(ROOM))
        == await client.xlen(Keys().seat_log(ROOM, ADA.id))
        == 1
    )
    assert await store.entries(ROOM, ADA.id) == [begun().entry, moved(1).entry, moved(2).entry]
    assert len(await store.events(ROOM)) == 2
    assert await store.append([moved(3)], {}) == frozenset()
    assert [entry.n for entry in await store.entries(ROOM, ADA.id)] == [0, 1, 2, 3]


async def test_a_large_batch_for_one_log_is_several_entries(store: Store) -> None:
    """Of more than 3,997 appends to a log Lua could not unpack the words of one entry."""
    events: list[Append] = [RoomAppend(ROOM, 1, OPENED)]
    events += [joined(k, PlayerId(f"guest:{k}")) for k in range(2, 9_001)]
    moves: list[Append] = [begun(), *(moved(n, after=n - 1, room=9_000) for n in range(1, 9_000))]
    assert await store.append([*events, *moves], {}) == frozenset()
    assert await store.events(ROOM) == [a.event for a in events if isinstance(a, RoomAppend)]
    entries = [a.entry for a in moves if isinstance(a, SeatAppend)]
    assert await store.entries(ROOM, ADA.id) == entries
    statuses = await store.statuses(ROOM, [ADA.id])
    assert statuses[ADA.id].moves == 8_999
    assert await store.append([joined(9_001, BOB.id), moved(9_000)], {}) == frozenset()


async def test_a_large_batch_for_one_log_is_written_completely_or_not_at_all(store: Store) -> None:
    await store.append([RoomAppend(ROOM, 1, OPENED)], {})
    await store.append([begun(), moved(1, after=0)], {})
    turn: list[Append] = [joined(k, PlayerId(f"guest:{k}")) for k in range(3, 9_003)]
    turn += [moved(n) for n in range(3, 9_003)]
    assert await store.append(turn, {}) == {(ROOM, None), (ROOM, ADA.id)}
    assert len(await store.events(ROOM)) == 1
    assert [entry.n for entry in await store.entries(ROOM, ADA.id)] == [0, 1]


async def test_the_second_writer_of_a_number_is_refused_and_changes_nothing(store: Store) -> None:
    await store.append([RoomAppend(ROOM, 1, OPENED), moved(1)], {})
    late: list[Append] = [joined(1, BOB.id), moved(1, move="refill"), moved(2)]
    assert await store.append(late, {}) == {(ROOM, None), (ROOM, ADA.id)}
    assert await store.events(ROOM) == [OPENED]
    assert await store.entries(ROOM, ADA.id) == [moved(1).entry]


async def test_a_log_refuses_a_writer_who_has_read_none_of_its_last_entry(store: Store) -> None:
    """Several moves of a turn are one entry: whoever has read none of it begins with its first."""
    await store.append([moved(1)], {})
    await store.append([moved(2), moved(3)], {})
    assert await store.append([moved(2, move="refill")], {}) == {(ROOM, ADA.id)}
    assert await store.append([moved(4)], {}) == frozenset()


async def test_one_refused_log_does_not_delay_the_others(store: Store) -> None:
    await store.append([moved(1)], {})
    turn: list[Append] = [moved(1), moved(1, player=BOB.id), joined(1, BOB.id, OTHER)]
    assert await store.append(turn, {ROOM: 5}) == {(ROOM, ADA.id)}
    assert await store.entries(ROOM, BOB.id) == [moved(1).entry]
    assert len(await store.events(OTHER)) == 1
    assert await store.due(5) == [ROOM]


async def test_a_clock_starts_once(store: Store) -> None:
    assert await store.append([begun()], {}) == frozenset()
    assert await store.append([begun(NOON + 5)], {}) == {(ROOM, ADA.id)}
    await store.append([moved(1, after=0)], {})
    assert await store.append([begun(NOON + 5)], {}) == {(ROOM, ADA.id)}
    assert await store.entries(ROOM, ADA.id) == [begun().entry, moved(1).entry]


# What an append stands on


async def test_a_move_is_refused_unless_the_move_before_it_is_there(store: Store) -> None:
    """As after a fail-over to a replica that lags: the writer knows more than the log."""
    await store.append([begun(), moved(1, after=0), moved(2)], {})
    refused = {(ROOM, ADA.id)}
    assert await store.append([moved(4)], {}) == refused
    assert await store.append([moved(11), moved(12)], {}) == refused
    assert await store.append([moved(1, player=BOB.id, after=0)], {}) == {(ROOM, BOB.id)}
    assert [entry.n for entry in await store.entries(ROOM, ADA.id)] == [0, 1, 2]
    assert await store.append([moved(3)], {}) == frozenset()


async def test_an_event_is_refused_unless_the_event_before_it_is_there(store: Store) -> None:
    assert await store.append([joined(2, ADA.id)], {}) == {(ROOM, None)}
    await store.append([RoomAppend(ROOM, 1, OPENED), joined(2, ADA.id)], {})
    assert await store.append([joined(4, BOB.id)], {}) == {(ROOM, None)}
    assert len(await store.events(ROOM)) == 2


async def test_a_move_is_refused_unless_the_room_has_what_it_was_decided_on(store: Store) -> None:
    """The start of a live race may be lost with all that came after it."""
    await store.append([RoomAppend(ROOM, 1, OPENED)], {})
    assert await store.append([moved(1, room=2)], {}) == {(ROOM, ADA.id)}
    both: list[Append] = [moved(1, room=2), joined(2, ADA.id)]
    assert await store.append(both, {}) == frozenset(), "events are written before moves"
    assert await store.append([moved(2, room=1)], {}) == frozenset()


async def test_a_redis_that_does_not_know_the_script_is_taught_it(
    store: Store, client: Redis
) -> None:
    await store.append([moved(1)], {})
    await client.script_flush()
    turn: list[Append] = [moved(2), moved(1, player=BOB.id), joined(1, BOB.id, OTHER)]
    assert await store.append([*turn, moved(5, player=CARL.id)], {}) == {(ROOM, CARL.id)}
    assert await store.append([moved(3), moved(2, player=BOB.id)], {}) == frozenset()


async def test_nothing_to_append_asks_nothing(store: Store) -> None:
    assert await store.append([], {}) == frozenset()


async def test_marks_say_where_seats_stand_whose_log_has_begun(store: Store) -> None:
    await store.append([begun(), moved(1), moved(2)], {})
    await store.append([moved(1, player=BOB.id)], {})
    await store.append([moved(3)], {})
    statuses = await store.statuses(ROOM, [ADA.id, BOB.id, CARL.id])
    assert statuses == {ADA.id: moved(3).status, BOB.id: moved(1).status}
    assert await store.statuses(ROOM, []) == {}


async def test_ids_with_any_signs_keep_their_own_logs(store: Store) -> None:
    odd = [PlayerId(f"discord:{subject}") for subject in ("{K7QPXM}", "a b", "é", "x:room")]
    for i, player in enumerate(odd):
        await store.append([moved(n, player=player) for n in range(1, i + 2)], {})
    statuses = await store.statuses(ROOM, odd)
    assert [statuses[player].moves for player in odd] == [1, 2, 3, 4]


@pytest.mark.parametrize("batch", [1, 3, 1000])
async def test_a_race_read_from_redis_is_the_race(store: Store, batch: int) -> None:
    stage = _played()
    appends: list[Append] = [
        RoomAppend(ROOM, k, event) for k, event in enumerate(stage.room_log, start=1)
    ]
    for player, entries in stage.seat_logs.items():
        # Only the last status of a batch is ever read.
        status = stage.statuses[player]
        appends += [
            SeatAppend(ROOM, player, entry, status, entry.n - 1 or NOTHING) for entry in entries
        ]
    for start in range(0, len(appends), batch):
        assert await store.append(appends[start : start + batch], {}) == frozenset()
    race = Race(ROOM, await store.events(ROOM))
    for player, status in (await store.statuses(ROOM, list(race.seats))).items():
        race.take_status(player, status)
    for player in race.seats:
        race.remember(player, await store.entries(ROOM, player))
    assert everything_of(race, stage.now) == everything_of(stage.race, stage.now)


def _played() -> Stage:
    """A race in which somebody left, somebody won nothing and somebody is in the middle."""
    stage = live(ADA, BOB, CARL, undo=True)
    stage.leave(CARL)
    stage.ready(ADA, BOB)
    stage.wait(3_000)
    for player, moves in ((ADA, 30), (BOB, 12)):
        for _ in range(moves):
            play = stage.race.seats[player.id].play
            assert play is not None
            stage.wait(70).move(player, play.legal[0])
    stage.move(BOB, "resign")
    return stage


# The agenda, the secret, one-time links


async def test_the_agenda_has_the_races_that_become_due(store: Store) -> None:
    await store.append([], {ROOM: 100, OTHER: 200})
    assert await store.due(99) == []
    assert await store.due(100) == [ROOM]
    assert await store.due(2**53) == [ROOM, OTHER]
    await store.append([], {ROOM: 300, OTHER: 0})
    assert await store.due(299) == []
    await store.strike(ROOM)
    assert await store.due(2**53) == []


async def test_the_first_secret_ever_offered_is_everybodys(store: Store) -> None:
    assert await People(store).secret(b"first \xff") == b"first \xff"
    assert await People(store).secret(b"second") == b"first \xff"


async def test_a_link_is_spent_once_and_remembered_for_a_while(store: Store, client: Redis) -> None:
    assert await People(store).spend("once", 600)
    assert not await People(store).spend("once", 600)
    assert await People(store).spend("another", 600)
    assert 590 < await client.ttl("bb:spent:once") <= 600


async def test_keys_are_found_by_how_they_begin(store: Store) -> None:
    await store.append([joined(1, ADA.id), joined(1, ADA.id, OTHER), moved(1)], {ROOM: 5})
    found = [key async for key in store.scan("bb:{K7")]
    assert sorted(found) == [Keys().room_log(ROOM), Keys().seat_log(ROOM, ADA.id)]


# Redis is away, or can't write

Ask = Callable[[Store], Awaitable[object]]
EVERYTHING: dict[str, Ask] = {
    "ping": lambda store: store.ping(),
    "secret": lambda store: People(store).secret(b"candidate"),
    "spend": lambda store: People(store).spend("once", 600),
    "append": lambda store: store.append([moved(1)], {}),
    "agenda": lambda store: store.append([], {ROOM: 5}),
    "events": lambda store: store.events(ROOM),
    "statuses": lambda store: store.statuses(ROOM, [ADA.id]),
    "entries": lambda store: store.entries(ROOM, ADA.id),
    "due": lambda store: store.due(5),
    "strike": lambda store: store.strike(ROOM),
    "expire": lambda store: store.expire(ROOM, [ADA.id], 5),
    "keys": lambda store: anext(store.scan("bb:")),
}


async def test_commands_to_a_killed_redis_raise_and_work_again_when_it_is_back(
    tmp_path: Path,
) -> None:
    with no_redis_left_in(tmp_path / "data") as folder:
        embedded = EmbeddedRedis(folder)
        async with embedded as url, client_of(url) as client:
            store = Store(client)
            await store.append([RoomAppend(ROOM, 1, OPENED), begun(), moved(1)], {ROOM: 5})
            kill_redis(folder, url)
            for ask in EVERYTHING.values():
                with pytest.raises(StoreLost):
                    await ask(store)
            await embedded.ensure()
            assert await store.events(ROOM) == [OPENED]
            assert await store.entries(ROOM, ADA.id) == [begun().entry, moved(1).entry]
            assert await store.due(5) == [ROOM]


@pytest.fixture
async def full(client: Redis) -> AsyncIterator[None]:
    """Redis has no room for anything more."""
    await client.config_set("maxmemory", "1")
    yield
    await client.config_set("maxmemory", "0")


@pytest.mark.usefixtures("full")
async def test_a_redis_that_accepts_no_writes_counts_as_away_and_not_as_a_refusal(
    store: Store,
) -> None:
    """It is no second writer: nothing is told, and it is tried again later."""
    with pytest.raises(StoreLost, match="maxmemory"):
        await store.append([moved(1)], {})
    assert await store.entries(ROOM, ADA.id) == []


async def test_something_else_under_our_keys_is_said_and_left_alone(
    store: Store, client: Redis
) -> None:
    await client.set(Keys().room_log(ROOM), "not ours")
    for ask in (lambda: store.events(ROOM), lambda: store.append([joined(1, ADA.id)], {})):
        with pytest.raises(Damaged, match=r"bb:.K7QPXM.:room: another kind of value is there"):
            await ask()
    assert await client.get(Keys().room_log(ROOM)) == b"not ours"


async def test_a_redis_that_takes_everything_and_answers_nothing_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bigben_server.storage.client.ANSWER_S", 0.1)
    monkeypatch.setattr("bigben_server.storage.pubsub.ANSWER_S", 0.1)

    async def listens(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(listens, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    async with silent, client_of(f"redis://127.0.0.1:{port}") as client:
        wire = pubsub.PubSub(Store(client), "this one")
        wire.publish(*updates_of([moved(1)]))
        for ask in (Store(client).ping(), wire.subscribe(ROOM), wire.flush()):
            with pytest.raises(StoreLost, match="it does not answer"):
                await ask
        await wire.close()

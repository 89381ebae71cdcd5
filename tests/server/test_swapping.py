"""The logs of a race become one value in one step, and logs again: never both, never neither."""

import asyncio
from itertools import count
from threading import Thread, current_thread

import pytest
from tests.server.boards.made import Dies
from tests.server.stage import ADA, BOB
from tests.support.times import HOUR, NOON

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.client import Client, Damaged, StoreLost
from bigben_server.storage.entries import as_sent
from bigben_server.storage.exchange import Raw
from bigben_server.storage.packing import swapping
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.value import Logs, pack, unpack
from bigben_server.storage.race_log import Store

RACE = RaceId("K7QPXM")
JOINED = b'{"type":"joined","player":"%b","name":"Ada","at":1795262400000}'
CLOSED = b'{"type":"closed","at":1795262400000}'
LOGS: Logs = {
    None: [
        (b"1-0", [b"1", JOINED % ADA.id.encode(), b"2", JOINED % BOB.id.encode()]),
        (b"3-0", [b"3", CLOSED]),
    ],
    ADA.id: [
        (b"1-0", [b"1", b"900 3 f9", b"is", b"1 13 900 900 1795262400000 playing"]),
        (b"2-0", [b"2", b"1200 resign", b"is", b"2 13 900 1200 1795262400000 resigned"]),
    ],
    BOB.id: [(b"0-1", [b"0", b"1795262400000 begin", b"is", b"0 12 0 0 1795262400000 playing"])],
}


async def stored(store: Store, race: RaceId = RACE) -> Logs:
    """The logs that are there as logs."""
    players: list[PlayerId | None] = [None, ADA.id, BOB.id]
    keys = [store.keys.log(race, player) for player in players]
    found = await store.ask(*(Raw(("XRANGE", key, "-", "+")) for key in keys))
    return {player: as_sent(log) for player, log in zip(players, found, strict=True) if log}


async def written(store: Store, logs: Logs = LOGS) -> Swaps:
    for player, log in logs.items():
        key = store.keys.log(RACE, player)
        for id_, words in log:
            await store.ask(("XADD", key, id_.decode(), *(word.decode() for word in words)))
    assert same(await stored(store), logs)
    return Swaps(store)


def same(one: Logs, other: Logs) -> bool:
    return {p: [(i, [*w]) for i, w in log] for p, log in one.items()} == dict(other)


async def keys_of(store: Store) -> list[str]:
    return sorted([key async for key in store.scan(store.keys.races)])


async def test_a_packed_race_is_one_value_until_its_logs_are_brought_back(store: Store) -> None:
    swaps, value = await written(store), pack(RACE, LOGS)
    before = await keys_of(store)
    assert await swaps.pack(RACE, value, LOGS)
    assert await keys_of(store) == [store.keys.packed(RACE)]
    assert await store.ask(("GET", store.keys.packed(RACE))) == [value]
    assert not await swaps.pack(RACE, value, LOGS)

    assert await swaps.unpack(RACE, NOON + HOUR)
    assert same(await stored(store), LOGS)
    assert await keys_of(store) == before
    assert await store.ask(("ZSCORE", store.keys.to_pack, RACE)) == [NOON + HOUR]
    assert not await swaps.unpack(RACE, NOON + HOUR)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(("XADD", "seat", "3-0", "3", "1300 turn"), id="a move"),
        pytest.param(("XADD", "room", "4-0", "4", "any"), id="an event"),
        pytest.param(("RENAME", "seat", "other"), id="a seat with another name"),
        pytest.param(("DEL", "room"), id="no room"),
    ],
)
async def test_logs_that_have_changed_are_not_swapped(
    store: Store, change: tuple[str, ...]
) -> None:
    swaps = await written(store)
    names = {"seat": store.keys.log(RACE, ADA.id), "room": store.keys.log(RACE)}
    names["other"] = store.keys.log(RACE, PlayerId("gone:1"))
    await store.ask(tuple(names.get(word, word) for word in change))
    before = await keys_of(store)
    assert not await swaps.pack(RACE, pack(RACE, LOGS), LOGS)
    assert await keys_of(store) == before


async def test_a_room_whose_events_were_rewritten_is_not_swapped(store: Store) -> None:
    swaps, room = await written(store), store.keys.log(RACE)
    id_, words = LOGS[None][0]
    rewritten = [word.replace(ADA.id.encode(), b"gone:1") for word in words]
    await store.ask(
        ("DEL", room),
        ("XADD", room, id_, *rewritten),
        ("XADD", room, LOGS[None][1][0], *LOGS[None][1][1]),
    )
    assert not await swaps.pack(RACE, pack(RACE, LOGS), LOGS)


async def test_a_packed_race_expires_when_its_logs_would_have(store: Store) -> None:
    swaps = await written(store)
    await store.expire(RACE, [ADA.id, BOB.id], 600)
    assert await swaps.pack(RACE, pack(RACE, LOGS), LOGS)
    (left,) = await store.ask(("TTL", store.keys.packed(RACE)))
    assert 0 < left <= 600
    assert await swaps.unpack(RACE, NOON)
    room, seat = await store.ask(
        *(("TTL", store.keys.log(RACE, player)) for player in (None, ADA.id))
    )
    assert room <= left < seat <= left + 60


async def test_two_processes_bring_a_race_back_once(store: Store) -> None:
    swaps = await written(store)
    before = await keys_of(store)
    assert await swaps.pack(RACE, pack(RACE, LOGS), LOGS)
    both = await asyncio.gather(swaps.unpack(RACE, NOON), swaps.unpack(RACE, NOON))
    assert sorted(both) == [False, True]
    assert same(await stored(store), LOGS)
    assert await keys_of(store) == before


async def test_the_event_loop_does_not_wait_until_a_large_value_is_unpacked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    swaps, threads = await written(store), set[Thread]()

    def unpacked(race: RaceId, value: bytes) -> Logs:
        threads.add(current_thread())
        return unpack(race, value)

    monkeypatch.setattr(swapping, "unpack", unpacked)
    monkeypatch.setattr(swapping, "LARGE", 0)
    assert await swaps.pack(RACE, pack(RACE, LOGS), LOGS)
    assert await swaps.unpack(RACE, NOON)
    assert threads
    assert current_thread() not in threads


async def test_what_a_process_that_dies_has_brought_back_expires(client: Client) -> None:
    store = Store(client)
    assert await (await written(store)).pack(RACE, pack(RACE, LOGS), LOGS)
    unfinished: set[str] = set()
    for step in count(1):
        try:
            await Swaps(Dies(client, step)).unpack(RACE, NOON)
        except StoreLost:
            left = [key async for key in store.scan(store.keys.unpacking(RACE, ""))]
            assert -1 not in await store.ask(*(("TTL", key) for key in left))
            unfinished.update(left)
        else:
            break
    assert unfinished
    assert same(await stored(store), LOGS)


async def test_a_damaged_value_stays(store: Store) -> None:
    await store.ask(("SET", store.keys.packed(RACE), b"any"))
    with pytest.raises(Damaged, match=r"\{K7QPXM\}:packed: it can't be unpacked"):
        await Swaps(store).unpack(RACE, NOON)
    assert await keys_of(store) == [store.keys.packed(RACE)]

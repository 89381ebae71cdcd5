"""All logs of a batch are written by one script, and each is refused, damaged or lost alone."""

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis
from tests.server.stage import ROOM
from tests.support.times import NOON

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import (
    BEGIN,
    NOTHING,
    Append,
    Cancelled,
    Entry,
    Joined,
    RoomAppend,
    SeatAppend,
    SeatStatus,
)
from bigben_server.storage.client import Damaged
from bigben_server.storage.keys import Keys
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import MOST_IN_A_CALL, Store

PLAYERS = [PlayerId(f"guest:{i}") for i in range(2 * MOST_IN_A_CALL + 50)]
"""For three calls of the script."""


def move(player: PlayerId, n: int, race: RaceId = ROOM) -> SeatAppend:
    """Entry ``n`` of a seat; 0 begins it."""
    status = SeatStatus("playing", n, 12, n * 10, 0, NOON)
    return SeatAppend(race, player, Entry(n, n * 10, "turn" if n else BEGIN), status, n - 1)


async def calls(client: Redis) -> int:
    """How often a script was run since the statistics were reset."""
    stats = await client.info("commandstats")
    return sum(
        int(stats.get(f"cmdstat_{name}", {}).get("calls", 0)) for name in ("eval", "evalsha")
    )


async def test_a_batch_for_many_logs_needs_few_calls(store: Store, client: Redis) -> None:
    assert move(PLAYERS[0], 0).follows == NOTHING
    assert not await store.append([move(player, 0) for player in PLAYERS], {})
    await client.config_resetstat()
    assert not await store.append([move(player, 1) for player in PLAYERS], {})
    assert await calls(client) == 3
    statuses = await store.statuses(ROOM, PLAYERS)
    assert {status.moves for status in statuses.values()} == {1}
    assert len(statuses) == len(PLAYERS)


async def test_each_log_of_a_call_is_refused_on_its_own(store: Store) -> None:
    await store.append([move(player, 0) for player in PLAYERS], {})
    ahead = PLAYERS[::3]
    await store.append([move(player, 1) for player in ahead], {})
    late = [move(player, 1) for player in PLAYERS]
    assert await store.append(late, {}) == {(ROOM, player) for player in ahead}
    assert not await store.append([move(player, 2) for player in PLAYERS], {})


async def test_a_call_may_have_events_first_entries_and_moves(store: Store) -> None:
    begun, fresh = PLAYERS[0], PLAYERS[1]
    await store.append([move(begun, 0)], {})
    batch: list[Append] = [
        replace(move(fresh, 0), room_events=2),
        move(begun, 1),
        *(RoomAppend(ROOM, k, Joined(player, "", NOON)) for k, player in enumerate(PLAYERS[:2], 1)),
        move(fresh, 1),
    ]
    assert not await store.append(batch, {})
    ended: list[Append] = [
        RoomAppend(ROOM, 3, Cancelled(NOON), (PLAYERS[2], fresh)),
        move(begun, 2),
    ]
    assert await store.append(ended, {}) == {(ROOM, None)}
    assert len(await store.events(ROOM)) == 2
    assert [entry.n for entry in await store.entries(ROOM, begun)] == [0, 1, 2]


async def test_a_log_of_another_kind_is_named_and_the_others_are_written(
    store: Store, client: Redis
) -> None:
    first, damaged, last = PLAYERS[:3]
    await store.append([move(player, 0) for player in (first, last)], {})
    await client.set(Keys().seat_log(ROOM, damaged), "not ours")
    with pytest.raises(Damaged, match=f"bb:.K7QPXM.:seat:{damaged}: another kind of value"):
        await store.append([move(first, 1), move(damaged, 1), move(last, 1)], {})
    statuses = await store.statuses(ROOM, [first, last])
    assert [status.moves for status in statuses.values()] == [1, 1]


async def test_a_batch_that_writes_nothing_is_answered_while_redis_is_away() -> None:
    async with client_of("redis://127.0.0.1:1") as client:
        assert not await Store(client).append([], {})

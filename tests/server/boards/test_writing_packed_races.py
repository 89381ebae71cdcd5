"""Who writes to a packed race brings its logs back first; nothing is lost, and nothing is twice."""

import asyncio
import io
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from tests.server.boards.test_deletion import ADA, BOB, ROOM, play
from tests.server.boards.test_packed_races import Table
from tests.server.boards.test_void import typed
from tests.server.guests import running
from tests.server.packed_by_hand import are_packed, logs_of, pack_closed, pack_race
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import Create, RaceId, Rematch, Room, Rules
from bigben_server.ops import export, long_work, races
from bigben_server.ops.check import damaged
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.delete import delete
from bigben_server.ops.races import void_race
from bigben_server.race.events import Joined, Opened, RematchOpened, RoomAppend
from bigben_server.race.lobby import rematch_codes
from bigben_server.storage.admin import dump, maintenance
from bigben_server.storage.bounds.expiring import Expiring
from bigben_server.storage.client import Client, script
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import is_packed
from bigben_server.storage.opening import client_of
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.value import pack
from bigben_server.storage.packing.work import AGE_MS
from bigben_server.storage.race_log import Store

OPENED = Opened("live", Rules(), "ab" * 32, NOON, host=BOB)


@pytest.fixture
async def packed(store: Store) -> Store:
    """A race of Ada and Bob that is packed."""
    await play(store)
    await pack_race(store, ROOM)
    return store


async def test_its_code_is_taken(packed: Store) -> None:
    first = [RoomAppend(ROOM, 1, OPENED), RoomAppend(ROOM, 2, Joined(BOB, "Bob", NOON))]
    assert await packed.append(first, {}) == {(ROOM, None)}
    assert await are_packed(packed) == [ROOM]


async def test_an_event_is_refused_once_and_finds_the_logs_then(packed: Store) -> None:
    events = await packed.events(ROOM)
    followed = RoomAppend(ROOM, len(events) + 1, RematchOpened(RaceId("REMTCH"), NOON + 5))
    assert await packed.append([followed], {}) == {(ROOM, None)}
    assert await are_packed(packed) == []
    assert await packed.append([followed], {}) == frozenset()
    assert await packed.events(ROOM) == [*events, followed.event]
    (again_at,) = await packed.ask(("ZSCORE", packed.keys.to_pack, ROOM))
    assert again_at == NOON + 5 + AGE_MS


async def test_a_rematch_is_opened_when_the_race_was_just_packed(
    client: Client, store: Store
) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as server:
        table = Table(server, clock)
        ada, bob = [await table.player(name) for name in ("Ada", "Bob")]
        race = await table.live(Create("watch"), ada, bob)
        while race in await store.due():  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0)
        codes = rematch_codes(server.hub.rooms[race].race.opened.server_seed)
        taken, free = islice(codes, 2)
        await store.ask(("SET", store.keys.packed(taken), pack(taken, await logs_of(store, race))))
        await pack_race(store, race)
        ada.say(Rematch(race, ref=7))
        assert (await ada.until(Room, lambda room: room.ref == 7)).race == free
        named: list[RaceId] = []
        while not named:
            events = await store.events(race)
            named = [event.race for event in events if isinstance(event, RematchOpened)]
        assert named == [free]
        assert await are_packed(store) == [taken]


async def test_no_other_script_writes_its_logs(packed: Store) -> None:
    room, count = packed.keys.room_log(ROOM), len(await packed.events(ROOM))
    rewrite = ("EVAL", script("rewrite"), 1, room, count, '["1-0", "1", "{}"]')
    assert await packed.ask(rewrite) == [0]
    assert await are_packed(packed) == [ROOM]


async def test_it_expires_with_all_that_it_had(packed: Store) -> None:
    await packed.ask(("ZREM", packed.keys.closed, ROOM))
    await Expiring(packed).note(ROOM, NOON)
    await Expiring(packed).delete(ROOM, [ADA, BOB])
    assert [key async for key in packed.scan(f"bb:{{{ROOM}}}")] == []


async def everything_done(store: Store) -> list[str]:
    """What is left after commands that change races of the past."""
    await delete(store, ADA, "0123", clock=lambda: NOON)
    await void_race(store, typed(ROOM))
    assert [one async for one in damaged(store, SILENT)] == []
    return [line async for line in exported(store)]


async def test_commands_leave_what_they_leave_of_logs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(races, "now_ms", lambda: NOON + DAY)
    await play(store)
    before = "".join([line async for line in exported(store)])
    left = await everything_done(store)
    await store.ask(("FLUSHALL",))
    await imported(store, io.StringIO(before))
    assert await pack_closed(store) == [ROOM]
    assert await everything_done(store) == left
    assert ADA not in "".join(left)


async def test_a_player_may_be_named_in_a_packed_race_that_cannot_be_read(packed: Store) -> None:
    await packed.ask(("SETRANGE", packed.keys.packed(ROOM), 20, b"???"))
    found = [str(one) async for one in damaged(packed, SILENT)]
    assert len(found) == 1
    assert found[0].startswith(f"{packed.keys.packed(ROOM)}: it can't be unpacked: ")
    with pytest.raises(maintenance.NotDone, match=f"or delete the key bb:.{ROOM}.:packed"):
        await delete(packed, ADA, "0123")


# Swaps between two steps of others


class Interrupted(Store):
    """Something else happens after the n-th command of its next pipeline, as Redis allows."""

    def __init__(self, client: Client, after: int, happens: Any) -> None:
        super().__init__(client)
        self._after, self._happens = after, happens

    async def send(self, commands: Sequence[Command], *, raise_on_error: bool) -> list[Any]:
        happens, self._happens = self._happens, None
        if happens is None:
            return await super().send(commands, raise_on_error=raise_on_error)
        first, rest = commands[: self._after], commands[self._after :]
        before = await super().send(first, raise_on_error=raise_on_error)
        await happens()
        return before + await super().send(rest, raise_on_error=raise_on_error)


@pytest.mark.parametrize("after", range(6))
async def test_a_race_is_read_whole_whenever_it_is_swapped(
    client: Client, store: Store, after: int
) -> None:
    await play(store)
    logs = await logs_of(store, ROOM)

    async def packs() -> None:
        await pack_race(store, ROOM)

    async def unpacks() -> None:
        assert await Swaps(store).unpack(ROOM, 0)

    for happens in (packs, unpacks):
        assert await logs_of(Interrupted(client, after, happens), ROOM) == logs


@pytest.mark.parametrize("after", range(1, 3))
async def test_an_export_has_a_race_that_is_swapped_meanwhile(
    client: Client, store: Store, after: int
) -> None:
    await play(store)
    lines = [line async for line in exported(store)]
    for swap in (lambda: pack_race(store, ROOM), lambda: Swaps(store).unpack(ROOM, 0)):
        assert [line async for line in exported(Interrupted(client, after, swap))] == lines


async def test_an_export_asks_for_no_more_packed_races_at_once_than_a_process_has_room_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(store)
    races = [RaceId(f"COPY{n}") for n in range(6)]
    for race in races:
        await dump.copy_race(store, ROOM, race, NOON)
        await pack_race(store, race)
    lines = [line async for line in exported(store)]
    (size, *_) = await store.ask(*(("STRLEN", store.keys.packed(race)) for race in races))
    asked: list[int] = []

    async def ask(store: Store, keys: Sequence[str]) -> list[str]:
        asked.append(sum(map(is_packed, keys)))
        return [line async for line in dump.lines(store, keys)]

    monkeypatch.setattr(long_work, "_BYTES", 2 * size + 1)
    monkeypatch.setattr(export, "_lines", ask)
    assert [line async for line in exported(store)] == lines
    assert asked == [2, 2, 2]


async def test_a_player_is_deleted_while_races_are_packed_all_the_time(
    redis_url: str, store: Store
) -> None:
    await play(store)
    moves = await store.entries(ROOM, ADA)
    async with client_of(redis_url) as other:
        packer = asyncio.create_task(_pack_all_the_time(Store(other)))
        try:
            instead, _ = await delete(store, ADA, "0123")
        finally:
            packer.cancel()
            await asyncio.wait([packer])
    assert await store.entries(ROOM, instead) == moves
    assert await store.entries(ROOM, ADA) == []
    assert ADA not in "".join([line async for line in exported(store)])
    assert [one async for one in damaged(store, SILENT)] == []


async def _pack_all_the_time(store: Store) -> None:
    while True:
        if ROOM not in await are_packed(store):
            logs = await logs_of(store, ROOM)
            await Swaps(store).pack(ROOM, pack(ROOM, logs), logs)
        await asyncio.sleep(0)

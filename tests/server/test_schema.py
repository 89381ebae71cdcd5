"""The version of the data: who may read them, and when servers may write something newer."""

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.guests import Guest, running
from tests.server.redis_processes import connected
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import DAY, NOON
from tests.support.torture import examples

from bigben_protocol import (
    ClientMessage,
    Create,
    Hello,
    Join,
    Kind,
    PlayerId,
    RaceId,
    Refused,
    Room,
    Rules,
    Welcome,
)
from bigben_rules import GAMES
from bigben_server.ops.admin import admin
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.races import make_void
from bigben_server.race.events import VERSION, Opened, RoomAppend, Voided, version_of
from bigben_server.race.state import Race
from bigben_server.storage import schema
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.client import Client
from bigben_server.storage.embedded import EmbeddedRedis, RedisFailed
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store
from bigben_server.storage.schema import Schema

UPDATING = "The server is being updated; try again in a few minutes."
TOO_NEW = (
    f"The data are of version {VERSION + 1}, and this program reads them up to version {VERSION}: "
    "use the version of Big Ben that wrote them, or a later one."
)


def process(client: Client, name: str, reads: int) -> Schema:
    """A server process that reads data up to this version."""
    return Schema(Store(client), name, reads)


async def version(client: Client) -> int:
    return int(await client.get("bb:{schema}") or 1)


@asynccontextmanager
async def subscribed(client: Client, process: str) -> AsyncIterator[None]:
    """A process that has subscribed as all do since 0.1.0, which announces nothing else."""
    channels = ["bb:processes", f"bb:processes:{process}"]
    pubsub = client.pubsub()
    await pubsub.subscribe(*channels)
    for _ in channels:
        await pubsub.get_message(timeout=PATIENCE_S)
    yield
    await pubsub.unsubscribe()
    for _ in channels:
        await pubsub.get_message(timeout=PATIENCE_S)
    await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py's gap


# Who may raise it


async def test_data_without_a_version_are_raised_by_the_first_process(client: Client) -> None:
    await process(client, "one", 2).join()
    assert await version(client) == 2
    await process(client, "other", 2).join()
    assert await version(client) == 2


async def test_the_version_is_raised_only_after_the_last_old_process_has_left(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    olds, new = [process(client, name, 2) for name in ("a", "b")], process(client, "new", 3)
    for old in olds:
        await old.join()
    await new.join()
    for old in olds:
        for one in (new, old, new):
            await one.beat()
        assert await version(client) == new.store.version == 2
        await old.leave()
    await new.beat()
    assert await version(client) == new.store.version == 3
    assert caplog.text.count("servers of an older version use this Redis") == 1


async def test_a_process_that_was_killed_counts_no_more_after_a_while(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "COUNTS_MS", 40)
    await process(client, "old", 2).join()
    monkeypatch.setattr(schema, "COUNTS_MS", 60_000)
    new = process(client, "new", 3)
    await new.join()
    await asyncio.sleep(0.06)
    await new.beat()
    assert await version(client) == 3


async def test_an_older_server_refuses_newer_data_at_its_start(client: Client) -> None:
    await process(client, "new", VERSION + 1).join()
    with pytest.raises(RedisFailed) as refused:
        await process(client, "old", VERSION).join()
    assert str(refused.value) == TOO_NEW
    assert await client.hkeys("bb:{schema}:readers") == [b"new"], "and delays nobody"


async def test_a_server_of_0_1_0_does_not_announce_itself_and_is_still_waited_for(
    client: Client,
) -> None:
    new = process(client, "new", 2)
    async with subscribed(client, "new"):
        async with subscribed(client, "old"):
            for _ in range(2):
                await new.join()
                assert await version(client) == new.store.version == 1
        await new.beat()
        assert await version(client) == 2


@examples(30)
@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=1, max_size=12))
def test_no_process_ever_serves_data_that_it_can_not_read(
    redis_url: str, arrivals: list[tuple[int, bool]]
) -> None:
    """Processes of all versions arrive at the same moment; some leave at once."""

    async def arrive(client: Client, name: str, reads: int, stays: bool) -> Schema | None:
        one = process(client, name, reads)
        try:
            await one.join()
        except RedisFailed:
            assert one.store.version > reads
            return None
        if not stays:
            await one.leave()
        return one if stays else None

    async def all_arrive() -> None:
        async with client_of(redis_url) as client:
            await client.flushall()
            arrived = await asyncio.gather(
                *(arrive(client, f"{n}", *each) for n, each in enumerate(arrivals))
            )
            serving = [one for one in arrived if one]
            for one in serving:
                await one.beat()
                assert one.store.version <= one.reads
            if serving:
                assert await version(client) == serving[-1].store.version

    asyncio.run(all_arrive())


# What waits for it


@pytest.mark.parametrize("kind", get_args(Kind))
def test_version_1_has_what_0_1_0_reads(kind: Kind) -> None:
    for game in GAMES:
        opened = Opened(kind, Rules(game), "00" * 32, NOON)
        assert version_of(opened) == (1 if game == "bigben" and kind != "deadline" else 2)
    assert version_of(Voided(NOON, "")) == 2 < VERSION


async def test_what_an_older_server_can_not_read_waits_until_it_is_gone(client: Client) -> None:
    store = Store(client)
    one = Schema(store, "test")
    newer: list[ClientMessage] = [
        Create(deadline_at=NOON + DAY),
        Create(game="clock"),
        Create(game="watch", practice=True),
        Join(RaceId("daily.2026-11-21.clock.standard")),
    ]
    async with subscribed(client, "old"):
        await one.join()
        async with running(client, Clock(NOON), store) as app:
            ada = Guest(app)
            await ada.ask(Hello("Ada"), Welcome)
            for message in newer:
                refused = await ada.ask(message, Refused)
                assert refused.text == UPDATING
            await ada.ask(Create(), Room)
            await ada.ask(Create(practice=True), Room)
            await ada.ask(Join(RaceId("daily")), Room)
    await one.beat()
    async with running(client, Clock(NOON), store) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        for message in newer:
            await ada.ask(message, Room)


async def test_no_race_becomes_void_while_an_older_server_may_read_it(client: Client) -> None:
    store, race = Store(client), RaceId("K7QPXM")
    opened = Opened("live", Rules(), "00" * 32, NOON, host=PlayerId("guest:ada"))
    await store.append([RoomAppend(race, 1, opened)], {})
    opened_race, options = Race(race, [opened]), Namespace(progress=SILENT, ranked="all")
    await schema.check_readable(store)
    async with subscribed(client, "old"):
        with pytest.raises(NotDone, match="A server of an older version is running"):
            await make_void(store, opened_race, "a bad deal", options)
    assert await store.events(race) == [opened]
    await make_void(store, opened_race, "a bad deal", options)
    assert await version(client) == VERSION
    assert await client.hkeys("bb:{schema}:readers") == []


# What the operator does


async def test_an_export_has_the_version_and_no_server_reads_a_newer_one(client: Client) -> None:
    store = Store(client)
    await process(client, "new", VERSION).join()
    lines = [line async for line in exported(store)]
    assert not any("readers" in line for line in lines)
    await client.flushall()
    await imported(store, StringIO("".join(lines)))
    assert await version(client) == VERSION
    await client.flushall()
    await process(client, "newer", VERSION + 1).join()
    lines = [line async for line in exported(store)]
    await client.flushall()
    with pytest.raises(NotDone) as refused:
        await imported(store, StringIO("".join(lines)))
    assert str(refused.value) == TOO_NEW


async def test_commands_of_the_operator_refuse_newer_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with EmbeddedRedis(tmp_path / "data") as url:
        with connected(url) as redis:
            redis.set("bb:{schema}", VERSION + 1)
        for command in ("check", "rebuild-boards"):
            assert await asyncio.to_thread(admin, ["--data", str(tmp_path / "data"), command]) == 1
            assert capsys.readouterr().err == f"bigben admin: {TOO_NEW}\n"


@pytest.mark.parametrize("text", ["rubbish", "", "0", "-3", "2.5", "1e3", "9" * 30])
async def test_what_is_no_version_is_refused_in_one_sentence(client: Client, text: str) -> None:
    await client.set("bb:{schema}", text)
    store = Store(client)
    for refused in (process(client, "one", 2).join(), schema.check_readable(store)):
        with pytest.raises(RedisFailed, match=r"The key bb:{schema} should have the version"):
            await refused
    assert await client.get("bb:{schema}") == text.encode()
    assert not await client.exists("bb:{schema}:readers")

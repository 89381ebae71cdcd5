"""``bigben admin unpack``: the way back to a version that knows no packed races."""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.boards.test_admin import run
from tests.server.boards.test_deletion import ADA, ROOM, play
from tests.server.packed_by_hand import are_packed, logs_of, pack_closed
from tests.server.redis_processes import no_redis_left_in

from bigben_protocol import RaceId
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys
from bigben_server.storage.opening import client_of
from bigben_server.storage.packing.value import Logs
from bigben_server.storage.race_log import Store


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("BIGBEN_"):
            monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The data of a server that is not running, and that has packed what it could."""

    async def pack() -> None:
        async with EmbeddedRedis(tmp_path / "data") as url, client_of(url) as client:
            store = Store(client)
            await play(store)
            await pack_closed(store)
            await store.ask(("SET", store.keys.schema, 5))

    with no_redis_left_in(tmp_path / "data") as folder:
        asyncio.run(pack())
        yield folder


def redis(folder: Path, *commands: Command) -> list[object]:
    """The answers of the Redis of these data."""

    async def read() -> list[object]:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            return await Store(client).ask(*commands)

    return asyncio.run(read())


def stored(folder: Path) -> tuple[list[RaceId], Logs, object]:
    """The packed races, the logs of the room, and the version."""

    async def read() -> tuple[list[RaceId], Logs, object]:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            store = Store(client)
            (version,) = await store.ask(("GET", store.keys.schema))
            return await are_packed(store), await logs_of(store, ROOM), version

    return asyncio.run(read())


def test_all_races_are_unpacked_and_older_versions_can_use_the_data(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, logs, _ = stored(folder)
    assert packed == [ROOM]
    assert run(folder, "unpack", "--all") == 0
    assert capsys.readouterr().out.startswith("1 race unpacked. The data are of version 4: ")
    assert stored(folder) == ([], logs, b"4")
    assert run(folder, "unpack", "--all", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"done": True, "unpacked": 0, "version": 4}


def test_a_race_is_unpacked_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "unpack", ROOM) == 0
    assert stored(folder)[::2] == ([], b"5")
    assert run(folder, "unpack", ROOM) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"{ROOM} is unpacked. ")
    assert said[1] == f"{ROOM} is not packed."
    assert run(folder, "unpack") == 1
    assert "name a race, or say --all" in capsys.readouterr().err


def test_the_version_stays_while_a_server_may_run_or_a_race_is_packed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    redis(folder, ("HSET", Keys().readers, "a server", "5 9999999999999"))
    assert run(folder, "unpack", "--all") == 1
    assert "1 race unpacked. A server" in capsys.readouterr().err
    gone = (("DEL", key) for key in (Keys().readers, Keys().room_log(ROOM)))
    redis(folder, *gone, ("SET", Keys().packed(ROOM), "?"))
    assert run(folder, "unpack", "--all") == 1
    said = capsys.readouterr().err
    assert f"{Keys().packed(ROOM)}: it can't be unpacked" in said
    assert "Older versions can't use the data" in said


def test_the_version_stays_while_something_is_in_the_way_of_a_log(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, logs, _ = stored(folder)
    log = Keys().seat_log(ROOM, ADA)
    redis(folder, ("XADD", log, "1-0", "1", "9 turn"))
    assert run(folder, "unpack", "--all") == 1
    said = capsys.readouterr().err
    assert "0 races unpacked. Still packed:" in said
    assert f"{Keys().packed(ROOM)}: another command was unpacking it, or some of its logs" in said
    assert redis(folder, ("GET", Keys().schema), ("DEL", log)) == [b"5", 1]
    assert stored(folder)[0] == packed
    assert run(folder, "unpack", "--all") == 0
    assert stored(folder) == ([], logs, b"4")

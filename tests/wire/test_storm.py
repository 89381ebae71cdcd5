"""Hundreds of strangers at a real server, twice; after each storm it is as before."""

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.server_process import UNHURRIED, ServerProcess, serving
from tests.support.torture import long
from tests.wire.in_process import server_here
from tests.wire.peer import race_to_the_end
from tests.wire.storm import NAMES, storm

from bigben_server.config import Limits
from bigben_server.rooms import app
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Session

STRANGERS = 250
FLAT_KIB = 8 * 1024
"""What a second storm may add to the server's memory.

The first storm fills what is filled once: code, caches, the allocator's arenas. The second one is
the same except for rooms' codes, so everything that it adds is a leak. It sends five thousand
frames over 250 connections. Noise adds about a tenth of this bound; a leak of each connection's
buffers, or of a few copies of each message, exceeds it. The next test finds smaller leaks.
"""


@pytest.fixture(scope="module", params=[1, long(3)], ids="workers={}".format)
def server(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), UNHURRIED, workers=request.param) as one:
        yield one


async def test_after_two_storms_the_server_is_well_and_no_bigger(server: ServerProcess) -> None:
    assert await storm(server.url, 1, STRANGERS) > 4_000
    await race_to_the_end(server.url)
    before = server.memory()
    assert await storm(server.url, 1, STRANGERS) > 4_000
    await race_to_the_end(server.url)
    assert server.memory() - before < FLAT_KIB


async def test_the_log_is_silent_about_the_storm_and_about_players(server: ServerProcess) -> None:
    await storm(server.url, 2, 50)
    assert server.complaints() == []
    log = server.log()
    for secret in (*NAMES[1:], "eyJ", "guest:"):
        assert secret not in log, "names, tokens and players are nobody's business"


async def test_nothing_is_kept_of_peers_that_have_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a session nor a race without subscribers remains, however the peers left."""
    monkeypatch.setattr(app, "AGENDA_S", 0.05)  # how often races without subscribers are dropped
    # Left by earlier tests in this process, and today's daily, which the server checks itself.
    others = alive(Session, Room) + 1
    limits = Limits(messages_per_second=1_000_000, burst=1_000_000, work_per_second=1_000_000)
    async with server_here(tmp_path / "data", limits) as url:
        await storm(url, 3, 80)
        async with asyncio.timeout(PATIENCE_S):
            # Wait until the server has seen them leave; no event says when.
            while alive(Session, Room) > others:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


def alive(*kinds: type) -> int:
    gc.collect()
    return sum(issubclass(type(found), kinds) for found in gc.get_objects())

"""While Redis is away its operator reads what is the matter, not the same line every second."""

import asyncio
import math
from typing import Any

import pytest
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Diff,
    GetGroups,
    Groups,
    Hello,
    Join,
    Move,
    RaceId,
    Ready,
    Room,
    Snapshot,
    Welcome,
)
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import OutageLog


class Seconds:
    """A clock of which the test says when it goes on."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


async def test_a_redis_that_stays_away_is_logged_once_and_so_is_its_return(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bigben_server.supervisor.REVIVE_S", 0)
    tried, back = 0, asyncio.Event()

    async def revive() -> None:
        nonlocal tried
        tried += 1
        if tried < 20:
            raise StoreLost("nobody listens there")
        await Store(client).ping()
        back.set()

    async with running(client, Clock(NOON), revive=revive) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        await ada.ask(Create(), Room)  # of which the process wants to hear
        await client.client_kill_filter(_type="pubsub")
        await back.wait()
        await ada.ask(GetGroups(), Groups)
    assert caplog.messages.count("Redis does not come back: nobody listens there") == 1
    assert caplog.messages.count("Redis is back after 0 s") == 1


class FullStore(Store):
    """A Redis that answers, and takes no results."""

    recoveries = 0
    """How often all of the agenda was read."""
    failed = 0
    """How many results could not be written."""

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if any(command[0] == "HSETNX" for command in commands):
            self.failed += 1
            raise StoreLost("it is full")
        return await super().ask(*commands, raise_on_error=raise_on_error)

    async def due(self, now: float = math.inf) -> list[RaceId]:
        self.recoveries += now == math.inf
        return await super().due(now)


async def test_a_redis_that_answers_and_cannot_write_is_not_recovered_without_pause(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.rooms.app.RECOVER_S", 3_600)
    store = FullStore(client)
    async with running(client, Clock(NOON), store, revive=store.ping) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        ada.say(Join("daily"), Ready("daily"))
        await ada.until(Snapshot)
        await ada.ask(Move("daily", 1, "resign"), Diff)
        async with asyncio.timeout(PATIENCE_S):
            while store.failed < 2:  # the end of the game, and what the recovery finds
                await ada.ask(GetGroups(), Groups)
        for _ in range(50):  # round trips, in any of which it could be recovered again
            await ada.ask(GetGroups(), Groups)
    assert store.recoveries == 2, "at the start, and once after the outage"


class SlowBoards(Store):
    """A Redis in which results are written when the test says so."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.writes = asyncio.Event()

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if any(command[0] == "HSETNX" for command in commands):
            await self.writes.wait()
        return await super().ask(*commands, raise_on_error=raise_on_error)


async def test_a_server_that_stops_records_the_results_that_it_acknowledged(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.rooms.hub.RECORDED_S", PATIENCE_S)
    store = SlowBoards(client)
    async with running(client, Clock(NOON), store) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        ada.say(Join("daily"), Ready("daily"))
        await ada.until(Snapshot)
        await ada.ask(Move("daily", 1, "resign"), Diff)
        stopping = asyncio.create_task(app.hub.settled())
        for _ in range(20):  # round trips, longer than a commit takes
            await ada.ask(GetGroups(), Groups)
        assert not stopping.done()
        store.writes.set()
        await stopping


def test_a_reason_is_logged_when_it_is_new_and_then_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Seconds()
    log = OutageLog(clock)
    for second in range(150):
        clock.now = 1_000.0 + second
        log.away("nobody listens" if second % 10 < 5 else "no route")
    clock.now = 1_150.0
    log.back()
    minutes = ["nobody listens", "no route"] * 3
    assert caplog.messages == [*minutes, "Redis is back after 150 s"]


def test_a_redis_that_comes_and_goes_is_logged_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Seconds()
    log = OutageLog(clock)
    for second in range(0, 120, 4):
        clock.now = 1_000.0 + second
        log.away("it can't write")
        clock.now += 2
        log.back()
    assert caplog.messages == ["it can't write", "Redis is back after 2 s"] * 2


def test_nothing_is_said_of_a_redis_that_was_not_away(caplog: pytest.LogCaptureFixture) -> None:
    OutageLog(Seconds()).back()
    assert caplog.messages == []

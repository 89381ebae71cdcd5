"""Players return the moment a server is up again, while it still records what others finished."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    ClientMessage,
    Diff,
    GetRecord,
    Hello,
    Join,
    Move,
    RaceId,
    Ready,
    Record,
    Resume,
    ServerMessage,
    Snapshot,
    Welcome,
)
from bigben_server.storage.client import Client
from bigben_server.storage.exchange import Command
from bigben_server.storage.race_log import Store

DAILY: Final = RaceId("daily.2026-11-21.bigben.standard")


class SlowResults(Store):
    """A Redis that takes its time to write results, when it is told to."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.records = asyncio.Event()
        self.asked_to_record = asyncio.Event()

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if any(command[0] == "HSETNX" for command in commands):
            self.asked_to_record.set()
            await self.records.wait()
        return await super().ask(*commands, raise_on_error=raise_on_error)


@asynccontextmanager
async def returned(client: Client) -> AsyncIterator[tuple[Guest, SlowResults]]:
    """Ada, with two moves in a daily that Bob has finished, back while his result is recorded."""
    async with running(client, Clock(NOON)) as app:
        ada, bob = Guest(app), Guest(app)
        token = (await ada.ask(Hello("Ada"), Welcome)).token
        await bob.ask(Hello("Bob"), Welcome)
        for guest in (ada, bob):
            guest.say(Join(DAILY), Ready(DAILY))
            await guest.until(Snapshot)
        for n in (1, 2):
            await ada.ask(Move(DAILY, n, "turn"), Diff)
        await bob.ask(Move(DAILY, 1, "resign"), Diff)
    store = SlowResults(client)
    async with running(client, Clock(NOON), store) as app:
        ada = Guest(app)
        await ada.ask(Hello(token=token), Welcome)
        await store.asked_to_record.wait()
        yield ada, store


def at_move_two(message: Any) -> bool:
    """Whether it is the state after Ada's second move."""
    return bool(message.n == 2)


def has_both_moves(record: Record) -> bool:
    """Whether it is the whole of Ada's game."""
    return [move for _, move in record.moves] == ["turn", "turn"]


@pytest.mark.parametrize(
    ("message", "kind", "right"),
    [
        pytest.param(Join(DAILY), Snapshot, at_move_two, id="join"),
        pytest.param(Ready(DAILY), Snapshot, at_move_two, id="ready"),
        pytest.param(Resume(DAILY, 0), Snapshot, at_move_two, id="resume"),
        pytest.param(Move(DAILY, 2, "turn"), Diff, at_move_two, id="move"),
        pytest.param(GetRecord(DAILY), Record, has_both_moves, id="record"),
    ],
)
async def test_a_player_who_returns_while_results_are_recorded_gets_the_truth_at_once(
    client: Client, message: ClientMessage, kind: type[ServerMessage], right: Any
) -> None:
    async with returned(client) as (ada, store):
        assert right(await ada.ask(message, kind))
        assert not store.records.is_set()

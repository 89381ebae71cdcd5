"""What players ask the store for: in turn, few at a time, and no address more than its share."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Curves,
    Diff,
    GetCurves,
    GetLeaderboard,
    GetStandings,
    Hello,
    Join,
    Leaderboard,
    Move,
    PlayerId,
    Ready,
    Refused,
    Room,
    ServerMessage,
    Snapshot,
    Standings,
    Watch,
    Welcome,
)
from bigben_server.race.events import Player
from bigben_server.rooms.app import App
from bigben_server.rooms.session import MOST_READS
from bigben_server.storage.client import Client, script
from bigben_server.storage.exchange import Command
from bigben_server.storage.race_log import Store

MISSING = "ZQ"
"""How the codes of rooms begin that do not exist."""


class SlowToRead(Store):
    """A Redis that answers boards and what is missing when it is let."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.go = asyncio.Event()
        self.go.set()
        self.reads: list[Command] = []

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if slow := [command for command in commands if self._is_slow(command)]:
            self.reads.append(slow[0])
            await self.go.wait()
        return await super().ask(*commands, raise_on_error=raise_on_error)

    def _is_slow(self, command: Command) -> bool:
        is_missing = command[0] == "XRANGE" and MISSING in str(command[1])
        return is_missing or command[1] == script("page")


class From(Guest):
    """A guest whose address counts, and who notices when nothing more is read from them."""

    def __init__(self, app: App, address: str) -> None:
        super().__init__(app)
        self.address = address
        self.holds = 0

    def hold(self) -> None:
        self.holds += 1

    def release(self) -> None:
        self.holds -= 1


@asynccontextmanager
async def reading(client: Client) -> AsyncIterator[tuple[App, SlowToRead]]:
    store = SlowToRead(client)
    async with running(client, Clock(NOON), store) as app:
        store.reads.clear()
        yield app, store


async def guest(app: App, address: str) -> From:
    one = From(app, address)
    await one.ask(Hello("Ada"), Welcome)
    return one


def boards(count: int, first: int = 0) -> list[GetLeaderboard]:
    """Requests for as many pages, none of which is like another."""
    return [GetLeaderboard(start=n, ref=n + 1) for n in range(first, first + count)]


async def until(is_so: Callable[[], object]) -> None:
    """Let the server go on until this is so."""
    async with asyncio.timeout(PATIENCE_S):
        for _ in itertools.count():
            if is_so():
                return
            await asyncio.sleep(0)


async def test_an_address_that_asks_for_very_many_boards_does_not_hold_up_another(
    client: Client,
) -> None:
    async with reading(client) as (app, store):
        crowd, other = await guest(app, "crowd"), await guest(app, "elsewhere")
        store.go.clear()
        crowd.say(*boards(100))
        await until(lambda: len(store.reads) == 8)
        other.say(GetLeaderboard(start=999, ref=999))
        await until(lambda: len(store.reads) == 9)
        assert 999 in store.reads[-1], "it did not wait behind the hundred"
        assert app.queries.reads.waiting == 92
        store.go.set()
        await other.until(Leaderboard)
        for _ in range(100):
            await crowd.until(Leaderboard)


async def test_nor_does_one_that_asks_for_rooms_that_do_not_exist(client: Client) -> None:
    async with reading(client) as (app, store):
        crowd, other = await guest(app, "crowd"), await guest(app, "elsewhere")
        store.go.clear()
        crowd.say(*(GetStandings(f"{MISSING}{a}{b}22") for a in "2345678934" for b in "2345678934"))
        await until(lambda: len(store.reads) == 8)
        other.say(Watch("daily", ref=1), GetLeaderboard(start=999, ref=999))
        await other.until(Room)
        await until(lambda: len(store.reads) == 9)
        store.go.set()
        await other.until(Leaderboard)
        for _ in range(100):
            assert (await crowd.until(Refused)).code == "unknown"


async def test_nobody_waits_for_a_turn_to_enter_a_room_that_is_being_loaded(
    client: Client,
) -> None:
    async with reading(client) as (app, _):
        host = await guest(app, "host")
        race = (await host.ask(Create(), Room)).race
    async with running(client, Clock(NOON), process="another") as app:
        crowd = [await guest(app, "school") for _ in range(20)]
        for one in crowd:
            one.say(Join(race, ref=1))
        assert app.queries.reads.waiting == 0
        for one in crowd:
            assert (await one.until(Room)).race == race


async def test_what_a_connection_asks_of_one_race_is_decided_in_order_however_long_it_waits(
    client: Client,
) -> None:
    async with reading(client) as (app, _):
        host = await guest(app, "host")
        race = (await host.ask(Create(practice=True), Room)).race
        host.say(Ready(race))
        legal = (await host.until(Snapshot)).legal
        player = host.player
    async with running(client, Clock(NOON), process="another") as app:
        again = await guest(app, "host")
        again.player = player
        taken = [app.queries.reads.take("host") for _ in range(99)]
        again.say(Join(race, ref=1), Move(race, 1, legal[0]), GetStandings(race, ref=3))
        await until(lambda: app.queries.reads.waiting == 3)
        for _ in range(sum(taken)):
            app.queries.reads.leave("host")
        heard: list[ServerMessage] = []
        while not any(isinstance(one, Standings) and one.ref == 3 for one in heard):
            heard.append(await again.hears())
        order = [type(one) for one in heard if isinstance(one, Room | Snapshot | Diff | Standings)]
        assert order[0] is Room
        assert order.index(Snapshot) < order.index(Diff) < len(order) - 1
        assert app.queries.reads.take("host"), "no turn is lost"


async def test_when_too_many_wait_the_answer_is_busy_at_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.leaderboards.queries.MOST_WAITING", 10)
    async with reading(client) as (app, store):
        crowd = await guest(app, "crowd")
        store.go.clear()
        crowd.say(*boards(8 + 10))
        await until(lambda: app.queries.reads.waiting == 10)
        for message in (GetLeaderboard(ref=77), GetStandings(f"{MISSING}2222", ref=77)):
            refused = await crowd.ask(message, Refused)
            assert refused.code == "busy"
            assert refused.text == "The server is very busy; try again in a moment."
            assert refused.ref == 77
        other = await guest(app, "elsewhere")
        other.say(*boards(9))
        assert (await crowd.until(Refused)).ref == 18, "the newest, for one from elsewhere"
        store.go.set()
        for _ in range(9):
            await other.until(Leaderboard)
        for _ in range(17):
            await crowd.until(Leaderboard)


async def test_a_connection_with_a_few_unanswered_reads_is_not_read(client: Client) -> None:
    async with reading(client) as (app, store):
        ada = await guest(app, "here")
        store.go.clear()
        ada.say(*boards(MOST_READS - 2))
        ada.say(GetStandings(f"{MISSING}2222"))
        assert ada.holds == 0
        ada.say(*boards(1, first=50))
        assert ada.holds == 1
        store.go.set()
        await ada.until(Leaderboard)
        await until(lambda: ada.holds == 0)


async def test_the_work_of_an_address_is_shared_by_its_connections_whatever_they_ask(
    client: Client,
) -> None:
    async with reading(client) as (app, _):
        one, two = await guest(app, "here"), await guest(app, "here")
        elsewhere = await guest(app, "elsewhere")
        one.say(*(GetStandings("daily", only=("guest:x",)) for _ in range(800)))
        assert one.holds > 0
        assert two.holds == 0, "it waits from its next message on"
        two.say(GetStandings("daily"))
        assert two.holds == 1
        elsewhere.say(GetStandings("daily"))
        assert elsewhere.holds == 0


async def test_a_player_of_another_issuer_has_a_budget_of_their_own(client: Client) -> None:
    async with reading(client) as (app, _):
        crowd = [await guest(app, "bot") for _ in range(2)]
        for n, one in enumerate(crowd):
            one.player = Player(PlayerId(f"discord:{n}"), "Ada")
        one, two = crowd
        assert (one.payer, two.payer) == ("discord:0", "discord:1")
        one.say(*(GetStandings("daily") for _ in range(800)))
        two.say(GetStandings("daily"))
        assert one.holds > 0
        assert two.holds == 0
        guest_there = await guest(app, "bot")
        assert guest_there.payer == "bot"
        assert guest_there.holds == 0


async def test_a_board_is_read_once_a_second_and_shows_what_was_recorded_meanwhile(
    client: Client,
) -> None:
    async with reading(client) as (app, store):
        ada = await guest(app, "here")
        ada.say(Join("daily"), Ready("daily"))
        await ada.until(Snapshot)
        asked = GetLeaderboard()
        for _ in range(5):
            assert (await ada.ask(asked, Leaderboard)).rows == ()
        pages = len(store.reads)
        assert pages < 5
        await ada.ask(Move("daily", 1, "resign"), Diff)
        (row,) = (await ada.ask(asked, Leaderboard)).rows
        assert row.name == "Ada"


async def test_the_curves_of_a_race_are_read_in_one_pipeline_and_other_races_do_not_wait(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[Command]] = []
    held, go = "", asyncio.Event()

    class Counting(Store):
        async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
            logs = [command for command in commands if command[0] == "XRANGE"]
            if logs and app.hub.rooms:
                asked.append(logs)
                if held and held in str(logs[0][1]):
                    await go.wait()
            return await super().ask(*commands, raise_on_error=raise_on_error)

    async with running(client, Clock(NOON), Counting(client)) as app:
        deadline = NOON + 3_600_000
        races = []
        for _ in range(2):
            players = [await guest(app, f"of {n}") for n in range(5)]
            race = (await players[0].ask(Create("clock", deadline_at=deadline), Room)).race
            for one in players:
                one.say(Join(race), Ready(race))
                await one.until(Snapshot)
                await one.ask(Move(race, 1, "resign"), Diff)
            races.append((race, players))
        (held, first), (other, second) = races
        asked.clear()
        first[0].say(GetCurves(held, ref=1))
        await until(lambda: asked)
        assert len((await second[0].ask(GetCurves(other, ref=2), Curves)).curves) == 5
        go.set()
        assert len((await first[0].until(Curves)).curves) == 5
        assert [len(logs) for logs in asked] == [5, 5]

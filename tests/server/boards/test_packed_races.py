"""Packed races: everything that could be asked of the logs can be asked of the value."""

import argparse
import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.guests import Guest, running
from tests.server.packed_by_hand import are_packed, pack_closed
from tests.support.clock import Clock
from tests.support.times import DAY, HOUR, NOON

from bigben_protocol import (
    CERTIFICATE,
    ClientMessage,
    Create,
    Diff,
    GetCurves,
    GetHint,
    GetRecord,
    GetStandings,
    Hello,
    Join,
    Leave,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Rematch,
    Resume,
    Room,
    Snapshot,
    Watch,
    Welcome,
)
from bigben_server.ops.check import damaged
from bigben_server.ops.export import exported
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.delete import delete
from bigben_server.ops.people.export import player_data
from bigben_server.ops.races import void_race
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.daily import daily_named
from bigben_server.rooms import app
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store
from bigben_server.thinking.pool import Urgent
from bigben_solver.hints.best import Hint

MOST_MOVES = 20
TODAY = daily_named("daily", NOON + DAY).id


class Player(Guest):
    """A player who keeps what they hear, and can come back."""

    def __init__(self, server: App) -> None:
        super().__init__(server)
        self.frames: list[bytes] = []
        self.token = ""

    def write(self, frames: list[bytes]) -> None:
        self.frames += frames
        super().write(frames)

    async def hello(self, name: str, token: str = "") -> "Player":
        welcome = await self.ask(Hello(name, token), Welcome)
        self.token = welcome.token or token
        return self


class Thinker:
    """Computes in place of the pool, and prepares no dailies."""

    def check(self) -> None:
        pass

    async def ask(self, function: Callable[..., Hint], *args: object, urgent: Urgent) -> Hint:
        return function(*args)


def id_of(player: Player) -> PlayerId:
    assert player.player, "they said hello"
    return player.player.id


class Table:
    """Players at a server, and the races that they have played."""

    def __init__(self, server: App, clock: Clock[int]) -> None:
        self._server, self._clock = server, clock
        self._random = Random(7)

    async def player(self, name: str) -> Player:
        return await Player(self._server).hello(name)

    async def live(self, create: Create, *players: Player) -> RaceId:
        """A live race that is played to its end."""
        host, *others = players
        race = await self.enters(host, create)
        for one in others:
            await self.enters(one, Join(race))
        for one in players:
            one.say(Ready(race))
        await host.until(Room, lambda room: room.race == race and room.phase == "countdown")
        self._clock.now += COUNTDOWN_MS
        self._server.hub.tick()
        for one in players:
            await self.play(one, race)
        return RaceId(race)

    async def enters(self, player: Player, request: Create | Join) -> RaceId:
        player.say(replace(request, ref=1))
        return RaceId((await player.until(Room, lambda room: room.ref == 1)).race)

    async def play(self, player: Player, race: str, *, to_the_end: bool = True) -> None:
        """Random moves at random times, then a resignation."""
        game: Snapshot | Diff = await player.until(Snapshot, lambda shown: shown.race == race)
        while game.state == "playing":
            self._clock.now += self._random.randrange(1, 5_000)
            legal = game.legal if isinstance(game.legal, tuple) else ()
            ends = not legal or game.n >= MOST_MOVES
            if ends and not to_the_end:
                return
            move = "resign" if ends else self._random.choice(legal)
            player.say(Move(race, game.n + 1, move))
            game = await player.until(Diff, lambda diff: diff.race == race)


@pytest.fixture
def clock() -> Clock[int]:
    return Clock(NOON)


class Season:
    """What was played, and who came."""

    def __init__(self) -> None:
        self.races: dict[str, RaceId] = {}
        self.tokens: dict[str, str] = {}
        self.players: list[PlayerId] = []


@pytest.fixture
async def season(
    client: Client, store: Store, clock: Clock[int], monkeypatch: pytest.MonkeyPatch
) -> Season:
    """Closed races of every kind, recorded and settled."""
    monkeypatch.setattr(app, "AGENDA_S", 0.05)
    made, races = Season(), dict[str, RaceId]()
    async with running(client, clock) as server:
        table = Table(server, clock)
        ada, bob, dan = [await table.player(name) for name in ("Ada", "Bob", "Dan")]
        races["live"] = await table.live(Create(), ada, bob)
        ada.say(Rematch(races["live"]))
        rematch = await ada.until(Room, lambda room: room.race not in races.values())
        races["cancelled"] = RaceId(rematch.race)
        for game, rules in (("watch", "standard"), ("germanclock", "1")):
            races[game] = await table.live(Create(game, rules, undo=True), ada, bob)
        races["void"] = await table.live(Create("travellers"), bob, ada)
        races["deleted"] = await table.live(Create(), dan, ada)
        races["broken"] = await table.live(Create("grandfathersclock"), ada, bob)
        until = clock.now + 5 * HOUR
        deadline = Create("grandfathersclock", deadline_at=until, limit_ms=HOUR)
        races["deadline"] = race = await table.enters(bob, deadline)
        await table.enters(ada, Join(race))
        for one in (ada, bob):
            one.say(Ready(race))
            await table.play(one, race, to_the_end=one is ada)
        races["daily"] = daily = RaceId("daily.2026-11-21.hideandseek.standard")
        for one in (ada, bob, dan):
            await table.enters(one, Join(daily))
            if one is not dan:
                one.say(Ready(daily))
                await table.play(one, daily)
        races["practice"] = practice = await table.enters(ada, Create(practice=True))
        ada.say(Ready(practice))
        await table.play(ada, practice)
        await store.ask(("XDEL", store.keys.seat_log(races["broken"], id_of(ada)), "3-0"))
        clock.now += DAY
        # Until all is recorded and settled, and a server has opened what it opens by itself.
        while {*await store.due()} != {TODAY} or await Ledger(store).next():
            server.hub.tick()
            await asyncio.sleep(0)
        made.tokens = {name: one.token for name, one in (("Ada", ada), ("Bob", bob))}
        made.players = [id_of(ada), id_of(bob)]
    await void_race(
        store,
        argparse.Namespace(race=races["void"], reason="a test", progress=SILENT, ranked="all"),
    )
    instead, _ = await delete(store, id_of(dan), "0123", clock=clock)
    made.players.append(instead)
    made.races = races
    return made


def questions(season: Season, race: RaceId) -> Iterator[ClientMessage]:
    """What can be asked of a race."""
    yield Resume(race)
    yield Resume(race, since=3)
    yield Watch(race)
    yield GetStandings(race)
    yield GetCurves(race)
    for player in (*season.players, CERTIFICATE):
        yield GetRecord(race, player)
        yield GetHint(race, 3, player)
    yield Leave(race)


async def answers(player: Player, season: Season, race: RaceId) -> list[bytes]:
    """What a player hears of a race, but for who else is there just now."""
    heard: list[bytes] = []
    for ref, question in enumerate(questions(season, race), start=1):
        player.frames.clear()
        player.say(replace(question, ref=ref))
        while b'"ref":%d' % ref not in b"".join(player.frames):
            await player.hears()
        heard += [frame for frame in player.frames if b'"room"' not in frame or b'"ref"' in frame]
    return heard


async def at_a_server(client: Client, clock: Clock[int], season: Season) -> dict[str, list[bytes]]:
    """What players, and a stranger, hear of everything at a server that has just started."""
    found: dict[str, list[bytes]] = {}
    async with running(client, clock) as server:
        pool: Any = Thinker()
        server.hub.hinting.hints.pool = pool
        for name in ("Ada", "Bob", "Eve"):
            player = await Player(server).hello(name, season.tokens.get(name, ""))
            for race in season.races.values():
                found[f"{race} {name}"] = await answers(player, season, race)
    return found


async def everything_asked(
    client: Client, store: Store, clock: Clock[int], season: Season
) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {**await at_a_server(client, clock, season)}
    found["export"] = [line async for line in exported(store)]
    found["check"] = [str(one) async for one in damaged(store, SILENT)]
    found["players"] = [
        await player_data(store, one, SILENT, ranked="all") | {"at": 0}
        for one in season.players[:2]
    ]
    return found


async def test_all_that_can_be_asked_of_races_is_the_same_when_they_are_packed(
    client: Client, store: Store, clock: Clock[int], season: Season
) -> None:
    before = await everything_asked(client, store, clock, season)
    assert {*await pack_closed(store)} >= {*season.races.values()}
    assert await are_packed(store)
    after = await everything_asked(client, store, clock, season)
    for asked, answer in before.items():
        assert after[asked] == answer, asked

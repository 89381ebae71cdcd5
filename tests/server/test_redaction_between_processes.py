"""No card reaches a viewer by way of another process, however it has heard of the race.

The two worlds of ``test_redaction.py`` on three processes each. The rivals change theirs meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Final

import pytest
from tests.server.guests import SECRET, Guest, running
from tests.server.stage import ADA, BOB, CARL, DORA, ROOM
from tests.server.two_worlds import (
    BIG_BEN,
    IN_FANS,
    MASK,
    SEEDS,
    Order,
    a_deadline,
    alike,
    orders_that_agree,
)
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON
from tests.support.torture import a_seed, often

from bigben_protocol import (
    CODECS,
    ClientMessage,
    Codec,
    Diff,
    Explain,
    GetCurves,
    GetRecord,
    GetStandings,
    Hello,
    Join,
    Move,
    Progress,
    Ready,
    Resume,
    Room,
    Snapshot,
    Standings,
    State,
    Watch,
    Welcome,
)
from bigben_rules import commitment
from bigben_server.accounts.tokens import GUEST, Issuers
from bigben_server.race.events import Player, RoomAppend
from bigben_server.race.game import Play
from bigben_server.race.state import Race
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store

PROCESSES: Final = 3
STEPS: Final = 25


class Viewer(Guest):
    """A guest of whom every byte is kept that they receive."""

    def __init__(self, app: App, codec: Codec) -> None:
        super().__init__(app)
        self.codec = codec
        self.received: list[bytes] = []

    def leave(self) -> None:
        self._app.hub.leave(self)

    def write(self, frames: list[bytes]) -> None:
        self.received += frames
        for frame in frames:
            text = frame.decode() if self.codec.text else frame
            self._heard.put_nowait(self.codec.decode_server(text))

    async def hears_of(self, player: Player, state: State, moves: int = 0) -> None:
        """Wait until this viewer is told that a seat is like this."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                told = await self.hears()
                seats = told.seats if isinstance(told, Room | Progress) else ()
                if (player.id, state, moves) in [(s.player, s.state, s.moves) for s in seats]:
                    return


class World:
    """One race on several processes, and its players wherever they are now."""

    def __init__(self, apps: list[App], order: Order, seed: bytes) -> None:
        self.apps = apps
        self.at: dict[Player, Viewer] = {}
        self.plays: dict[Player, Play] = {}
        self._order, self._seed = order, seed

    async def arrive(self, player: Player, process: int, codec: str) -> Viewer:
        """Connect there, and only then leave where the player was before."""
        before = self.at.get(player)
        viewer = self.at[player] = Viewer(self.apps[process], CODECS[codec])
        viewer.received = before.received if before else []
        token = Issuers(SECRET, {}).mint(GUEST, player, NOON)
        await viewer.ask(Hello(token=token), Welcome)
        if before:
            await viewer.ask(Resume(ROOM, ref=1), Room)
            before.leave()
        return viewer

    async def begin(self, player: Player) -> None:
        await self.at[player].ask(Join(ROOM, ref=1), Room)
        await self._told(player, "joined")
        await self.at[player].ask(Ready(ROOM), Snapshot)
        await self._told(player, "playing")
        dealt = BIG_BEN.deal(self._order, "standard")
        self.plays[player] = Play(ROOM, dealt, NOON, undo=False)

    async def move(self, player: Player, move: str) -> None:
        """Move, and wait until everybody has heard of it."""
        play = self.plays[player]
        play.play(move, 0)
        await self.at[player].ask(Move(ROOM, play.n, move), Diff)
        await self._told(player, "playing", play.n)

    async def resign(self, player: Player) -> None:
        n = self.plays[player].n + 1
        await self.at[player].ask(Move(ROOM, n, "resign"), Diff)
        await self._told(player, "resigned", n)

    async def _told(self, player: Player, state: State, moves: int = 0) -> None:
        for other in self.at.keys() - {player}:
            await self.at[other].hears_of(player, state, moves)

    def frames(self, viewer: Player) -> list[bytes]:
        own = commitment(self._seed)
        return [frame.replace(own.encode(), MASK) for frame in self.at[viewer].received]


@asynccontextmanager
async def two_worlds(
    client: Client, monkeypatch: pytest.MonkeyPatch, orders: tuple[Order, ...]
) -> AsyncIterator[list[World]]:
    """The same race with each of these orders of the cards, on processes of its own."""
    dealt = {seed.hex(): order for seed, order in zip(SEEDS, orders, strict=True)}
    monkeypatch.setattr(Race, "order", property(lambda race: dealt[race.opened.server_seed]))
    async with AsyncExitStack() as stack:
        worlds: list[World] = []
        for seed, events, order in zip(SEEDS, a_deadline(ADA), orders, strict=True):
            store = Store(client, keys=Keys(seed.hex()[:4]))
            await store.append([RoomAppend(ROOM, 1, events[0])], {})
            apps = [
                await stack.enter_async_context(
                    running(client, Clock(NOON), Store(client, keys=store.keys), process=f"p{n}")
                )
                for n in range(PROCESSES)
            ]
            assert all(app.hub.rooms.pubsub.relays for app in apps)
            worlds.append(World(apps, order, seed))
        yield worlds


def questions(random: Random) -> ClientMessage:
    """What viewers may ask about the others, allowed or not."""
    return random.choice(
        (
            GetRecord(ROOM, BOB.id),
            GetRecord(ROOM, CARL.id),
            GetStandings(ROOM),
            GetCurves(ROOM, (BOB.id,)),
            Explain(ROOM, "s", "1"),
            Watch(ROOM, ref=2),
        )
    )


@pytest.mark.longer
@pytest.mark.parametrize("run", range(often(2, 60)))
async def test_no_card_reaches_a_player_or_watcher_by_way_of_another_process(
    client: Client, monkeypatch: pytest.MonkeyPatch, run: int
) -> None:
    random = Random(f"{a_seed()} {run}")
    most = random.randrange(10)
    orders = orders_that_agree(random.randbytes(32), random, IN_FANS + most)
    watched = orders_that_agree(random.randbytes(32), random, 0)
    viewer, orders = random.choice(((ADA, orders), (DORA, watched)))
    async with two_worlds(client, monkeypatch, orders) as worlds:
        await play_alike(worlds, viewer, random, most)
        one, other = (world.frames(viewer) for world in worlds)
        assert one == other
        for seed in SEEDS:
            assert not any(seed.hex().encode() in frame for frame in one + other)
        if viewer is DORA:
            bobs, bobs_there = (world.frames(BOB) for world in worlds)
            assert bobs != bobs_there, "whoever sees any cards sees others"


async def play_alike(worlds: list[World], viewer: Player, random: Random, most: int) -> None:
    """Let the viewer play and ask, and the rivals do what looks the same and change processes."""
    codecs = list(CODECS)
    for player in (viewer, BOB, CARL):
        process, codec = random.randrange(PROCESSES), random.choice(codecs)
        for world in worlds:
            await (await world.arrive(player, process, codec)).ask(Watch(ROOM, ref=1), Room)
    for player in (BOB, CARL) if viewer is DORA else (viewer, BOB, CARL):
        for world in worlds:
            await world.begin(player)
    for step in range(STEPS):
        if viewer is ADA and step == STEPS * 2 // 3:
            for world in worlds:
                await world.resign(ADA)
        what, choice = random.randrange(8), random.randrange(2**16)
        rival = random.choice((BOB, CARL))
        if what == 0:
            process, codec = random.randrange(PROCESSES), random.choice(codecs)
            for world in worlds:
                await world.arrive(rival, process, codec)
        elif what == 1:
            asked = questions(random)
            for world in worlds:
                world.at[viewer].say(asked)
                await world.at[viewer].ask(GetStandings(ROOM), Standings)
        elif what == 2 and viewer is ADA and step < STEPS // 2 and worlds[0].plays[ADA].n < most:
            for world in worlds:
                await world.move(ADA, "turn")
        else:
            moves = alike([world.plays[rival] for world in worlds], choice)
            for world, move in zip(worlds, moves, strict=False):
                await world.move(rival, move)

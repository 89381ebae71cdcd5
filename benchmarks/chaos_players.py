"""Players who race, practise and play the daily endlessly, and remember acknowledged moves.

Half of them name their race in the address that they connect to, others none or another one.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

from benchmarks.chaos_checks import Acknowledged, Witness, faults_of
from benchmarks.servers import PATIENCE_S
from bigben_client import Client, RefusedError
from bigben_client.connection.address import Address
from bigben_client.connection.backoff import Backoff
from bigben_protocol import Reveal

AT_A_TABLE = 4
"""How many players race each other, spread over all servers."""
TIME_LIMITS_MS = (3_600_000, 3_600_000, 5_000)
"""Time limits of live races; one is so short that games time out."""
STRETCH = 10
"""Moves in the daily, and in the race with a deadline, between two practice games."""
DAY_MS = 86_400_000


@dataclass
class Tally:
    """The result of a run."""

    kills: dict[str, int] = field(default_factory=dict)
    finished: list[int] = field(default_factory=list)
    """How many seats were over in running races, at each kill."""
    games: int = 0
    races: int = 0
    """The number of closed live races."""
    acknowledged: int = 0
    packed: int = 0
    """How often a closed race was packed."""
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kills = ", ".join(f"{what} {n}" for what, n in self.kills.items())
        return (
            f"kills: {kills}; games: {self.games}; closed races: {self.races}; packed:"
            f" {self.packed}; acknowledged moves: {self.acknowledged}; lost, doubled, forked or"
            f" untrue: {len(self.faults)}"
        )


class Stuck(RuntimeError):
    """A player waits too long. The text has the state of every player."""


class Player:
    """One client that plays several games at once, and remembers what was acknowledged."""

    def __init__(self, client: Client, number: int, draw: random.Random) -> None:
        self.client = client
        self.games: dict[str, Acknowledged] = {}
        self.finished: set[str] = set()
        """Running races in which this player's seat is over."""
        self.witness = Witness(client)
        self.reveals: dict[str, Reveal] = {}
        self.daily = ""
        self.stopping = False
        self._number = number
        self._draw = draw
        self._moved = asyncio.Event()
        self._news = asyncio.Event()

    def __str__(self) -> str:
        client = self.client
        stand = [
            f"{room.race} {room.phase} {view.n if view else '-'} {view.state if view else ''}"
            for room in client.rooms.values()
            for view in (client.views.get(room.race),)
        ]
        return f"{client.player} connected={client.connected}: {', '.join(stand)}"

    async def listen(self) -> None:
        """Handle all events, until cancelled."""
        async for event in self.client.events():
            self.witness.hear(event)
            if isinstance(event, Reveal):
                self.reveals[event.race] = event
            self._news.set()
            self._news = asyncio.Event()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until the condition holds after an event."""
        while not holds():
            await self._news.wait()

    async def move_again(self) -> None:
        """Wait for the next acknowledged move."""
        self._moved.clear()
        await self._moved.wait()

    def stop(self) -> None:
        """Start nothing new, and resign in races in which others wait."""
        self.stopping = True

    async def play_alone(self, deadline: str) -> None:
        """Join the daily and a race with a deadline; play both, and practice games in between.

        Half of the players give the daily up early, so that they have a result.
        """
        await self.client.join(deadline)
        await self.client.ready(deadline)
        room, _ = await asyncio.gather(self.client.join("daily"), self.client.ready("daily"))
        self.daily = room.race
        gives_up_after = 1 + self._number if self._number % 2 == 0 else 1_000
        while not self.stopping:
            moves = self.games.get(self.daily, [])
            stretch = gives_up_after if gives_up_after < 1_000 else len(moves) + STRETCH
            await self.play(self.daily, stretch, resign=gives_up_after < 1_000)
            own_clock = len(self.games.get(deadline, [])) + STRETCH
            await self.play(deadline, own_clock, resign=False)
            await self._practise()

    async def race(self, race: str, draw: random.Random) -> None:
        """Play a live race until all of it is over."""
        await self.client.ready(race)
        await self.play(race, draw.choice((2, 20, 60)), resign=True)
        await self.until(lambda: self.client.rooms[race].phase == "closed" and race in self.reveals)
        self.finished.discard(race)
        await self.client.leave(race)

    async def play(self, race: str, most: int, *, resign: bool) -> None:
        """Play until there are ``most`` moves, the game is over, or the time is up."""
        await self.until(lambda: race in self.client.views)
        acknowledged = self.games.setdefault(race, [])
        while self._goes_on(race) and (resign or len(acknowledged) < most):
            view = self.client.views[race]
            gives_up = len(acknowledged) >= most - 1 or (self.stopping and resign)
            move = "resign" if gives_up and resign else self._draw.choice(view.legal or ("undo",))
            try:
                diff = await self.client.move(race, move)
            except RefusedError as refusal:
                if self.client.now_at() < self.client.rooms[race].closes_at:
                    self.witness.faults.append(f"{race}: {move} was refused: {refusal}")
                return
            acknowledged.append((diff.n, diff.move))
            self._moved.set()
        if self.client.views[race].state != "playing":
            self.finished.add(race)

    def _goes_on(self, race: str) -> bool:
        phase, state = self.client.rooms[race].phase, self.client.views[race].state
        return (phase, state) == ("running", "playing")

    async def _practise(self) -> None:
        race = (await self.client.create(practice=True)).race
        await self.client.ready(race)
        await self.play(race, 120, resign=True)
        self.finished.discard(race)
        await self.client.leave(race)


async def race_for_ever(table: Sequence[Player], draw: random.Random, races: list[str]) -> None:
    """Let these players race each other until they stop. Closed races are added to ``races``."""
    host, *others = table
    while not host.stopping:
        race = (await host.client.create(limit_ms=draw.choice(TIME_LIMITS_MS))).race
        await asyncio.gather(*(other.client.join(race) for other in others))
        await asyncio.gather(*(player.race(race, draw) for player in table))
        races.append(race)


@asynccontextmanager
async def playing(
    urls: Sequence[str], clients: int, draw: random.Random, tally: Tally
) -> AsyncIterator[list[Player]]:
    """Clients that play on the servers at these addresses. At the end ``tally`` is complete."""
    async with AsyncExitStack() as stack:
        players = [
            Player(
                await stack.enter_async_context(_client(urls[i % len(urls)], i)),
                i,
                random.Random(draw.random()),
            )
            for i in range(clients)
        ]
        races: list[str] = []
        async with asyncio.TaskGroup() as group:
            ears = [group.create_task(player.listen()) for player in players]
            deadline = await players[0].client.create(
                rules="book", deadline_at=players[0].client.now_at() + DAY_MS, limit_ms=0
            )
            tasks = [group.create_task(player.play_alone(deadline.race)) for player in players]
            for first in range(0, clients - 1, AT_A_TABLE):
                table = players[first : first + AT_A_TABLE]
                racing = race_for_ever(table, random.Random(draw.random()), races)
                tasks.append(group.create_task(racing))
            await all_move(players)
            yield players
            await all_move(players)
            for player in players:
                player.stop()
            async with patience(players):
                await asyncio.gather(*tasks)
            async with patience(players):
                tally.faults += await faults_of(players, races)
            for ear in ears:
                ear.cancel()
        tally.races = len(races)
        tally.games += sum(len(player.games) for player in players)
        tally.acknowledged += sum(len(moves) for p in players for moves in p.games.values())


async def all_move(players: Sequence[Player]) -> None:
    """Wait until every player is connected and has moved. Raises Stuck."""
    async with patience(players):
        await asyncio.gather(*(player.move_again() for player in players))


@asynccontextmanager
async def patience(players: Sequence[Player]) -> AsyncIterator[None]:
    """Raises Stuck if the block takes too long."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield
    except TimeoutError:
        raise Stuck("\n".join(map(str, players))) from None


class _Misleading(Address):
    """An address that names the race of nobody."""

    def naming(self, race: str) -> str:
        return f"{self.url}/?race=ZZZZZZ"


class _Older(Address):
    """An address as older clients have it, which name no race."""

    def naming(self, race: str) -> str:
        return self.url


ADDRESSES = (Address, _Older, Address, _Misleading)
"""Of one player after another, at a table each of them."""


def _client(url: str, i: int) -> Client:
    client = Client(url, name=f"Player {i}", backoff=Backoff(first=0.05, longest=0.5))
    reconnector = client._reconnector  # pyright: ignore[reportPrivateUsage]
    dialling = reconnector.dialling
    kind = ADDRESSES[i % len(ADDRESSES)]
    reconnector.dialling = replace(dialling, address=kind(*dialling.address))
    return client

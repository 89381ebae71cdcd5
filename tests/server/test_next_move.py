"""A next move is decided at once; the answers are those that every other request would get."""

import asyncio
import secrets
from collections.abc import Callable
from random import Random

import pytest
from tests.server.guests import running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import HOUR, NOON
from tests.support.torture import tortured

from bigben_protocol import (
    CODECS,
    JSON,
    ClientMessage,
    Create,
    GetStandings,
    Hello,
    Join,
    Leave,
    Move,
    RaceId,
    Ready,
    Resume,
    ServerMessage,
    Watch,
    Welcome,
)
from bigben_server.rooms import app
from bigben_server.rooms.app import App
from bigben_server.rooms.decider import Decider
from bigben_server.rooms.session import Session
from bigben_server.storage.client import Client

NONCE = "0123456789abcdef" * 4
SECOND = 1_000
TEXTS = ("deal", "turn", "undo", "3 5", "12 fdn", "nonsense", " UNDO ")


class Line(Session):
    """A connection whose frames are kept, in the writes in which they came."""

    def __init__(self, app: App) -> None:
        super().__init__(CODECS[JSON])
        self._app = app
        self.written: list[list[bytes]] = []

    def frame(self, message: ServerMessage) -> bytes:
        return self.codec.encode(message)

    def write(self, frames: list[bytes]) -> None:
        self.written.append(frames)

    def close(self, code: int, reason: str) -> None:
        self._app.hub.leave(self)
        self.written.append([f"closed: {code} {reason}".encode()])


class Conversation:
    """Three players race, one of them on two devices; a fourth watches, a fifth never says hello.

    What they say depends on the random numbers and on the race, not on how moves are decided.
    """

    def __init__(self, app: App, clock: Clock[int], random: Random) -> None:
        self._app, self._clock, self._random = app, clock, random
        self._lines = [Line(app) for _ in range(6)]
        self._race = RaceId("")

    async def held(self) -> list[list[list[bytes]]]:
        """Everything that each connection was sent."""
        random, lines = self._random, self._lines
        for number, line in enumerate(lines[:4]):
            await self._hello(line, Hello(name=f"Player {number}"))
        told = lines[0].codec.decode_server(b"".join(lines[0].written[0]).decode())
        assert isinstance(told, Welcome)
        await self._hello(lines[4], Hello(token=told.token))  # another device
        await self._say((lines[0], Create(limit_ms=2 * HOUR, undo=True)))
        self._race = lines[0].subscriptions.races()[0]
        for line in lines[1:3]:
            await self._say((line, Join(self._race)))
        for line in lines[:3]:
            await self._say((line, Ready(self._race, NONCE)))
        for step in range(150):
            # Sometimes during the countdown, often soon, at last after the end; or set back.
            self._clock.now += random.choice((0, 1, 500, SECOND, 9 * SECOND, -1, -5 * SECOND))
            if step == 140:
                self._clock.now += 2 * HOUR
            self._app.hub.tick()
            burst = random.choice((1, 1, 1, 2, 3))
            await self._say(*(self._something() for _ in range(burst)))
        return [line.written for line in lines]

    async def _hello(self, line: Line, hello: Hello) -> None:
        self._app.hub.receive(line, hello)
        await until(lambda: bool(line.written))

    async def _say(self, *burst: tuple[Line, ClientMessage]) -> None:
        hub = self._app.hub
        for line, message in burst:
            hub.receive(line, message)
        await hub.settled()
        await until(lambda: not hub.rooms.reconciling)
        await hub.settled()

    def _something(self) -> tuple[Line, ClientMessage]:
        random, race = self._random, self._race
        line = random.choice((*self._lines, *self._lines[:3] * 3))
        if random.random() < 0.8:
            return line, self._move(line)
        others: tuple[ClientMessage, ...] = (
            Join(race, 5),
            Watch(race, 6),
            Leave(race, 7),
            Resume(race, random.randrange(3), 8),
            GetStandings(race, 9),
            Move(race, random.randrange(20), "resign"),
        )
        return line, random.choices(others, (4, 1, 4, 4, 1, 1))[0]

    def _move(self, line: Line) -> Move:
        random, seats = self._random, self._app.hub.rooms[self._race].race.seats
        seat = seats.get(line.player.id) if line.player else None
        play = seat.play if seat else None
        done = seat.status.moves if seat else 0
        texts = (play.legal if play else ()) * 3 or TEXTS
        text = random.choice((random.choice(texts), random.choice(texts), random.choice(TEXTS)))
        number = random.choice((*[done + 1] * 8, done, random.randint(0, done)))
        name = random.choice((*[self._race] * 8, RaceId(f" {self._race.lower()} ")))
        return Move(name, number, text)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110  # the hub tells nobody of it
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("seed", [0, 1, *tortured(2, 3)])
async def test_a_move_has_the_same_answer_whether_it_is_decided_at_once_or_not(
    client: Client, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = []
    decided_at_once: list[bool] = []
    at_once = Decider.play

    def noted(*args: object) -> bool:
        decided_at_once.append(at_once(*args))  # type: ignore[arg-type]  # as they came
        return decided_at_once[-1]

    monkeypatch.setattr(app, "LOOK_S", HOUR)  # who is away depends on time, not on the way
    for way in (noted, lambda *_: False):
        monkeypatch.setattr(Decider, "play", way)
        monkeypatch.setattr(secrets, "token_bytes", Random(seed).randbytes)
        await client.flushall()
        clock = Clock(NOON)
        async with running(client, clock) as server:
            heard.append(await Conversation(server, clock, Random(seed)).held())
    assert heard[0] == heard[1]
    assert decided_at_once.count(True) > 20, "many moves are next and legal"
    assert decided_at_once.count(False) > 20, "many are not"

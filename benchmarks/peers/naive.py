"""The simplest race server: our rules and messages, and one awaited XADD for each move.

    python -m benchmarks.peers.naive --port 0 --data DIR

It has rooms of four that start when the fourth player is ready. It has no clock, no accounts and no
limits, and forgets its rooms when it ends. The moves stay in its embedded Redis, which syncs every
write.
"""

import argparse
import asyncio
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

import uvloop
from redis.asyncio import Redis
from websockets.asyncio.server import ServerConnection

from benchmarks.peers.listening import listen
from bigben_protocol import (
    CODECS,
    Codec,
    Create,
    Diff,
    Hello,
    Join,
    Move,
    Pile,
    PlayerId,
    Progress,
    RaceId,
    Ready,
    Room,
    Rules,
    ServerMessage,
    Snapshot,
    Standing,
    State,
    Step,
    Welcome,
    digest,
)
from bigben_rules import Position, game_named, shuffle
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.keys import Keys
from bigben_server.tasks import told_to_stop

_GAME: Final = game_named("bigben")
_AT_A_TABLE: Final = 4
_MOST: Final = 50
"""Connections to Redis; further moves wait for one."""


@dataclass(eq=False)
class Player:
    """One connection; it may have seats in several rooms."""

    socket: ServerConnection
    codec: Codec
    id: PlayerId

    async def send(self, message: ServerMessage) -> None:
        await self.socket.send(self.codec.encode(message), text=self.codec.text)


@dataclass(eq=False)
class Seat:
    player: Player
    position: Position
    moves: int = 0

    @property
    def state(self) -> State:
        if self.position.won:
            return "won"
        return "blocked" if self.position.blocked else "playing"

    @property
    def legal(self) -> tuple[str, ...]:
        return tuple(map(self.position.format, self.position.legal_moves()))

    @property
    def standing(self) -> Standing:
        home = self.position.progress
        return Standing(self.player.id, "Bench", self.state, self.moves, home)

    def snapshot(self, race: RaceId) -> Snapshot:
        piles = self.position.piles()
        shown = {str(name): Pile(cards.up, cards.down) for name, cards in piles.items()}
        home = self.position.progress
        return Snapshot(race, 0, self.state, home, 0, shown, self.legal, digest(piles))


@dataclass(eq=False)
class Table:
    """A room and its seats."""

    race: RaceId
    seats: list[Seat] = field(default_factory=list)
    ready: int = 0

    def join(self, player: Player) -> None:
        seed = self.race.encode().rjust(32)
        dealt = _GAME.deal(shuffle(_GAME.pack, seed), "standard")
        self.seats.append(Seat(player, dealt))

    def room(self, ref: int) -> Room:
        standings = tuple(seat.standing for seat in self.seats)
        return Room(self.race, "live", "running", Rules(), "", 0, seats=standings, ref=ref)


class NaiveServer:
    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._writing = asyncio.Semaphore(_MOST)
        self._tables: dict[str, Table] = {}
        self._numbers = count(1)

    async def handle(self, socket: ServerConnection) -> None:
        """Serve one player."""
        assert socket.subprotocol is not None, "the driver asks for one"
        codec = CODECS[socket.subprotocol]
        player = Player(socket, codec, PlayerId(f"guest:{next(self._numbers)}"))
        async for frame in socket:
            match codec.decode_client(frame):
                case Hello():
                    await player.send(Welcome(player.id, "Bench", "", 0))
                case Create(ref=ref):
                    table = Table(RaceId(f"R{next(self._numbers)}"))
                    self._tables[table.race] = table
                    await self._join(player, table, ref)
                case Join(race, ref):
                    await self._join(player, self._tables[race], ref)
                case Ready(race, ref=ref):
                    await self._ready(player, self._tables[race], ref)
                case Move() as move:
                    await self._move(player, self._tables[move.race], move)
                case _:
                    pass

    async def _join(self, player: Player, table: Table, ref: int) -> None:
        table.join(player)
        await player.send(table.room(ref))

    async def _ready(self, player: Player, table: Table, ref: int) -> None:
        await player.send(table.room(ref))
        table.ready += 1
        if table.ready == _AT_A_TABLE:
            for seat in table.seats:
                await seat.player.send(seat.snapshot(table.race))

    async def _move(self, player: Player, table: Table, message: Move) -> None:
        seat = next(seat for seat in table.seats if seat.player is player)
        move = seat.position.parse(message.move)
        text = seat.position.format(move)
        position, steps = seat.position.apply(move)
        log = Keys().seat_log(table.race, player.id)
        async with self._writing:
            await self._redis.xadd(log, {str(message.n): f"0 {text}"}, id=f"{message.n}-0")
        seat.position = position
        seat.moves = message.n
        await player.send(
            Diff(
                table.race,
                message.n,
                text,
                tuple(Step(*step) for step in steps),
                seat.state,
                position.progress,
                0,
                seat.legal,
                digest(position.piles()),
            )
        )
        for other in table.seats:
            if other is not seat:
                await other.player.send(Progress(table.race, (seat.standing,)))


async def run(options: argparse.Namespace) -> None:
    """Serve until a signal."""
    stop = told_to_stop()
    async with (
        EmbeddedRedis(options.data) as url,
        Redis.from_url(url, max_connections=_MOST) as redis,
    ):
        await listen(NaiveServer(redis).handle, options.port, stop)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.naive")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--data", type=Path, required=True, help="folder of its Redis")
    uvloop.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()

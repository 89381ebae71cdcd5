"""Players of the server on Colyseus: a binary protocol, and rooms that are joined over HTTP."""

import random
from collections.abc import Sequence
from typing import Final

import msgspec

from benchmarks.driver.connection import Connection
from benchmarks.driver.games import chosen
from benchmarks.driver.players import Refusal
from benchmarks.driver.posts import post, shuffled_cards
from benchmarks.driver.seating import AT_A_TABLE

_JOINED: Final = b"\x0a"
"""The client's confirmation that it has joined."""
# A message of the game is 13, its type as MessagePack, and its content as MessagePack.
_START: Final = b"\x0d\xa5start"
_MOVE: Final = b"\x0d\xa4move"
_SNAPSHOT: Final = b"\x0d\xa8snapshot"
_DIFF: Final = b"\x0d\xa4diff"

_encode = msgspec.msgpack.Encoder().encode


class Game(msgspec.Struct):
    """What the driver reads of a snapshot or a diff."""

    n: int
    legal: tuple[str, ...]


_decode = msgspec.msgpack.Decoder(Game).decode


class ColyseusPlayer:
    """Plays one game after the other; each has a connection of its own."""

    def __init__(self, connection: Connection, game: Game, draw: random.Random) -> None:
        self.connection = connection
        self.sent_at = 0.0
        self._game = game
        self._draw = draw.random

    def next_move(self) -> bytes | None:
        move = chosen(self._game.legal, self._draw)
        if move is None:
            return None
        return _MOVE + _encode({"n": self._game.n + 1, "move": move})

    def is_answer(self, payload: bytes) -> bool:
        if not payload.startswith(_DIFF):
            return False
        game = _decode(payload[len(_DIFF) :])
        if game.n != self._game.n + 1:
            raise Refusal(f"move {self._game.n + 1} got {game}")
        self._game = game
        return True


def in_rooms(url: str, connections: int) -> list[Connection]:
    """Connections in rooms of four."""
    opened = []
    room = ""
    for i in range(connections):
        if i % AT_A_TABLE == 0:
            reserved = post(url, "/matchmake/create/bigben", order=shuffled_cards(i))
            room = reserved["roomId"]
        else:
            reserved = post(url, f"/matchmake/joinById/{room}")
        path = f"{reserved['processId']}/{room}?sessionId={reserved['sessionId']}"
        connection = Connection(f"{url}/{path}", text=False)
        connection.opened()
        opened.append(connection)
    for connection in opened:
        connection.read()
        connection.send(_JOINED)
        connection.send(_START)
    return opened


def players(opened: Sequence[Connection]) -> list[ColyseusPlayer]:
    """Wait for the cards."""
    return [
        ColyseusPlayer(connection, _first(connection), random.Random(i))
        for i, connection in enumerate(opened)
    ]


def _first(connection: Connection) -> Game:
    while True:
        for payload in connection.read():
            if payload.startswith(_SNAPSHOT):
                return _decode(payload[len(_SNAPSHOT) :])

"""Players of the server on boardgame.io, which speaks Socket.IO and has matches joined by HTTP."""

import json
import random
from typing import Final

import msgspec

from benchmarks.driver.connection import Connection
from benchmarks.driver.games import chosen
from benchmarks.driver.posts import post, shuffled_cards
from benchmarks.driver.seating import AT_A_TABLE

_SPACE: Final = "/bigben,"
_CONNECT: Final = f"40{_SPACE}".encode()
_EVENT: Final = f"42{_SPACE}".encode()
_UPDATE: Final = _EVENT + b'["update"'
_SYNC: Final = _EVENT + b'["sync"'
_PING: Final = b"2"
_PONG: Final = b"3"


class Own(msgspec.Struct):
    n: int
    legal: tuple[str, ...]


class Shown(msgspec.Struct):
    own: Own


class State(msgspec.Struct):
    """What the driver reads of the state of a match."""

    G: Shown
    number: int = msgspec.field(name="_stateID")


class Update(msgspec.Struct, array_like=True):
    event: str
    match: str
    state: State


class Synced(msgspec.Struct):
    state: State


class Sync(msgspec.Struct, array_like=True):
    event: str
    match: str
    synced: Synced


_read_update = msgspec.json.Decoder(Update).decode
_read_sync = msgspec.json.Decoder(Sync).decode


class BoardgameIoPlayer:
    """A seat in a match. All players of a match receive every update of it."""

    def __init__(self, connection: Connection, match: str, seat: str, credentials: str) -> None:
        self.connection = connection
        self.sent_at = 0.0
        self._match = match
        self._seat = seat
        self._credentials = credentials
        self._state = State(Shown(Own(0, ())), 0)
        self._draw = random.Random(int(seat)).random

    def enter(self) -> None:
        """Ask for the cards. Call ``dealt`` next."""
        self.connection.send(_CONNECT)
        while not any(payload.startswith(_CONNECT) for payload in self.connection.read()):
            pass
        self.connection.send(self._event("sync", self._match, self._seat, self._credentials, 4))

    def dealt(self) -> None:
        """Wait for the cards."""
        while not self._state.G.own.legal:
            for payload in self.connection.read():
                if payload.startswith(_SYNC):
                    self._state = _read_sync(payload[len(_EVENT) :]).synced.state

    def next_move(self) -> bytes | None:
        own = self._state.G.own
        move = chosen(own.legal, self._draw)
        if move is None:
            return None
        action = {
            "type": "MAKE_MOVE",
            "payload": {
                "type": "move",
                "args": [own.n + 1, move],
                "playerID": self._seat,
                "credentials": self._credentials,
            },
        }
        return self._event("update", action, self._state.number, self._match, self._seat)

    def is_answer(self, payload: bytes) -> bool:
        if payload == _PING:
            self.connection.send(_PONG)
        if not payload.startswith(_UPDATE):
            return False
        n = self._state.G.own.n
        self._state = _read_update(payload[len(_EVENT) :]).state
        return self._state.G.own.n == n + 1

    def _event(self, *words: object) -> bytes:
        return _EVENT + json.dumps(words, separators=(",", ":")).encode()


def in_matches(url: str, connections: int) -> list[BoardgameIoPlayer]:
    """Players in matches of four. Call ``dealt`` for each."""
    joined = []
    match = ""
    for i in range(connections):
        if i % AT_A_TABLE == 0:
            setup = {"order": shuffled_cards(i)}
            created = post(url, "/games/bigben/create", numPlayers=AT_A_TABLE, setupData=setup)
            match = created["matchID"]
        seat = str(i % AT_A_TABLE)
        path = f"/games/bigben/{match}/join"
        credentials = post(url, path, playerID=seat, playerName="Bench")["playerCredentials"]
        connection = Connection(f"{url}/socket.io/?EIO=4&transport=websocket")
        connection.opened()
        player = BoardgameIoPlayer(connection, match, seat, credentials)
        player.enter()
        joined.append(player)
    return joined

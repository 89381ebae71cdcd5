"""Brings players of the race server to their seats: in rooms of four, or in the daily.

Each step sends for all players before it reads, so that the server handles them together.
"""

import random
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, TypeVar

import msgspec

from benchmarks.driver.connection import Connection
from benchmarks.driver.games import Game, KeptGame, ToldGame
from benchmarks.driver.players import RacePlayer, Refusal, Seat
from bigben_protocol import (
    CODECS,
    ClientMessage,
    Create,
    Join,
    PlayerId,
    RaceId,
    Ready,
    Refused,
    Room,
    Snapshot,
    Watch,
    Welcome,
)

AT_A_TABLE: Final = 4
_AT_ONCE: Final = 200
"""Connections that open together; a server lets about a thousand wait."""

_Item = TypeVar("_Item")


class _Hello(msgspec.Struct, tag="hello", omit_defaults=True):
    """A Hello with a field that older servers ignore."""

    name: str = ""
    keeps_rules: bool = False


class Guest:
    """A guest of the race server who takes seats and does not play yet."""

    def __init__(self, connection: Connection, subprotocol: str, keeps_rules: bool) -> None:
        self.connection = connection
        self._keeps_rules = keeps_rules
        self.codec = CODECS[subprotocol]
        self.player = PlayerId("")
        self._rooms: dict[int, Room] = {}
        self._snapshots: dict[RaceId, Snapshot] = {}

    def say(self, message: ClientMessage) -> None:
        self.connection.send(self.codec.encode(message))

    def greet(self) -> None:
        """Say Hello."""
        encode = msgspec.json.encode if self.codec.text else msgspec.msgpack.encode
        self.connection.send(encode(_Hello("Bench", self._keeps_rules)))

    def welcomed(self) -> None:
        """Wait for the answer to Hello."""
        while not self.player:
            self._read()

    def room(self, ref: int) -> Room:
        """Wait for the answer to the request with this ref."""
        while ref not in self._rooms:
            self._read()
        return self._rooms[ref]

    def game(self, race: RaceId, *, undo: bool) -> Game:
        """Wait for the first sight of the cards."""
        while race not in self._snapshots:
            self._read()
        snapshot = self._snapshots[race]
        return KeptGame(snapshot) if self._keeps_rules else ToldGame(snapshot, undo=undo)

    def _read(self) -> None:
        for payload in self.connection.read():
            match self.codec.decode_server(payload.decode() if self.codec.text else payload):
                case Welcome(player):
                    self.player = player
                case Room(ref=ref) as room:
                    self._rooms[ref] = room
                case Snapshot(race) as snapshot:
                    self._snapshots[race] = snapshot
                case Refused(text=text):
                    raise Refusal(text)
                case _:
                    pass


def connected(url: str, connections: int, *, subprotocol: str) -> list[Connection]:
    """This many open connections."""
    opened = []
    for some in _chunks(range(connections), _AT_ONCE):
        opening = [
            Connection(url, subprotocol=subprotocol, text=CODECS[subprotocol].text) for _ in some
        ]
        for connection in opening:
            connection.opened()
        opened += opening
    return opened


def guests(
    url: str, connections: int, *, subprotocol: str, keeps_rules: bool = False
) -> list[Guest]:
    """This many guests who have been welcomed.

    ``keeps_rules``: they ask the server for neither legal moves nor digests.
    """
    welcomed: list[Guest] = []
    while len(welcomed) < connections:
        some = min(_AT_ONCE, connections - len(welcomed))
        opened = connected(url, some, subprotocol=subprotocol)
        greeting = [Guest(connection, subprotocol, keeps_rules) for connection in opened]
        for guest in greeting:
            guest.greet()
        for guest in greeting:
            guest.welcomed()
        welcomed += greeting
    return welcomed


def in_live_rooms(
    everyone: Sequence[Guest], *, games: int = 1, undo: bool = False
) -> list[list[RaceId]]:
    """Seat guests in rooms of four, each in ``games`` rooms. Return the races of each guest.

    The countdowns have begun.
    """
    hosts = everyone[::AT_A_TABLE]
    races: list[list[RaceId]] = [[] for _ in everyone]
    refs = count(1)
    for _ in range(games):
        created, joined, ready = next(refs), next(refs), next(refs)
        for host in hosts:
            host.say(Create(limit_ms=0, undo=undo, ref=created))
        for i, guest in enumerate(everyone):
            race = hosts[i // AT_A_TABLE].room(created).race
            races[i].append(race)
            if guest is not hosts[i // AT_A_TABLE]:
                guest.say(Join(race, ref=joined))
        for i, guest in enumerate(everyone):
            guest.room(created if i % AT_A_TABLE == 0 else joined)
        for i, guest in enumerate(everyone):
            guest.say(Ready(races[i][-1], nonce=secrets.token_hex(32), ref=ready))
        for guest in everyone:
            guest.room(ready)
    return races


def in_daily(guest: Guest) -> RacePlayer:
    """Let a guest begin today's daily. Return its player."""
    guest.say(Join("daily", ref=1))
    race = guest.room(1).race
    guest.say(Ready(race, ref=2))
    guest.room(2)
    return dealt([guest], [[race]])[0]


def watch_daily(everyone: Sequence[Guest]) -> None:
    """Let guests watch today's daily."""
    for some in _chunks(everyone, _AT_ONCE):
        for guest in some:
            guest.say(Watch("daily", ref=1))
        for guest in some:
            guest.room(1)


def dealt(
    everyone: Sequence[Guest], races: Sequence[Sequence[RaceId]], *, undo: bool = False
) -> list[RacePlayer]:
    """Wait until all of these races have begun. Return their players.

    ``undo``: they take back each move where that is legal.
    """
    players: list[RacePlayer] = []
    for guest, mine in zip(everyone, races, strict=True):
        seats = [Seat(race, guest.player, guest.game(race, undo=undo)) for race in mine]
        draw = random.Random(len(players))
        players.append(RacePlayer(guest.connection, guest.codec, seats, draw))
    return players


def _chunks(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]

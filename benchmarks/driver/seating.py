"""Brings players of the race server to their seats: in rooms of four, or in the daily.

Each step sends for all players before it reads, so that the server handles them together.
"""

import random
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

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
    Rematch,
    Resume,
    Room,
    Snapshot,
    Watch,
    Welcome,
)

AT_A_TABLE: Final = 4
_AT_ONCE: Final = 200
"""Connections that open together; a server lets about a thousand wait."""

_Asking = Create | Join | Ready | Resume | Rematch | Watch
_Item = TypeVar("_Item")


class _Hello(msgspec.Struct, tag="hello", omit_defaults=True):
    """A Hello with a field that older servers ignore."""

    name: str = ""
    keeps_rules: bool = False
    token: str = ""


class Guest:
    """A guest of the race server who takes seats and does not play yet."""

    def __init__(self, connection: Connection, subprotocol: str, keeps_rules: bool) -> None:
        self.connection = connection
        self.keeps_rules = keeps_rules
        self.codec = CODECS[subprotocol]
        self.player = PlayerId("")
        self.token = ""
        self._refs = count(1)
        self._rooms: dict[int, Room] = {}
        self._snapshots: dict[RaceId, Snapshot] = {}

    def say(self, message: ClientMessage) -> None:
        self.connection.send(self.codec.encode(message))

    def ask(self, message: _Asking) -> int:
        """Send a request that is answered by Room. Return its ref."""
        ref = next(self._refs)
        self.say(replace(message, ref=ref))
        return ref

    def greet(self, token: str = "") -> None:
        """Say Hello; with the token of an earlier guest, be that guest."""
        encode = msgspec.json.encode if self.codec.text else msgspec.msgpack.encode
        self.connection.send(encode(_Hello("Bench", self.keeps_rules, token)))

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
        return KeptGame(snapshot) if self.keeps_rules else ToldGame(snapshot, undo=undo)

    def _read(self) -> None:
        for payload in self.connection.read():
            match self.codec.decode_server(payload.decode() if self.codec.text else payload):
                case Welcome(player, token=token):
                    self.player, self.token = player, token
                case Room(ref=ref) as room:
                    self._rooms[ref] = room
                case Snapshot(race) as snapshot:
                    self._snapshots[race] = snapshot
                case Refused(text=text):
                    raise Refusal(text)
                case _:
                    pass


def connected(urls: Sequence[str], *, subprotocol: str) -> list[Connection]:
    """An open connection to each of these addresses."""
    opened = []
    for some in _chunks(urls, _AT_ONCE):
        opening = [
            Connection(url, subprotocol=subprotocol, text=CODECS[subprotocol].text) for url in some
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
    return guests_at([url] * connections, subprotocol=subprotocol, keeps_rules=keeps_rules)


def guests_at(urls: Sequence[str], *, subprotocol: str, keeps_rules: bool = False) -> list[Guest]:
    """A guest who has been welcomed at each of these addresses."""
    welcomed: list[Guest] = []
    for some in _chunks(urls, _AT_ONCE):
        opened = connected(some, subprotocol=subprotocol)
        greeting = [Guest(connection, subprotocol, keeps_rules) for connection in opened]
        for guest in greeting:
            guest.greet()
        for guest in greeting:
            guest.welcomed()
        welcomed += greeting
    return welcomed


def again(guest: Guest, url: str) -> Guest:
    """The same guest on a new connection, after the old one."""
    guest.connection.close()
    (connection,) = connected([url], subprotocol=guest.codec.subprotocol)
    returned = Guest(connection, guest.codec.subprotocol, guest.keeps_rules)
    returned.greet(guest.token)
    returned.welcomed()
    return returned


def to_race(url: str, race: RaceId) -> str:
    """The address of a server for clients that name the race in which they play."""
    return f"{url}/?race={race}"


def rooms_of(hosts: Sequence[Guest], *, undo: bool = False) -> list[RaceId]:
    """Let each of these guests open a live room."""
    asked = [(host, host.ask(Create(limit_ms=0, undo=undo))) for host in hosts]
    return [host.room(ref).race for host, ref in asked]


def in_live_rooms(
    everyone: Sequence[Guest],
    *,
    games: int = 1,
    undo: bool = False,
    rooms: Sequence[RaceId] = (),
) -> list[list[RaceId]]:
    """Seat guests in rooms of four, each in ``games`` rooms. Return the races of each guest.

    The first of each four opens the rooms, but for the first ``rooms``, if they are given. The
    countdowns have begun.
    """
    races: list[list[RaceId]] = [[] for _ in everyone]
    hosts = everyone[::AT_A_TABLE]
    for _ in range(games):
        rooms = rooms or rooms_of(hosts, undo=undo)
        for i, mine in enumerate(races):
            mine.append(rooms[i // AT_A_TABLE])
        rivals = [(one, races[i][-1]) for i, one in enumerate(everyone) if i % AT_A_TABLE]
        _answered([(rival, rival.ask(Join(race))) for rival, race in rivals])
        nonces = (secrets.token_hex(32) for _ in everyone)
        ready = (Ready(mine[-1], nonce) for mine, nonce in zip(races, nonces, strict=True))
        _answered([(one, one.ask(is_ready)) for one, is_ready in zip(everyone, ready, strict=True)])
        rooms = ()
    return races


def in_daily(everyone: Sequence[Guest]) -> list[RacePlayer]:
    """Let guests begin today's daily. Return their players."""
    asked = [(guest, guest.ask(Join("daily"))) for guest in everyone]
    races = [guest.room(ref).race for guest, ref in asked]
    _answered([(one, one.ask(Ready(race))) for one, race in zip(everyone, races, strict=True)])
    return dealt(everyone, [[race] for race in races])


def _answered(asked: Sequence[tuple[Guest, int]]) -> None:
    """Wait for the answers to these requests."""
    for guest, ref in asked:
        guest.room(ref)


def watch_daily(everyone: Sequence[Guest]) -> None:
    """Let guests watch today's daily."""
    for some in _chunks(everyone, _AT_ONCE):
        _answered([(guest, guest.ask(Watch("daily"))) for guest in some])


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

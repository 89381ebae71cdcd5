"""What the players of the driver send, and which answers they wait for."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec

from benchmarks.driver.connection import Connection
from benchmarks.driver.games import Answer, Game
from bigben_protocol import Codec, Move, PlayerId, RaceId

_MOST_MOVES: Final = 2_000
"""Of a game; then the server takes only a resignation."""
_TYPE_WITHIN: Final = 20
"""Both codecs write the type of a message into its first bytes."""


class Refusal(RuntimeError):
    """The server refused a move, or acknowledged another one."""


class Player(Protocol):
    """One connection with one move under way."""

    connection: Connection
    sent_at: float
    """When the move under way was sent; 0 if there is none. The driver sets it."""

    def next_move(self) -> bytes | None:
        """The payload with the next move; None at the end of the last game."""
        ...

    def is_answer(self, payload: bytes) -> bool:
        """Whether the payload acknowledges the move under way. Raises Refusal."""
        ...


@dataclass(slots=True)
class EchoPlayer:
    """Sends payloads of one size. Answers have another size than what is fanned out."""

    connection: Connection
    move: bytes
    answer_bytes: int
    sent_at: float = 0.0

    def next_move(self) -> bytes:
        return self.move

    def is_answer(self, payload: bytes) -> bool:
        return len(payload) == self.answer_bytes


@dataclass(slots=True)
class Listener:
    """A connection that sends nothing."""

    connection: Connection
    sent_at: float = 0.0

    def next_move(self) -> None:
        return None

    def is_answer(self, payload: bytes) -> bool:
        return False


@dataclass(slots=True)
class Follower(Listener):
    """A listener that remembers what it heard last."""

    heard: bytes = b""

    def is_answer(self, payload: bytes) -> bool:
        self.heard = payload
        return False


@dataclass(slots=True)
class Seat:
    """A player's game in one race."""

    race: RaceId
    player: PlayerId
    game: Game
    acknowledged: list[str] = field(default_factory=list)
    """Move 1, move 2 and so on, as the server wrote them."""

    @property
    def n(self) -> int:
        """The number of the last acknowledged move."""
        return len(self.acknowledged)


class RacePlayer:
    """Plays one seat after the other at random."""

    def __init__(
        self, connection: Connection, codec: Codec, seats: Sequence[Seat], draw: random.Random
    ) -> None:
        self.connection = connection
        self.sent_at = 0.0
        self.seats = seats
        self._at = 0
        self._draw = draw.random
        self._encode = codec.encode
        decoder = msgspec.json.Decoder if codec.text else msgspec.msgpack.Decoder
        self._decode = decoder(Answer).decode

    def next_move(self) -> bytes | None:
        seat = self.seats[self._at]
        move = seat.game.choice(self._draw)
        if move is None or seat.n == _MOST_MOVES:
            if self._at + 1 == len(self.seats):
                return None
            self._at += 1
            return self.next_move()
        return self._encode(Move(seat.race, seat.n + 1, move))

    def is_answer(self, payload: bytes) -> bool:
        if payload.find(b"diff", 0, _TYPE_WITHIN) < 0:
            if payload.find(b"refused", 0, _TYPE_WITHIN) >= 0:
                raise Refusal(payload.decode(errors="replace"))
            return False
        answer = self._decode(payload)
        seat = self.seats[self._at]
        if (answer.race, answer.n) != (seat.race, seat.n + 1):
            raise Refusal(f"move {seat.n + 1} of {seat.race} got {answer}")
        seat.acknowledged.append(answer.move)
        seat.game.take(answer)
        return True

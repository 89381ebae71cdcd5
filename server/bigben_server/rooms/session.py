"""One connection on the server: its player, its races, its requests and their answers."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bigben_protocol import ClientMessage, Code, Codec, Move, RaceId, Refused, ServerMessage
from bigben_server.race.events import Append, Effect, Player, RoomAppend, SeatAppend

INTERNAL = 1011
MISTAKE = "The server made a mistake; it has been logged."
"""The only text about it that clients receive."""


class Session(ABC):
    """A connection. Messages are put one by one and written to the socket together."""

    def __init__(self, codec: Codec, *, address: str = "") -> None:
        self.codec = codec
        self.address = address
        """The peer's address."""
        self.player: Player | None = None
        """Its player; None before Hello."""
        self.subscriptions = Subscriptions()
        self.gone = False
        """Whether the connection is closed: messages put are lost, and Resume brings them."""
        self._frames: list[bytes] = []

    def put(self, message: ServerMessage) -> None:
        """Encode a message for this connection, to be sent by the next ``flush``."""
        self._frames.append(self.codec.encode(message))

    def put_frame(self, frame: bytes) -> None:
        """Like ``put``, for a message that this session's codec has encoded."""
        self._frames.append(frame)

    def flush(self) -> None:
        """Send the messages that were put."""
        if self._frames:
            frames, self._frames = self._frames, []
            self.write(frames)

    def tell(self, message: ServerMessage) -> None:
        """Put and flush."""
        self.put(message)
        self.flush()

    def fail(self) -> None:
        """Close the connection after a failure of the server, which was logged."""
        self.close(INTERNAL, MISTAKE)

    @abstractmethod
    def write(self, frames: list[bytes]) -> None:
        """Write frames to the socket without waiting; lost if it is closed."""

    @abstractmethod
    def close(self, code: int, reason: str) -> None:
        """Close the connection, after what was written. Calling it again changes nothing."""


@dataclass(slots=True, eq=False)
class Request:
    """A message of a session that waits for its answer."""

    session: Session
    message: ClientMessage

    @property
    def player(self) -> Player:
        """The player who made the request. Call it after Hello."""
        assert self.session.player is not None, "Hello comes first"
        return self.session.player

    @property
    def ref(self) -> int:
        """The number by which the client recognizes the answer."""
        message = self.message
        return message.n if isinstance(message, Move) else getattr(message, "ref", 0)

    def answered(self) -> None:
        """Stop counting this as a pending request to subscribe. Idempotent."""
        self.session.subscriptions.answered(self)

    def refuse(self, code: Code, text: str) -> None:
        """Answer at once with a refusal; nothing has changed."""
        self.answered()
        race = getattr(self.message, "race", "")
        self.session.tell(Refused(code, text, race, self.ref))


class Decision(NamedTuple):
    """A decision in a race, which is tentative until it is durable."""

    race: RaceId
    request: Request | None
    """None if a timer caused it."""
    effects: list[Effect]

    @property
    def appends(self) -> list[Append]:
        """The appends that must be durable before anything is sent."""
        return [e for e in self.effects if isinstance(e, SeatAppend | RoomAppend)]


class Total:
    """The number of subscriptions of several sessions together."""

    def __init__(self) -> None:
        self.value = 0


class Subscriptions:
    """The races that a session subscribes to or has asked to subscribe to.

    Each race counts once, however often it is requested.
    """

    def __init__(self) -> None:
        self._races: set[RaceId] = set()
        self._pending: dict[Request, object] = {}
        """Unanswered requests to subscribe, each with its race."""
        self._reasons: Counter[object] = Counter()
        """By race: one for the subscription, and one for each pending request."""
        self._total = Total()

    def __len__(self) -> int:
        """How many races there will be if every pending request is granted."""
        return len(self._reasons)

    def __iter__(self) -> Iterator[RaceId]:
        """The subscribed races; subscribing during the iteration is safe."""
        return iter(tuple(self._races))

    def count_in(self, total: Total) -> None:
        """Count these races in ``total``, and no longer in the total before."""
        self._total.value -= len(self)
        self._total = total
        self._total.value += len(self)

    def request(self, request: Request, race: object) -> bool:
        """Count a request until ``answered``. Return whether its race is a new one.

        ``race`` is its id; for a race without an id yet, a value that no other race has.
        """
        self._pending[request] = race
        return self._add(race)

    def answered(self, request: Request) -> None:
        """Forget a pending request; idempotent."""
        if request in self._pending:
            self._remove(self._pending.pop(request))

    def subscribe(self, race: RaceId) -> None:
        """Subscribe to a race; idempotent."""
        if race not in self._races:
            self._races.add(race)
            self._add(race)

    def unsubscribe(self, race: RaceId) -> None:
        """Unsubscribe from a race; idempotent."""
        if race in self._races:
            self._races.remove(race)
            self._remove(race)

    def _add(self, race: object) -> bool:
        self._reasons[race] += 1
        is_new = self._reasons[race] == 1
        self._total.value += is_new
        return is_new

    def _remove(self, race: object) -> None:
        self._reasons[race] -= 1
        if not self._reasons[race]:
            del self._reasons[race]
            self._total.value -= 1

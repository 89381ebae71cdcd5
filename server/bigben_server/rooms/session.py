"""One connection on the server: its player, its races, its requests and their answers."""

import secrets
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from bigben_protocol import (
    CODECS,
    Codec,
    Diff,
    RaceId,
    Refused,
    ServerMessage,
    texts,
)
from bigben_protocol.sentence import sentence
from bigben_server.counters import COUNTS
from bigben_server.race.events import Player, Refusal
from bigben_server.scoring.results import is_guest

MOST_READS: Final = 4
"""How many unanswered requests of a connection may ask the store; then its socket is not read."""
INTERNAL = 1011
POLICY = 1008
MISTAKE = texts.said(sentence("plain.mistake"))
"""The only text about it that clients receive."""
DIGEST_EVERY: Final = 10
"""A client that keeps the rules receives the digest with each diff whose number this divides."""
TRY_AGAIN_LATER = 1013
STORE_AWAY = texts.said(sentence("plain.store_away"))


class Session(ABC):
    """A connection. Messages are put one by one and written to the socket together."""

    def __init__(self, codec: Codec, *, address: str = "") -> None:
        self.codec = codec
        self.address = address
        self.id = secrets.token_hex(4)
        """For the log; no peer is told."""
        self.player: Player | None = None
        """None before Hello."""
        self.keeps_rules = False
        """Whether the client finds the legal moves itself, as it said with Hello."""
        self.front_end = "other"
        """See ``counters.front_end``; as the client said with Hello."""
        self._has_resumed = False
        self.token_at = 0
        """The latest time at which its token may have been issued, ms since 1970."""
        self.deleted = False
        """Whether the player was deleted: nothing more is decided for this connection."""
        self.announcements = False
        """Whether the client shows announcements, as it said with Hello."""
        self.cheers = False
        """Whether the client shows cheers, as it said with Hello."""
        self.challenges = False
        """Whether the client shows challenges, as it said with Hello."""
        self.elsewhere = False
        """Whether the client connects again for a race that is served better so, as Hello said."""
        self.named: RaceId | None = None
        """The race that the address of the connection names, if any."""
        self.subscriptions = Subscriptions()
        self.queued: Counter[RaceId] = Counter()
        """How many requests wait for a turn to load each race. Others must not overtake them."""
        self._reads = 0
        """How many unanswered requests ask the store."""
        self.gone = False
        """Whether the connection is closed: messages put are lost, and Resume brings them."""
        self._frames: list[bytes] = []

    @property
    def payer(self) -> str:
        """To whom the work for this connection is charged: to the address, as everybody there may
        be a new guest at any time, or to a player whom another issuer vouches for.
        """
        player = self.player
        return self.address if player is None or is_guest(player.id) else player.id

    def begin_read(self) -> None:
        """A request asks the store. Call ``end_read`` when it is answered."""
        self._reads += 1
        if self._reads == MOST_READS:
            self.hold()

    def end_read(self) -> None:
        """A request that asked the store is answered."""
        self._reads -= 1
        if self._reads == MOST_READS - 1:
            self.release()

    def hold(self) -> None:
        """Take no more messages from the peer until ``release`` was called as often."""
        return None  # without a socket nothing can be left unread

    def release(self) -> None:
        """End one ``hold``."""
        return None

    def put(self, message: ServerMessage) -> None:
        """Encode a message for this connection, to be sent by the next ``flush``."""
        if isinstance(message, Diff):  # first, because most are
            if self.keeps_rules and message.legal is not UNSET:
                digest = message.digest if self.wants_whole(message.n) else UNSET
                message = replace(message, legal=UNSET, digest=digest)
        elif isinstance(message, Refused):
            COUNTS.refusals[message.code] += 1
        self._frames.append(self.frame(message))

    def wants_whole(self, n: int) -> bool:
        """Whether more is sent of diff ``n`` than the cards that moved."""
        return not self.keeps_rules or n % DIGEST_EVERY == 0

    def put_frame(self, frame: bytes) -> None:
        """Like ``put``, for what ``frame`` of a session with the same codec has returned."""
        self._frames.append(frame)

    def flush(self) -> None:
        if self._frames:
            frames, self._frames = self._frames, []
            self.write(frames)

    def tell(self, message: ServerMessage) -> None:
        """Put and flush."""
        self.put(message)
        self.flush()

    def dismiss(self, refusal: Refusal) -> None:
        """Say why, and close the connection for good."""
        self.tell(refusal.message())
        self.close(POLICY, str(refusal))

    def fail(self) -> None:
        """Close the connection after a failure of the server, which was logged."""
        self.close(INTERNAL, MISTAKE)

    def send_away(self) -> None:
        """Close the connection because the store is lost; its client reconnects and resumes."""
        self.close(TRY_AGAIN_LATER, STORE_AWAY)

    def count_resume(self) -> None:
        """Count a connection that resumes a race which it does not follow, once."""
        COUNTS.reconnects[self.front_end] += not self._has_resumed
        self._has_resumed = True

    def check_guest(self) -> None:
        """Raises Refusal if the connection is kept for players for whom another issuer vouches."""
        return None  # without a socket there is no address

    def vouched(self) -> None:
        """Another issuer vouches for the player, who is limited as such: the connection counts no
        more for its address, from which that issuer's front end may bring all of its players.
        """
        return None  # without a socket there is no address

    def silent_ms(self) -> int:
        """For how long nothing has come from the peer."""
        return 0

    def probe(self) -> None:
        """Ping the peer, so that it is not silent if it is there."""
        return None  # without a socket there is nobody to ping

    def frame(self, message: ServerMessage) -> bytes:
        """The bytes that carry the message, the same for all sessions with this codec."""
        return self.framed(self.codec.encode(message))

    @abstractmethod
    def framed(self, encoded: bytes) -> bytes:
        """The bytes that carry an encoded message, the same for all sessions with this codec."""

    @abstractmethod
    def write(self, frames: list[bytes]) -> None:
        """Write frames to the socket without waiting; lost if it is closed."""

    @abstractmethod
    def close(self, code: int, reason: str) -> None:
        """Close the connection, after what was written. Calling it again changes nothing."""


class Encoded:
    """A message for many sessions, encoded for each codec, maybe by a peer."""

    def __init__(self, encoded: Mapping[str, bytes]) -> None:
        self._encoded = encoded
        self._frames: dict[str, bytes] = {}

    def put(self, session: Session) -> None:
        """Put the message for this session."""
        codec = session.codec.subprotocol
        if (frame := self._frames.get(codec)) is None:
            frame = self._frames[codec] = session.framed(self._encoded[codec])
        session.put_frame(frame)


class EncodedOnce(Encoded):
    """A message that is encoded once for each codec when one is needed."""

    def __init__(self, message: ServerMessage) -> None:
        super().__init__(_Encoding(message))

    def for_peers(self) -> dict[str, bytes]:
        """The message for each codec."""
        return {codec: self._encoded[codec] for codec in CODECS}


class _Encoding(dict[str, bytes]):
    """A message by the codec."""

    def __init__(self, message: ServerMessage) -> None:
        super().__init__()
        self._message = message

    def __missing__(self, codec: str) -> bytes:
        encoded = self[codec] = CODECS[codec].encode(self._message)
        return encoded


@dataclass(eq=False)
class Total:
    """The number of subscriptions of several sessions together."""

    value: int = 0


class Subscriptions:
    """The races that a session subscribes to or has asked to subscribe to.

    Each race counts once in ``total``, however many claims there are: one for the subscription,
    and one for each unanswered request.
    """

    def __init__(self) -> None:
        self.total = Total()
        self._claims: Counter[object] = Counter()

    def __len__(self) -> int:
        """How many races there will be if every pending request is granted."""
        return len(self._claims)

    def races(self) -> list[RaceId]:
        """The races; there may be more of them than subscriptions."""
        return [RaceId(race) for race in self._claims if isinstance(race, str)]

    def count_in(self, total: Total) -> None:
        """Count these races in ``total``, and no longer in the total before."""
        self.total.value -= len(self)
        self.total = total
        self.total.value += len(self)

    def claim(self, race: object) -> bool:
        """Count a race until ``release``, or what stands for one that has no id yet.

        Return whether it is a new one.
        """
        self._claims[race] += 1
        is_new = self._claims[race] == 1
        self.total.value += is_new
        return is_new

    def release(self, race: object) -> None:
        """End one claim."""
        self._claims[race] -= 1
        if not self._claims[race]:
            del self._claims[race]
            self.total.value -= 1

"""Limits of connections, work, new guests, new rooms and followed races, by player and by address.

Anybody can become a new guest at any time, so all guests of an address count together as well.
Players of other issuers are counted one by one: a front end may bring all of its players from one
address.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final
from weakref import WeakValueDictionary

from bigben_protocol import HOUSE_PLAYERS, Hello, PlayerId, RaceId
from bigben_protocol.sentence import Sentence, sentence
from bigben_server.config import Limits
from bigben_server.counters import COUNTS
from bigben_server.race.events import Player, Refusal
from bigben_server.rate_limit import Buckets
from bigben_server.rooms.requests import Request
from bigben_server.rooms.session import Session, Total
from bigben_server.scoring.results import is_guest
from bigben_server.sharing.costs import COSTS

SEATS: Final = 500
"""How many seats a player of another issuer may take in a day, but for practice."""
_SEATS_OF_GUESTS: Final = sentence("limit.seats_guests")
_SEATS_OF_PLAYER: Final = sentence("limit.seats")
GROUPS: Final = 20
"""How many groups a player may make in a day."""
GROUPS_OF_ADDRESS: Final = 100
"""The same for all guests of an address."""
SEASON_CHANGES: Final = 20
"""How often a player may change seasons in a minute."""
_WORK_AT_ONCE_S: Final = 2
"""How many seconds' work may come at once: a class that begins together."""
MOST_OWED_S: Final = 5
"""The longest that a connection waits for the work that was asked for before."""


class Limit:
    """How often a player may do something, and all guests of an address together."""

    def __init__(
        self,
        said: Sentence,
        of_player: Buckets,
        of_guests: Buckets,
        said_to_guests: Sentence | None = None,
    ) -> None:
        """``said`` in the refusal, also to guests unless they have another sentence."""
        self._said, self._said_to_guests = said, said_to_guests or said
        self._of_player, self._of_guests = of_player, of_guests

    def check(self, request: Request, now: int) -> None:
        """Count it once more. Raises Refusal."""
        player, address = request.player.id, request.session.address
        if not self._of_player.take(player, now / 1000):
            raise Refusal("limit", self._said)
        if is_guest(player) and not self._of_guests.take(address, now / 1000):
            raise Refusal("limit", self._said_to_guests)


class Quotas:
    """The limits of one server process, and how much is used. Times are ms since 1970."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.sessions: set[Session] = set()
        """Those that have said hello."""
        self._connections: Counter[PlayerId] = Counter()
        self._guests = _a_minute(limits.guests_per_address)
        self.rooms = Limit(
            sentence("limit.rooms"),
            _a_minute(limits.rooms_per_minute),
            _a_minute(limits.rooms_per_address),
            sentence("limit.rooms_address"),
        )
        self._seats = a_day(SEATS)
        self._seats_of_address = a_day(limits.seats_per_address)
        self.groups = Limit(sentence("group.too_many"), a_day(GROUPS), a_day(GROUPS_OF_ADDRESS))
        self.lists = Limit(sentence("limit.own_races"), _a_minute(20), _a_minute(200))
        """Requests for a player's races, each of which is then read."""
        self.hints = Limit(sentence("limit.hints"), Buckets(30 / 60, 6), _a_minute(60))
        self.deals = Limit(sentence("limit.chosen_deals"), _a_minute(6), _a_minute(30))
        """Rooms whose deals are chosen, each in about a second."""
        self.analyses = Limit(sentence("limit.analyses"), _a_minute(10), _a_minute(60))
        """Requests for an analysis; most are kept, or wait for the pool."""
        self.seasons = Limit(sentence("season.too_many"), a_day(GROUPS), a_day(GROUPS_OF_ADDRESS))
        self.season_changes = Limit(
            sentence("limit.logins"), _a_minute(SEASON_CHANGES), _a_minute(200)
        )
        self.logins = Limit(sentence("limit.logins"), _a_minute(6), _a_minute(60))
        """Ties of players, which read all of their races, and logging out."""
        self.challenges = Limit(sentence("challenge.too_often"), _a_minute(6), _a_minute(30))
        """Challenges to others; how many may wait is stored, see ``storage/challenges.py``."""
        self.cheers = Limit(sentence("cheer.too_often"), _a_minute(20), _a_minute(200))
        """Cheers in all races together."""
        rate = limits.work_per_second
        self._work = Buckets(rate, rate * _WORK_AT_ONCE_S)
        self._races_of_address: WeakValueDictionary[str, Total] = WeakValueDictionary()

    def charge(self, request: Request) -> float:
        """Count the work that a request is. Return for how many seconds its connection must wait
        before it sends more.
        """
        message, session = request.message, request.session
        if session.player is None and isinstance(message, Hello) and message.token:
            return 0  # whose it is shows only then; each costs a connection
        now, most_owed = request.at, MOST_OWED_S * self._limits.work_per_second
        work = self._work.of(session.payer, now)
        return work.spend(now, COSTS[type(message)], most_owed=most_owed)

    def check_guest(self, address: str, now: int) -> None:
        """Count a new guest. Raises Refusal."""
        if not self._guests.take(address, now / 1000):
            raise Refusal("limit", sentence("limit.new_players"))

    def players(self) -> Collection[PlayerId]:
        """Those who have a connection to this process."""
        return self._connections

    def admit(self, session: Session, player: Player) -> None:
        """Give a session its player. Call ``left`` when it has ended. Raises Refusal."""
        most = self._limits.connections_per_player
        if self._connections[player.id] >= most:
            raise Refusal("limit", sentence("limit.connections", most=most))
        self._connections[player.id] += 1
        COUNTS.connections[session.front_end] += 1
        session.player = player
        self.sessions.add(session)
        if is_guest(player.id):
            total = self._races_of_address.setdefault(session.address, Total())
            session.subscriptions.count_in(total)

    def left(self, session: Session) -> None:
        """A session has ended, whether it had said hello or not."""
        session.subscriptions.count_in(Total())
        self.sessions.discard(session)
        if session.player:
            COUNTS.connections[session.front_end] -= 1
            self._connections[session.player.id] -= 1
            if not self._connections[session.player.id]:
                del self._connections[session.player.id]

    def check_seat(self, request: Request, now: int) -> None:
        """Count a seat in a race whose games are kept. Raises Refusal."""
        player, address = request.player.id, request.session.address
        if player in HOUSE_PLAYERS:
            return  # the host was counted
        by_address = is_guest(player)
        budget = self._seats_of_address if by_address else self._seats
        if not budget.take(address if by_address else player, now / 1000):
            raise Refusal("limit", _SEATS_OF_GUESTS if by_address else _SEATS_OF_PLAYER)

    def check_entering(self, request: Request, race: RaceId | Request) -> None:
        """Count one more race that a session asks to follow, whatever the message. Raises Refusal.

        ``race`` is the request itself for a race without an id yet.
        """
        subscriptions, most = request.session.subscriptions, self._limits.races_per_connection
        request.claimed = race
        if not subscriptions.claim(race):
            return
        if len(subscriptions) > most:
            raise Refusal("limit", sentence("limit.follow", most=most))
        all_followed = subscriptions.total.value
        if is_guest(request.player.id) and all_followed > self._limits.races_per_address:
            text = sentence("limit.follow_address")
            raise Refusal("limit", text)


def a_day(many: int) -> Buckets:
    """A rate of this many in a day, all of which may come at once."""
    return Buckets(many / 86_400, many)


def _a_minute(many: int) -> Buckets:
    """A rate of this many in a minute, all of which may come at once."""
    return Buckets(many / 60, many)

"""Limits of connections, work, new guests, new rooms and followed races, by player and by address.

Anybody can become a new guest at any time, so all guests of an address count together as well.
Players of other issuers are counted one by one: a front end may bring all of its players from one
address.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final
from weakref import WeakValueDictionary

from bigben_protocol import HOUSE_PLAYERS, PlayerId, RaceId
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
_SEATS_OF_GUESTS: Final = (
    "Guests of your address have joined too many races today; play on in practice, or come back "
    "tomorrow."
)
_SEATS_OF_PLAYER: Final = (
    "You have joined too many races today; play on in practice, or come back tomorrow."
)
GROUPS: Final = 20
"""How many groups a player may make in a day."""
GROUPS_OF_ADDRESS: Final = 100
"""The same for all guests of an address."""
_LISTS: Final = 20
"""How often in a minute a player may ask for their races, each of which is then read."""
_LISTS_OF_ADDRESS: Final = 200
"""The same for all guests of an address."""
_HINTS: Final = 30
"""How many hints a player may ask for in a minute."""
_HINTS_AT_ONCE: Final = 6
_HINTS_OF_ADDRESS: Final = 60
"""The same for all guests of an address."""
_DEALS: Final = 6
"""How many rooms a player may open in a minute whose deals are chosen, each in about a second."""
_DEALS_OF_ADDRESS: Final = 30
"""The same for all guests of an address."""
_ANALYSES: Final = 10
"""How often in a minute a player may ask for an analysis; most are kept, or wait for the pool."""
_ANALYSES_OF_ADDRESS: Final = 60
"""The same for all guests of an address."""
_CHEERS: Final = 20
"""How often in a minute a player may cheer, in all races together."""
_CHEERS_OF_ADDRESS: Final = 200
"""The same for all guests of an address."""
_WORK_AT_ONCE_S: Final = 2
"""How many seconds' work may come at once: a class that begins together."""
MOST_OWED_S: Final = 5
"""The longest that a connection waits for the work that was asked for before."""


class Quotas:
    """The limits of one server process, and how much is used. Times are ms since 1970."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.sessions: set[Session] = set()
        """Those that have said hello."""
        self._connections: Counter[PlayerId] = Counter()
        self._guests = _a_minute(limits.guests_per_address)
        self._rooms = _a_minute(limits.rooms_per_minute)
        self._rooms_of_address = _a_minute(limits.rooms_per_address)
        self._seats = a_day(SEATS)
        self._seats_of_address = a_day(limits.seats_per_address)
        self._groups = a_day(GROUPS)
        self._groups_of_address = a_day(GROUPS_OF_ADDRESS)
        self._lists = _a_minute(_LISTS)
        self._lists_of_address = _a_minute(_LISTS_OF_ADDRESS)
        self._hints = Buckets(_HINTS / 60, _HINTS_AT_ONCE)
        self._hints_of_address = _a_minute(_HINTS_OF_ADDRESS)
        self._deals = _a_minute(_DEALS)
        self._deals_of_address = _a_minute(_DEALS_OF_ADDRESS)
        self._analyses = _a_minute(_ANALYSES)
        self._analyses_of_address = _a_minute(_ANALYSES_OF_ADDRESS)
        self._cheers = _a_minute(_CHEERS)
        self._cheers_of_address = _a_minute(_CHEERS_OF_ADDRESS)
        rate = limits.work_per_second
        self._work = Buckets(rate, rate * _WORK_AT_ONCE_S)
        self._races_of_address: WeakValueDictionary[str, Total] = WeakValueDictionary()

    def charge(self, request: Request) -> float:
        """Count the work that a request is. Return for how many seconds its connection must wait
        before it sends more.
        """
        now, most_owed = request.at, MOST_OWED_S * self._limits.work_per_second
        work = self._work.of(request.session.payer, now)
        return work.spend(now, COSTS[type(request.message)], most_owed=most_owed)

    def check_guest(self, address: str, now: int) -> None:
        """Count a new guest. Raises Refusal."""
        if not self._guests.take(address, now / 1000):
            text = "Too many new players have joined from your address; wait a minute."
            raise Refusal("limit", text)

    def players(self) -> Collection[PlayerId]:
        """Those who have a connection to this process."""
        return self._connections

    def admit(self, session: Session, player: Player) -> None:
        """Give a session its player. Call ``left`` when it has ended. Raises Refusal."""
        most = self._limits.connections_per_player
        if self._connections[player.id] >= most:
            raise Refusal("limit", f"You have {most} connections open; close one first.")
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

    def check_room(self, request: Request, now: int) -> None:
        """Count a new room or group. Raises Refusal."""
        player, address = request.player.id, request.session.address
        if not self._rooms.take(player, now / 1000):
            raise Refusal("limit", "You open rooms or groups too fast; wait a minute.")
        if is_guest(player) and not self._rooms_of_address.take(address, now / 1000):
            text = "Too many rooms or groups were opened from your address; wait a minute."
            raise Refusal("limit", text)

    def check_seat(self, request: Request, now: int) -> None:
        """Count a seat in a race whose games are kept. Raises Refusal."""
        player, address = request.player.id, request.session.address
        if player in HOUSE_PLAYERS:
            return  # the host was counted
        by_address = is_guest(player)
        budget = self._seats_of_address if by_address else self._seats
        if not budget.take(address if by_address else player, now / 1000):
            raise Refusal("limit", _SEATS_OF_GUESTS if by_address else _SEATS_OF_PLAYER)

    def check_group(self, request: Request, now: int) -> None:
        """Count a new group. Raises Refusal."""
        player, address = request.player.id, request.session.address
        of_address = not is_guest(player) or self._groups_of_address.take(address, now / 1000)
        if not (of_address and self._groups.take(player, now / 1000)):
            raise Refusal("limit", "Too many groups were made today; join one, or wait a day.")

    def check_list(self, request: Request, now: int) -> None:
        """Count a request for a player's races. Raises Refusal.

        House players may ask at any time: it is how they find the rooms that wait for them.
        """
        player, address = request.player.id, request.session.address
        if player in HOUSE_PLAYERS:
            return
        of_address = not is_guest(player) or self._lists_of_address.take(address, now / 1000)
        if not (of_address and self._lists.take(player, now / 1000)):
            raise Refusal("limit", "You ask for your races too often; wait a minute.")

    def check_hint(self, request: Request, now: int) -> None:
        """Count a request for a hint. Raises Refusal."""
        player, address = request.player.id, request.session.address
        of_address = not is_guest(player) or self._hints_of_address.take(address, now / 1000)
        if not (of_address and self._hints.take(player, now / 1000)):
            raise Refusal("limit", "You ask for hints too often; wait a moment.")

    def check_deal(self, request: Request, now: int) -> None:
        """Count a room whose deal must be chosen. Raises Refusal."""
        player, address = request.player.id, request.session.address
        of_address = not is_guest(player) or self._deals_of_address.take(address, now / 1000)
        if not (of_address and self._deals.take(player, now / 1000)):
            text = "You open rooms with chosen deals too fast; wait a minute, or take any deal."
            raise Refusal("limit", text)

    def check_analysis(self, request: Request, now: int) -> None:
        """Count a request for an analysis. Raises Refusal."""
        player, address = request.player.id, request.session.address
        of_address = not is_guest(player) or self._analyses_of_address.take(address, now / 1000)
        if not (of_address and self._analyses.take(player, now / 1000)):
            raise Refusal("limit", "You ask for analyses too often; wait a minute.")

    def check_cheer(self, request: Request, now: int) -> None:
        """Count a cheer. Raises Refusal."""
        player, address = request.player.id, request.session.address
        of_address = not is_guest(player) or self._cheers_of_address.take(address, now / 1000)
        if not (of_address and self._cheers.take(player, now / 1000)):
            raise Refusal("limit", "You cheer too often; wait a minute.")

    def check_entering(self, request: Request, race: RaceId | Request) -> None:
        """Count one more race that a session asks to follow, whatever the message. Raises Refusal.

        ``race`` is the request itself for a race without an id yet.
        """
        subscriptions, most = request.session.subscriptions, self._limits.races_per_connection
        request.claimed = race
        if not subscriptions.claim(race):
            return
        if len(subscriptions) > most:
            raise Refusal("limit", f"You follow {most} races here; leave one first.")
        all_followed = subscriptions.total.value
        if is_guest(request.player.id) and all_followed > self._limits.races_per_address:
            text = "Too many races are followed from your address; leave one first."
            raise Refusal("limit", text)


def a_day(many: int) -> Buckets:
    """A rate of this many in a day, all of which may come at once."""
    return Buckets(many / 86_400, many)


def _a_minute(many: int) -> Buckets:
    """A rate of this many in a minute, all of which may come at once."""
    return Buckets(many / 60, many)

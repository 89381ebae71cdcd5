"""Limits of connections, new guests, new rooms and followed races, by player and by address.

Anybody can become a new guest at any time, so all guests of an address count together as well.
Players of other issuers are counted one by one: a front end may bring all of its players from one
address.
"""

from collections import Counter
from weakref import WeakValueDictionary

from bigben_protocol import PlayerId, RaceId
from bigben_server.config import Limits
from bigben_server.race.events import Player, Refusal
from bigben_server.rate_limit import Buckets
from bigben_server.rooms.session import Request, Session, Total
from bigben_server.scoring.results import is_guest


class Quotas:
    """The limits of one server process, and how much is used. Times are ms since 1970."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._connections: Counter[PlayerId] = Counter()
        self._guests = _a_minute(limits.guests_per_address)
        self._rooms = _a_minute(limits.rooms_per_minute)
        self._rooms_of_address = _a_minute(limits.rooms_per_address)
        self._races_of_address: WeakValueDictionary[str, Total] = WeakValueDictionary()

    def check_guest(self, address: str, now: int) -> None:
        """Count a new guest. Raises Refusal."""
        if not self._guests.take(address, now / 1000):
            text = "Too many new players have joined from your address; wait a minute."
            raise Refusal("limit", text)

    def admit(self, session: Session, player: Player) -> None:
        """Give a session its player. Call ``left`` when it has ended. Raises Refusal."""
        most = self._limits.connections_per_player
        if self._connections[player.id] >= most:
            raise Refusal("limit", f"You have {most} connections open; close one first.")
        self._connections[player.id] += 1
        session.player = player
        if is_guest(player.id):
            total = self._races_of_address.setdefault(session.address, Total())
            session.subscriptions.count_in(total)

    def left(self, session: Session) -> None:
        """A session has ended, whether it had said hello or not."""
        session.subscriptions.count_in(Total())
        if session.player:
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


def _a_minute(many: int) -> Buckets:
    """A rate of this many in a minute, all of which may come at once."""
    return Buckets(many / 60, many)

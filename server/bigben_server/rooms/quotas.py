"""Limits of new guests, new rooms and followed races, by player and by address.

Anybody can become a new guest at any time, so all guests of an address count together as well.
Players of other issuers are counted one by one: a front end may bring all of its players from one
address.
"""

from typing import Final
from weakref import WeakValueDictionary

from bigben_protocol import PlayerId
from bigben_server.config import Limits
from bigben_server.race.events import Refusal
from bigben_server.rate_limit import Buckets
from bigben_server.rooms.session import Request, Session, Total
from bigben_server.scoring.results import is_guest

_MINUTE_S: Final = 60


class Quotas:
    """The limits of one server process, and how much of them is used."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._guests = _a_minute(limits.guests_per_address)
        self._rooms = _a_minute(limits.rooms_per_minute)
        self._rooms_of_address = _a_minute(limits.rooms_per_address)
        self._subscriptions: WeakValueDictionary[str, Total] = WeakValueDictionary()
        """Races that the guests of each address subscribe to, over all of their sessions."""

    def check_guest(self, address: str, now: int) -> None:
        """Count a new guest at ``now`` (ms since 1970). Raises Refusal."""
        if not self._guests.take(address, now / 1000):
            text = "Too many new players have joined from your address; wait a minute."
            raise Refusal("limit", text)

    def came(self, session: Session) -> None:
        """A session has said hello. Call ``left`` when it has ended."""
        if _counts_for_address(session):
            session.subscriptions.count_in(self._subscriptions.setdefault(session.address, Total()))

    def left(self, session: Session) -> None:
        """A session has ended, whether it had said hello or not. Idempotent."""
        session.subscriptions.count_in(Total())

    def check_room(self, request: Request, now: int) -> None:
        """Count a room or a group that is made at ``now`` (ms since 1970). Raises Refusal."""
        player: PlayerId = request.player.id
        if not self._rooms.take(player, now / 1000):
            raise Refusal("limit", "You open rooms or groups too fast; wait a minute.")
        session = request.session
        if _counts_for_address(session) and not self._rooms_of_address.take(
            session.address, now / 1000
        ):
            text = "Too many rooms or groups were opened from your address; wait a minute."
            raise Refusal("limit", text)

    def check_entering(self, request: Request, race: object) -> None:
        """Count one more race that a session asks to follow, whatever the message. Raises Refusal.

        ``race`` is its id; for a race without an id yet, a value that no other race has.
        """
        session = request.session
        if not session.subscriptions.request(request, race):
            return
        if len(session.subscriptions) > self._limits.races_per_connection:
            most = self._limits.races_per_connection
            raise Refusal("limit", f"You follow {most} races here; leave one first.")
        if not _counts_for_address(session):
            return
        total = self._subscriptions.get(session.address)
        if total and total.value > self._limits.races_per_address:
            text = "Too many races are followed from your address; leave one first."
            raise Refusal("limit", text)


def _a_minute(many: int) -> Buckets:
    """A rate of this many in a minute, all of which may come at once."""
    return Buckets(many / _MINUTE_S, many)


def _counts_for_address(session: Session) -> bool:
    return session.player is not None and is_guest(session.player.id)

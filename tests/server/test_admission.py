"""How many races guests of one address may follow, and that a request costs no more with many."""

import sys
from collections import Counter

import pytest
from tests.server.guests import RecordedSession

from bigben_protocol import Join, Move, PlayerId, RaceId
from bigben_server.config import Limits
from bigben_server.race.events import Player, Refusal
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.requests import Request
from bigben_server.rooms.session import Session

RACE = RaceId("BCDFGH")
OTHER = RaceId("BCDFGJ")


def guest(quotas: Quotas, n: int) -> Session:
    session = RecordedSession(address="192.0.2.1")
    quotas.admit(session, Player(PlayerId(f"guest:{n}"), f"Guest {n}"))
    return session


def asks(quotas: Quotas, session: Session, race: RaceId) -> Request:
    asked = Request.of(session, Join(race))
    quotas.check_entering(asked, race)
    return asked


def calls_of(kind: type[Join | Move], race: RaceId, guests: int) -> int:
    """Calls that a request costs where so many guests of the address follow a race."""
    quotas = Quotas(Limits(races_per_address=10_000))
    sessions = [guest(quotas, n) for n in range(guests)]
    for session in sessions:
        asks(quotas, session, RACE)
    message = Move(race, 1, "d") if kind is Move else Join(race)
    calls: Counter[str] = Counter()
    sys.setprofile(lambda frame, event, what: calls.update([event]))
    try:
        quotas.check_entering(Request.of(sessions[0], message), race)
    finally:
        sys.setprofile(None)
    return calls.total()


@pytest.mark.parametrize(("kind", "race"), [(Move, RACE), (Join, OTHER)])
def test_a_request_costs_the_same_however_many_guests_its_address_has(
    kind: type[Join | Move], race: RaceId
) -> None:
    assert calls_of(kind, race, 1) == calls_of(kind, race, 300)


def test_races_are_counted_until_the_request_is_refused_or_the_race_or_the_session_left() -> None:
    quotas = Quotas(Limits(races_per_address=2))
    ada, bob = guest(quotas, 1), guest(quotas, 2)
    joining = asks(quotas, ada, RACE)
    asks(quotas, bob, RACE)
    asks(quotas, bob, RACE)  # the same race once more
    refused = Request.of(ada, Join(OTHER))
    with pytest.raises(Refusal, match="from your address"):
        quotas.check_entering(refused, OTHER)
    refused.answered()
    joining.answered()
    ada.subscriptions.claim(RACE)
    with pytest.raises(Refusal):
        quotas.check_entering(refused, OTHER)
    refused.answered()
    ada.subscriptions.release(RACE)
    asks(quotas, ada, OTHER)
    quotas.left(bob)
    bob.subscriptions.claim(OTHER)  # what an answer brings after its session has gone
    asks(quotas, guest(quotas, 3), RACE)

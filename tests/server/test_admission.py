"""How many races guests of one address may follow, and that a request costs no more with many."""

import sys
from collections import Counter

import pytest

from bigben_protocol import CODECS, JSON, Join, Move, PlayerId, RaceId
from bigben_server.config import Limits
from bigben_server.race.effects import Player
from bigben_server.race.transitions import Refusal
from bigben_server.rooms.batch import Asked
from bigben_server.rooms.quotas import Admission
from bigben_server.rooms.session import Session

RACE = RaceId("BCDFGH")
OTHER = RaceId("BCDFGJ")


def guest(admission: Admission, n: int) -> Session:
    session = Session(CODECS[JSON], lambda frames: None, lambda c, r: None, address="192.0.2.1")
    session.player = Player(PlayerId(f"guest:{n}"), f"Guest {n}")
    admission.came(session)
    return session


def asks(admission: Admission, session: Session, race: RaceId) -> Asked:
    asked = Asked(session, Join(race), object())
    admission.check_entering(asked, race)
    return asked


def calls_of(kind: type[Join | Move], race: RaceId, guests: int) -> int:
    """Calls that a request costs where so many guests of the address follow a race."""
    admission = Admission(Limits(races_per_address=10_000))
    sessions = [guest(admission, n) for n in range(guests)]
    for session in sessions:
        asks(admission, session, RACE)
    message = Move(race, 1, "d") if kind is Move else Join(race)
    calls: Counter[str] = Counter()
    sys.setprofile(lambda frame, event, what: calls.update([event]))
    try:
        admission.check_entering(Asked(sessions[0], message, object()), race)
    finally:
        sys.setprofile(None)
    return calls.total()


@pytest.mark.parametrize(("kind", "race"), [(Move, RACE), (Join, OTHER)])
def test_a_request_costs_the_same_however_many_guests_its_address_has(
    kind: type[Join | Move], race: RaceId
) -> None:
    assert calls_of(kind, race, 1) == calls_of(kind, race, 300)


def test_races_are_counted_until_the_request_is_refused_or_the_race_or_the_session_left() -> None:
    admission = Admission(Limits(races_per_address=2))
    ada, bob = guest(admission, 1), guest(admission, 2)
    joining = asks(admission, ada, RACE)
    asks(admission, bob, RACE)
    asks(admission, bob, RACE)  # the same race once more
    refused = Asked(ada, Join(OTHER), object())
    with pytest.raises(Refusal, match="from your address"):
        admission.check_entering(refused, OTHER)
    refused.answered()
    joining.answered()
    ada.following.follow(RACE)
    with pytest.raises(Refusal):
        admission.check_entering(refused, OTHER)
    refused.answered()
    ada.following.unfollow(RACE)
    asks(admission, ada, OTHER)
    admission.left(bob)
    bob.following.follow(OTHER)  # what an answer brings after its session has gone
    asks(admission, guest(admission, 3), RACE)

"""A player's kept list of hashes reveals a server that chose, replaced or dropped a nonce."""

from collections.abc import Callable
from hashlib import sha256

import pytest
from msgspec.structs import replace
from tests.fairness.races import ADA, BOB
from tests.fairness.witnessed import BOBS, NONCE, Witnessed, live

from bigben_client import Finding, check, lies, unchecked
from bigben_client.evidence import dealing
from bigben_client.evidence.kept import undealt, with_room
from bigben_protocol import NonceState, PlayerId, house_player
from bigben_rules import GAMES, nonce_hash, shuffle

MOVES = ("turn", "turn", "turn")
OTHER = "11" * 32


def of_nonce(race: Witnessed) -> Finding:
    (found,) = [finding for finding in check(*race) if finding.what == "nonce"]
    return found


def dealt_from(race: Witnessed, *nonces: str, states: tuple[NonceState, ...]) -> Witnessed:
    """The race as these nonces would have dealt it, and the player has seen no other cards."""
    seed = sha256(bytes.fromhex(race.reveal.server_seed + "".join(nonces))).digest()
    reveal = replace(race.reveal, nonces=nonces, nonce_states=states, seed=seed.hex())
    order = shuffle(GAMES["bigben"].pack, seed)
    kept = replace(race.kept, shown={}, moves=())
    return race._replace(kept=kept, reveal=reveal, record=replace(race.record, order=order))


def a_friends_nonce_replaced(race: Witnessed) -> Witnessed:
    """After the last honest nonce has come, the server takes another one for Bob."""
    return dealt_from(race, OTHER, NONCE, "", states=("late", "late", "none"))


def a_friends_nonce_and_its_hash_replaced(race: Witnessed) -> Witnessed:
    """The same, with the hash that belongs to it."""
    told = a_friends_nonce_replaced(race)
    hashed = nonce_hash(race.room.race, BOB.id, bytes.fromhex(OTHER))
    hashes = (hashed, *race.room.nonce_hashes[1:])
    return told._replace(room=replace(told.room, nonce_hashes=hashes))


def a_nonce_for_a_seat_without_one(race: Witnessed) -> Witnessed:
    return dealt_from(race, BOBS, NONCE, OTHER, states=("late", "late", "early"))


def a_house_seat_with_a_nonce(race: Witnessed) -> Witnessed:
    """The third seat was the house's from the start, with a hash of its own."""
    house = house_player("beginner")
    hashed = nonce_hash(race.room.race, house, bytes.fromhex(OTHER))
    told = dealt_from(race, BOBS, NONCE, OTHER, states=("late", "late", "late"))
    *seats, third = race.room.seats
    hashes = (*race.room.nonce_hashes[:2], hashed)
    room = replace(race.room, seats=(*seats, replace(third, player=house)), nonce_hashes=hashes)
    kept = replace(told.kept, seats=(*race.kept.seats[:2], (house, hashed)))
    return told._replace(kept=kept, room=room)


def an_acknowledged_nonce_dropped(race: Witnessed) -> Witnessed:
    return dealt_from(race, BOBS, "", "", states=("late", "withheld", "none"))


def no_mixing_at_all(race: Witnessed) -> Witnessed:
    """The server denies that it waited for nonces, and has left Bob's out."""
    told = dealt_from(race, "", NONCE, "", states=())
    return told._replace(reveal=replace(told.reveal, mixed_at=0))


def without_the_states(race: Witnessed) -> Witnessed:
    return race._replace(reveal=replace(race.reveal, nonce_states=()))


def another_state(race: Witnessed) -> Witnessed:
    states: tuple[NonceState, ...] = ("late", "late", "withheld")
    return race._replace(reveal=replace(race.reveal, nonce_states=states))


def another_seat_more(race: Witnessed) -> Witnessed:
    """A second account that was not in the list when the nonces were sent."""
    more = replace(race.room.seats[0], player=PlayerId("guest:another"))
    hashes = (*race.room.nonce_hashes, "")
    room = replace(race.room, seats=(*race.room.seats, more), nonce_hashes=hashes)
    nonces, states = (*race.reveal.nonces, ""), (*race.reveal.nonce_states, "none")
    return race._replace(room=room, reveal=replace(race.reveal, nonces=nonces, nonce_states=states))


@pytest.mark.parametrize(
    "lie",
    [
        a_friends_nonce_replaced,
        a_friends_nonce_and_its_hash_replaced,
        a_nonce_for_a_seat_without_one,
        a_house_seat_with_a_nonce,
        an_acknowledged_nonce_dropped,
        no_mixing_at_all,
        without_the_states,
        another_state,
        another_seat_more,
    ],
)
def test_a_chosen_nonce_is_a_lie(lie: Callable[[Witnessed], Witnessed]) -> None:
    told = check(*lie(live(*MOVES)))
    assert [finding.what for finding in lies(told)] == ["nonce"]
    assert lies(told)[0].text.endswith((".", ")"))


def test_a_withheld_nonce_is_named_with_what_it_could_choose() -> None:
    found = of_nonce(dealt_from(live(), "", NONCE, "", states=("withheld", "late", "none")))
    assert found.holds
    assert "could choose among 2 deals" in found.text


def test_a_nonce_that_nobody_acknowledged_may_be_missing() -> None:
    race = an_acknowledged_nonce_dropped(live())
    found = of_nonce(race._replace(kept=replace(race.kept, acknowledged=False)))
    assert found.holds is None
    assert "it came too late, or the server dropped it" in found.text


def test_a_nonce_that_went_with_ready_protects_less() -> None:
    race = live()
    early = replace(race.kept, nonce_hash="", seats=())
    reveal = replace(race.reveal, nonce_states=(), mixed_at=0)
    told = race._replace(kept=early, reveal=reveal)
    assert lies(check(*told)) == ()
    assert [one.what for one in unchecked(check(*told))] == ["nonce"]


def test_a_deleted_player_is_no_lie() -> None:
    race = live(*MOVES)
    gone = replace(race.room.seats[0], player=PlayerId("deleted:guest-1"))
    room = replace(race.room, seats=(gone, *race.room.seats[1:]))
    assert lies(check(*race._replace(room=room))) == ()


def test_a_countdown_that_never_dealt_is_counted_and_its_nonce_used_no_more() -> None:
    race = live()
    kept = replace(race.kept, starts_at=0)
    assert undealt([kept, race.kept]) == 1
    assert undealt([kept], but=kept.race) == 0
    seats = tuple(replace(seat, state="joined") for seat in race.room.seats)
    lost = replace(race.room, phase="open", seats=seats, starts_at=0)
    again = with_room(kept, lost, ADA.id)
    assert again is not None
    assert (again.nonce, again.nonce_hash, again.seats, again.countdowns) == (None, "", (), 1)
    assert undealt([again]) == 1


def test_a_promised_nonce_stays_until_ready() -> None:
    race = live()
    seats = tuple(replace(seat, state="joined") for seat in race.room.seats)
    kept = replace(race.kept, seats=(), starts_at=0)
    opened = replace(race.room, phase="open", seats=seats, starts_at=0)
    assert with_room(kept, opened, ADA.id) == kept


def test_the_client_hashes_as_the_rules_do() -> None:
    nonce = bytes(range(32))
    assert dealing.nonce_hash("K7QPXM", "guest:ada", nonce) == nonce_hash(
        "K7QPXM", "guest:ada", nonce
    )

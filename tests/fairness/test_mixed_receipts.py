"""The second form of the receipt says what became of every nonce, and by that who could choose."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.fairness import test_sketch
from tests.fairness.forging import sealed, write
from tests.fairness.races import RACES
from tests.fairness.test_sketch import holds
from tests.terminal.test_own_memory import kept_of

from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.own_memory import compare
from bigben_terminal.receipts.receipt_form import FIRST, SECOND, Altered, Receipt, read

verify = test_sketch.verify
"""The fixture."""

OTHER = "11" * 32


def with_seat(receipt: Receipt, at: int, **fields: Any) -> Receipt:  # Any: fields of a seat
    seats = list(receipt.seats)
    seats[at] = replace(seats[at], **fields)
    return replace(receipt, seats=tuple(seats))


def test_it_names_every_nonce_and_what_could_be_chosen(verify: Callable[[str], None]) -> None:
    receipt = RACES["mixed_live"]()
    assert receipt.version == SECOND
    states = [seat.nonce_state for seat in receipt.seats]
    assert states == ["late", "early", "withheld", "none"]
    assert (
        "nonces: 1 late, 1 early, 1 withheld, 1 none; withheld by Çyd, so one of up to 2 deals "
        "could be chosen"
    ) in [*check(read(write(receipt)))]
    verify(write(receipt))


def test_a_race_without_late_nonces_has_the_first_form() -> None:
    assert RACES["short_live"]().version == FIRST


@pytest.mark.parametrize(
    ("alter", "reason"),
    [
        (lambda r: with_seat(r, 0, nonce_hash=OTHER), r"seats\[0\].nonce_hash is .*; race, player"),
        (lambda r: with_seat(r, 1, nonce_hash=OTHER), r"seats\[1\].nonce_hash is .*; race, player"),
        (lambda r: with_seat(r, 2, nonce_state="none"), r"seats\[2\].nonce_hash is"),
        (lambda r: with_seat(r, 2, nonce_hash=""), r"seats\[2\].nonce_hash is"),
        (lambda r: with_seat(r, 3, nonce_state="late"), r"seats\[3\].nonce_hash is"),
        (lambda r: with_seat(r, 0, nonce_state="withheld"), r"seats\[0\].nonce is"),
        (lambda r: with_seat(r, 0, nonce_state="lost"), r"seats\[0\].nonce_state is .*; there are"),
        (lambda r: with_seat(r, 0, player="bot:beginner"), r"seats\[0\].nonce_state is"),
        (lambda r: with_seat(r, 0, player=r.seats[1].player), r"seats\[0\].nonce_hash is"),
        (lambda r: replace(r, mixed_at=0), r"seats\[0\].nonce_hash is .*; without mixed_at"),
        (lambda r: replace(r, mixed_at=r.starts_at + 1), "mixed_at is"),
        (lambda r: replace(r, version=FIRST), r"(seats.*|mixed_at) is no field"),
    ],
    ids=[
        *("another hash", "another early hash", "none", "no hash", "late", "withheld", "lost"),
        *("of the house", "of another", "no time", "too late", "the first form"),
    ],
)
def test_another_story_of_the_nonces_does_not_hold(
    alter: Callable[[Receipt], Receipt], reason: str, verify: Callable[[str], None]
) -> None:
    receipt = sealed(alter(RACES["mixed_live"]()))
    with pytest.raises(Altered, match=reason):
        list(check(read(write(receipt))))
    assert not holds(verify, write(receipt))


def test_the_hash_of_a_deleted_player_is_of_the_id_that_they_had(
    verify: Callable[[str], None],
) -> None:
    gone = sealed(with_seat(RACES["mixed_live"](), 0, player="deleted:guest-1"))
    assert [*check(read(write(gone)))]
    verify(write(gone))


def hashes_of(receipt: Receipt) -> list[list[str]]:
    return [[seat.player, seat.nonce_hash] for seat in receipt.seats]


def test_a_receipt_is_compared_with_the_kept_hashes() -> None:
    receipt = RACES["mixed_live"]()
    own = {"seats": hashes_of(receipt), "nonce_hash": receipt.seats[0].nonce_hash}
    assert [*compare(receipt, [kept_of(receipt, **own, acknowledged=True)])]
    others = hashes_of(receipt)
    others[2][1] = OTHER
    with pytest.raises(Altered, match=r"^the hash of seats\[2\].nonce is"):
        list(compare(receipt, [kept_of(receipt, **{**own, "seats": others})]))
    with pytest.raises(Altered, match=r"^the number of seats is"):
        list(compare(receipt, [kept_of(receipt, **{**own, "seats": others[:3]})]))


@pytest.mark.parametrize("acknowledged", [True, False])
def test_only_an_acknowledged_nonce_can_not_be_withheld(acknowledged: bool) -> None:
    receipt = with_seat(RACES["mixed_live"](), 0, nonce="", nonce_state="withheld")
    seat = RACES["mixed_live"]().seats[0]
    own = kept_of(
        receipt,
        nonce=seat.nonce,
        nonce_hash=seat.nonce_hash,
        seats=hashes_of(receipt),
        acknowledged=acknowledged,
    )
    if acknowledged:
        with pytest.raises(Altered, match=r"^seats\[0\].nonce is"):
            list(compare(receipt, [own]))
    else:
        assert [*compare(receipt, [own])]

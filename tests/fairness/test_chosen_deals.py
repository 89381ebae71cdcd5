"""The receipt of a race that plays another deal of its seed: the deal, its grade, and a line."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fairness import test_sketch
from tests.fairness.forging import sealed, write
from tests.fairness.races import RACES, chosen_daily
from tests.fairness.test_sketch import holds

from bigben_client.evidence import dealing
from bigben_rules import counted, game_named, shuffle
from bigben_solver.choosing import VERSION
from bigben_solver.grades import GRADES
from bigben_terminal.receipts.deep import check_choice
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import SECOND, Altered, Receipt, read

verify = test_sketch.verify
"""The fixture."""


def without_a_move(receipt: Receipt) -> Receipt:
    return replace(receipt, certificate=receipt.certificate[1:])


def without_the_end(receipt: Receipt) -> Receipt:
    return replace(receipt, certificate=receipt.certificate[:-1])


def test_it_holds_and_says_what_was_chosen(verify: Callable[[str], None]) -> None:
    receipt = chosen_daily()
    lines = list(check(read(write(receipt))))
    assert f"seed: deal {receipt.deal} of the server's own" in lines
    assert f"grade: {receipt.grade}, as the cards give it" in lines
    par = len(receipt.certificate)
    assert f"certificate: {par} moves win this deal, which is par" in lines
    assert holds(verify, write(receipt))


@pytest.mark.parametrize(
    ("alter", "reason"),
    [
        (lambda receipt: replace(receipt, deal=receipt.deal + 1), "seed is"),
        (lambda receipt: replace(receipt, deal=0), "seed is"),
        (lambda receipt: replace(receipt, grade="tricky"), 'grade is "tricky"; there are easy,'),
        (lambda receipt: replace(receipt, certificate=("s s",)), "certificate.0. is"),
        (without_a_move, "certificate"),
        (without_the_end, "certificate does not win the deal."),
    ],
    ids=["the next deal", "the first", "a grade", "no move", "without a move", "without the end"],
)
def test_another_deal_or_line_does_not_hold(
    alter: Callable[[Receipt], Receipt], reason: str, verify: Callable[[str], None]
) -> None:
    receipt = sealed(alter(chosen_daily()))
    with pytest.raises(Altered, match=reason):
        list(check(read(write(receipt))))
    if "grade" not in reason:
        assert not holds(verify, write(receipt))


def test_a_line_of_the_first_deal_is_checked_too() -> None:
    receipt = sealed(replace(RACES["short_daily"](), certificate=("turn", "turn")))
    with pytest.raises(Altered, match="certificate"):
        list(check(read(write(receipt))))


def later_deal(receipt: Receipt) -> Receipt:
    """The receipt of the same race with the 16th deal of its seed, and all that follows from it.

    Nobody has made a move, so every move is legal.
    """
    seed = counted(bytes.fromhex(receipt.seed), 16)
    game = game_named(receipt.game)
    order = shuffle(game.pack, seed)
    seats = []
    for seat in receipt.seats:
        home = game.deal(order, receipt.rules).progress
        result = replace(seat.result, state="resigned", moves=1, home=home, ms=5, home_ms=0)
        seats.append(replace(seat, moves=((5, "resign"),), result=result, place=1))
    return replace(receipt, deal=16, seed=seed.hex(), order=order, seats=tuple(seats))


@pytest.mark.parametrize("race", ["short_live", "short_deadline"])
def test_a_room_that_asks_for_no_deal_has_the_first_one(
    race: str, verify: Callable[[str], None]
) -> None:
    receipt = sealed(later_deal(RACES[race]()))
    with pytest.raises(Altered, match=r"^deal is 16; in a room that asks for no deal it is 0"):
        list(check(read(write(receipt))))
    assert not holds(verify, write(receipt))


@pytest.mark.parametrize("race", ["short_live", "short_deadline"])
def test_only_a_daily_is_dealt_again(race: str, verify: Callable[[str], None]) -> None:
    receipt = sealed(replace(RACES[race](), counter=7))
    with pytest.raises(Altered, match=r"^counter is 7; in a "):
        list(check(read(write(receipt))))
    assert not holds(verify, write(receipt))


def test_a_chosen_deal_has_a_certificate(verify: Callable[[str], None]) -> None:
    receipt = sealed(replace(chosen_daily(), certificate=(), grade=""))
    with pytest.raises(Altered, match=r"^deal is .*; without a certificate it is 0"):
        list(check(read(write(receipt))))
    assert not holds(verify, write(receipt))


def test_another_grade_than_that_of_the_cards_does_not_hold() -> None:
    receipt = chosen_daily()
    other = next(grade for grade in GRADES if grade != receipt.grade)
    with pytest.raises(Altered, match=r"^grade is .*; the cards give "):
        list(check(read(write(sealed(replace(receipt, grade=other))))))


def test_what_another_solver_has_found_is_not_checked_and_never_false() -> None:
    receipt = chosen_daily()
    other = next(grade for grade in GRADES if grade != receipt.grade)
    by_another = replace(receipt, version=SECOND, grade=other, solver=VERSION + 1)
    lines = [*check(read(write(sealed(by_another))))]
    why = f"not checked, because its solver has version {VERSION + 1}, and this one {VERSION}"
    assert f"grade: {other}, as the server says; {why}" in lines
    assert check_choice(by_another, lambda done, most: None) == f"choice: {why}"


def test_a_receipt_of_the_first_version_knows_one_solver() -> None:
    receipt = sealed(replace(chosen_daily(), solver=VERSION + 1))
    with pytest.raises(Altered, match=r"^solver is no field of a receipt of bigben-receipt-v1"):
        read(write(receipt))


def test_the_client_writes_which_solver_it_was() -> None:
    by_another = chosen_daily(solver=VERSION + 1)
    assert (by_another.version, by_another.solver) == (SECOND, VERSION + 1)
    assert [*check(by_another)]


@pytest.mark.parametrize("empty", ['"deal": 0', '"grade": ""', '"certificate": []'])
def test_what_says_nothing_must_not_be_there(empty: str) -> None:
    with pytest.raises(Altered, match="must not be there"):
        read(write(RACES["short_daily"]()).replace("{", f"{{{empty}, ", 1))


def test_the_client_counts_deals_as_the_rules_do() -> None:
    for deal in (0, 1, 2, 1_000):
        assert dealing.counted(b"s" * 32, deal) == counted(b"s" * 32, deal)

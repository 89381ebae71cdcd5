"""The receipt of a race that plays another deal of its seed: the deal, its grade, and a line."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fairness import test_sketch
from tests.fairness.forging import sealed, write
from tests.fairness.races import RACES, chosen_daily
from tests.fairness.test_sketch import holds

from bigben_client.evidence import dealing
from bigben_rules import counted
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Altered, Receipt, read

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
    assert "grade: hard, as the server says" in lines
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


@pytest.mark.parametrize("empty", ['"deal": 0', '"grade": ""', '"certificate": []'])
def test_what_says_nothing_must_not_be_there(empty: str) -> None:
    with pytest.raises(Altered, match="must not be there"):
        read(write(RACES["short_daily"]()).replace("{", f"{{{empty}, ", 1))


def test_the_client_counts_deals_as_the_rules_do() -> None:
    for deal in (0, 1, 2, 1_000):
        assert dealing.counted(b"s" * 32, deal) == counted(b"s" * 32, deal)

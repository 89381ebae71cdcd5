"""The receipt of a void race, and of a daily that was dealt again, says so and holds."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.fairness.forging import sealed, write
from tests.fairness.races import RACES

from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Altered, Receipt, read


def made(race: str, /, **more: Any) -> Receipt:  # Any: whatever fields the test is about
    return sealed(replace(RACES[race](), **more))


def test_a_void_race_is_called_void() -> None:
    lines = list(check(read(write(made("short_live", void="a card was there twice")))))
    said = "void: the results count nowhere; the operator's reason is "
    assert f'{said}"a card was there twice"' in lines


def test_a_daily_that_was_dealt_again_says_how_often() -> None:
    lines = list(check(read(write(made("short_daily", counter=2)))))
    assert "counter: 2; the cards of this daily were dealt again" in lines


def test_a_daily_that_was_set_aside_has_a_code_and_the_times_of_its_day() -> None:
    list(check(made("short_daily", race="K7QPXM", void="restored")))
    with pytest.raises(Altered, match="race is"):
        list(check(made("short_daily", race="K7QPXM")))
    with pytest.raises(Altered, match="opened_at"):
        list(check(made("short_daily", race="K7QPXM", void="restored", opened_at=1)))


def test_a_race_that_counts_nowhere_says_until_when_it_is_kept() -> None:
    receipt = RACES["alone"]()
    assert receipt.kept_until > receipt.starts_at
    day = f"{datetime.fromtimestamp(receipt.kept_until / 1000, UTC):%Y-%m-%d}"
    assert f"kept: the race counts nowhere; the server has it until {day}" in list(check(receipt))
    for altered in (receipt.opened_at, 10**18):
        with pytest.raises(Altered, match="kept_until is"):
            list(check(sealed(replace(receipt, kept_until=altered))))
    with pytest.raises(Altered, match="a daily is kept for ever"):
        list(check(made("short_daily", kept_until=receipt.kept_until)))


def test_the_seal_covers_both() -> None:
    receipt = made("short_daily", counter=1, void="why")
    for other in (replace(receipt, counter=0), replace(receipt, void="")):
        with pytest.raises(Altered, match="seal"):
            list(check(other))


@pytest.mark.parametrize("empty", ['"void": ""', '"counter": 0'])
def test_one_that_says_nothing_must_not_be_there(empty: str) -> None:
    with pytest.raises(Altered, match="must not be there"):
        read(write(RACES["short_daily"]()).replace("{", f"{{{empty}, ", 1))

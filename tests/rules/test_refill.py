"""Move 3: cards from the stock to every fan that is short."""

import pytest
from tests.rules.support import board, fan, legal, play, why_illegal

from bigben_rules import Pile, Step
from bigben_rules.bigben import Position
from bigben_rules.bigben.moves import REFILL
from bigben_rules.cards import card

STOCK = "AC AD AH AS 2C 2D 2H 2S 3C 3D"
"""Enough different cards for the gaps of these tests."""

GAPS = {12: "KS QH", 4: "", 9: "JD"}
"""One gap at 12, three at 4 and two at 9."""


def with_gaps(rules: str, stock: str = STOCK, rest: str = "stock") -> Position:
    return board(rules=rules, fans=GAPS, stock=stock, rest=rest)


def test_laps_deal_one_card_to_every_short_fan_clockwise_from_twelve_lap_after_lap() -> None:
    after = play(with_gaps("standard"), "refill")
    assert fan(after, 12) == "KS QH AC"
    assert fan(after, 4) == "AD AS 2D"
    assert fan(after, 9) == "JD AH 2C"


def test_fans_fill_one_fan_completely_and_then_the_next_clockwise_from_twelve() -> None:
    after = play(with_gaps("book"), "refill")
    assert fan(after, 12) == "KS QH AC"
    assert fan(after, 4) == "AD AH AS"
    assert fan(after, 9) == "JD 2C 2D"


@pytest.mark.parametrize("rules", ["standard", "book"])
def test_no_fan_is_short_afterwards_and_the_rest_of_the_stock_is_unchanged(rules: str) -> None:
    before = with_gaps(rules)
    after = play(before, "refill")
    assert not after.short
    assert after.stock == before.stock[6:]
    assert after.waste == before.waste


def test_the_steps_are_in_the_order_of_dealing() -> None:
    _, steps = with_gaps("standard").apply(REFILL)
    assert " ".join(f"{step.card}>{step.target}" for step in steps) == (
        "AC>12 AD>4 AH>9 AS>4 2C>9 2D>4"
    )
    assert steps[0] == Step(Pile("s"), Pile("12"), card("AC"))


def test_a_stock_that_runs_out_leaves_the_fans_of_the_later_laps_short() -> None:
    after = play(with_gaps("standard", stock="AC AD AH AS", rest="7"), "refill")
    assert (fan(after, 12), fan(after, 4), fan(after, 9)) == ("KS QH AC", "AD AS", "JD AH")
    assert after.stock == ()


def test_a_stock_that_runs_out_leaves_the_later_fans_short() -> None:
    after = play(with_gaps("book", stock="AC AD AH", rest="7"), "refill")
    assert (fan(after, 12), fan(after, 4), fan(after, 9)) == ("KS QH AC", "AD AH", "JD")


@pytest.mark.parametrize("rules", ["standard", "book"])
def test_fans_that_stay_short_stay_short_forever(rules: str) -> None:
    after = play(with_gaps(rules, stock="AC AD", rest="7"), "refill")
    assert why_illegal(after, "refill") == "The stock is empty."
    assert why_illegal(after, "turn") == "The stock is empty."
    assert not {"refill", "turn"} & legal(after)


def test_it_is_allowed_when_some_fan_has_a_gap() -> None:
    assert "refill" in legal(board(fans={6: "KS QH"}))


def test_it_is_not_allowed_when_no_fan_has_a_gap() -> None:
    position = board()
    assert "refill" not in legal(position)
    assert why_illegal(position, "refill") == "No fan has a gap; turn a card instead."


def test_a_fan_above_three_cards_gets_none() -> None:
    before = board(fans={12: "KS QH JH 9D", 6: "KS QH"})
    after = play(before, "refill")
    assert fan(after, 12) == "KS QH JH 9D"
    assert after.stock == before.stock[1:]


def test_gaps_need_not_be_filled_before_something_is_played() -> None:
    position = board(fans={6: "KS", 3: "KS QH 3C", 5: "2S 2H 9D"}, waste="8D")
    assert {"refill", "3 f9", "w 5"} <= legal(position)


def test_it_is_one_move_so_nothing_can_be_played_in_between() -> None:
    # 3C would fit nine on its way; it goes to the fan and the rest of the lap follows.
    before = board(fans={12: "", 9: "JD"}, stock="AC AD 3C AH AS 2C")
    after, steps = before.apply(REFILL)
    assert len(steps) == 5
    assert fan(after, 12) == "AC 3C AS"
    assert after.progress == before.progress

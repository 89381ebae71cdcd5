"""Move 4: one card from the stock to the waste."""

import pytest
from tests.rules.support import board, legal, play, why_illegal

from bigben_rules import Pile, Step
from bigben_rules.bigben.moves import TURN
from bigben_rules.cards import card


def test_the_next_card_of_the_stock_goes_on_the_waste() -> None:
    before = board(waste="KS", stock="AC AD")
    after, steps = before.apply(TURN)
    assert after.waste == ("KS", "AC")
    assert after.stock == before.stock[1:]
    assert after.fans == before.fans
    assert steps == (Step(Pile("s"), Pile("w"), card("AC")),)


def test_it_is_allowed_when_no_fan_has_a_gap() -> None:
    assert "turn" in legal(board())


@pytest.mark.parametrize("cards", ["", "KS", "KS QH"])
def test_it_is_not_allowed_while_a_fan_has_a_gap(cards: str) -> None:
    position = board(fans={6: cards})
    assert "turn" not in legal(position)
    assert why_illegal(position, "turn") == "A fan has a gap; refill first."


def test_whether_other_moves_exist_does_not_matter() -> None:
    position = board(fans={3: "KS QH 3C", 5: "2S 2H 9D"}, waste="8D")
    assert {"turn", "3 f9", "w 5"} <= legal(position)


def test_it_is_not_allowed_when_the_stock_is_empty() -> None:
    position = board(rest="waste")
    assert "turn" not in legal(position)
    assert why_illegal(position, "turn") == "The stock is empty."


def test_the_last_card_can_be_turned() -> None:
    after = play(board(stock="3C", rest="waste"), "turn")
    assert after.stock == ()
    assert "w f9" in legal(after)


def test_the_waste_never_fills_gaps() -> None:
    before = board(fans={6: "KS QH"}, waste="KH", stock="AC")
    after = play(before, "refill")
    assert after.fans[5] == ("KS", "QH", "AC")
    assert after.waste == before.waste


def test_the_waste_never_goes_back_to_the_stock() -> None:
    position = board(rest="waste", fans={6: "KS QH"})
    assert position.waste
    assert why_illegal(position, "refill") == "The stock is empty."
    assert why_illegal(position, "turn") == "The stock is empty."

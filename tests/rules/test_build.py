"""Move 2: the top of a fan, or of the waste, on another fan."""

import pytest
from tests.rules.support import (
    board,
    fan,
    legal,
    play,
    refused,
    why_illegal,
)

from bigben_rules import NotationError, Pile, Step
from bigben_rules.bigben.layout import HOURS
from bigben_rules.bigben.moves import FAN
from bigben_rules.cards import card


def test_the_top_of_a_fan_goes_on_the_same_suit_one_rank_higher() -> None:
    after = play(board(fans={3: "KS QH 8D", 5: "2S 2H 9D"}), "3 5")
    assert (fan(after, 3), fan(after, 5)) == ("KS QH", "2S 2H 9D 8D")


def test_the_top_of_the_waste_goes_on_a_fan() -> None:
    after = play(board(waste="AH 8D", fans={5: "2S 2H 9D"}), "w 5")
    assert (after.waste, fan(after, 5)) == (("AH",), "2S 2H 9D 8D")


def test_the_step_says_which_card_went_where() -> None:
    before = board(fans={3: "KS QH 8D", 5: "2S 2H 9D"})
    _, steps = before.apply(before.parse("3 5"))
    assert steps == (Step(Pile("3"), Pile("5"), card("8D")),)


@pytest.mark.parametrize("name", ["8H", "8S", "8C"])
def test_another_suit_does_not_fit(name: str) -> None:
    position = board(fans={3: f"KS QH {name}", 5: "2S 2H 9D"})
    assert why_illegal(position, "3 5") == f"{name} does not go on 9D; fan 5 wants 8D."


@pytest.mark.parametrize("name", ["9D", "JD", "QD", "AD"])
def test_the_rank_must_be_exactly_one_lower(name: str) -> None:
    position = board(fans={3: f"KS QH {name}", 5: "2S 2H JD"})
    assert "fan 5 wants 10D" in why_illegal(position, "3 5")


def test_a_king_may_be_put_on_an_ace() -> None:
    after = play(board(fans={3: "2S QH KS", 5: "2S 2H AS"}), "3 5")
    assert fan(after, 5) == "2S 2H AS KS"


def test_an_ace_may_not_be_put_on_a_king() -> None:
    position = board(fans={3: "2S QH AS", 5: "2S 2H KS"})
    assert why_illegal(position, "3 5") == "AS does not go on KS; fan 5 wants QS."


@pytest.mark.parametrize("short", ["", "9D", "2H 9D"])
def test_nothing_is_built_on_a_fan_of_fewer_than_three(short: str) -> None:
    position = board(fans={3: "KS QH 8D", 5: short}, waste="8D")
    reason = "Fan 5 holds fewer than three cards; nothing goes on it."
    assert why_illegal(position, "3 5") == reason
    assert why_illegal(position, "w 5") == reason


@pytest.mark.parametrize("short", ["8D", "2H 8D"])
def test_cards_may_be_taken_from_a_fan_of_fewer_than_three(short: str) -> None:
    after = play(board(fans={3: short, 5: "2S 2H 9D"}), "3 5")
    assert fan(after, 5) == "2S 2H 9D 8D"


@pytest.mark.parametrize(("cards", "takes"), [("2S 2H 9D 4C", True), ("2H 9D 4C", False)])
def test_what_counts_is_how_many_cards_the_fan_holds_now(cards: str, takes: bool) -> None:
    position = play(board(waste="8D", fans={5: cards, 6: "AH AH 5C"}), "5 6")
    assert ("w 5" in legal(position)) == takes


def test_one_card_is_moved_at_a_time() -> None:
    # 7D lies on 8D in sequence; the two are not moved together.
    position = board(fans={3: "KS 8D 7D", 5: "2S 2H 9D"})
    assert why_illegal(position, "3 5") == "7D does not go on 9D; fan 5 wants 8D."


def test_a_fan_may_grow_without_limit() -> None:
    clubs = "KC QC JC 10C 9C 8C 7C 6C 5C 4C 3C 2C AC"
    after = play(board(fans={5: clubs, 3: "KH KH KC"}), "3 5")
    assert fan(after, 5) == f"{clubs} KC"


def test_a_move_that_could_be_moved_straight_back_is_legal() -> None:
    before = board(fans={3: "KS QH JD 10D", 5: "2S 2H JD"})
    after = play(before, "3 5")
    assert "5 3" in legal(after)
    assert play(after, "5 3") == before


def test_a_fan_is_never_built_on_itself() -> None:
    position = board(fans={3: "KS QH 8D"})
    reason = "Fan 3 can’t be built on itself."
    with refused(NotationError, match=reason):
        position.parse("3 3")
    assert all(move.source != move.target for move in position.legal_moves())


@pytest.mark.parametrize("hour", HOURS)
def test_nothing_is_built_from_an_empty_fan(hour: int) -> None:
    target = hour % 12 + 1
    position = board(fans={hour: "", target: "2S 2H 9D"})
    assert why_illegal(position, f"{FAN[HOURS[hour - 1]]} {target}") == f"Fan {hour} is empty."


def test_nothing_is_built_from_an_empty_waste() -> None:
    assert why_illegal(board(), "w 5") == "The waste is empty."

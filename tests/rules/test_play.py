"""Move 1: the top of a fan, or of the waste, to a foundation."""

import pickle

import pytest
from tests.rules.support import board, fan, legal, play, top_home, why_illegal

from bigben_rules import IllegalMove, Move, Pile, Step
from bigben_rules.bigben.layout import FOUNDATION, HOURS, Hour
from bigben_rules.bigben.moves import HOME, SOURCES
from bigben_rules.cards import ABOVE
from bigben_rules.sentence import sentence


def test_the_top_of_a_fan_goes_to_the_foundation_of_its_suit_one_rank_higher() -> None:
    before = board(fans={3: "KS QH 3C"})
    after = play(before, "3 f9")
    assert top_home(after, 9) == "3C"
    assert fan(after, 3) == "KS QH"
    assert after.progress == 13


def test_the_top_of_the_waste_goes_to_a_foundation() -> None:
    after = play(board(waste="KS 3C"), "w f9")
    assert top_home(after, 9) == "3C"
    assert after.waste == ("KS",)


def test_the_step_says_which_card_went_where() -> None:
    before = board(fans={3: "KS QH 3C"})
    _, steps = before.apply(before.parse("3 f9"))
    assert steps == (Step(Pile("3"), Pile("f9"), FOUNDATION[HOURS[8]][1]),)


def test_another_suit_does_not_fit() -> None:
    assert (
        why_illegal(board(fans={3: "KS QH 3D"}), "3 f9") == "The foundation at 9 wants 3C, not 3D."
    )


@pytest.mark.parametrize("card", ["2C", "AC", "4C", "5C"])
def test_the_rank_must_be_exactly_one_higher(card: str) -> None:
    assert "wants 3C" in why_illegal(board(fans={3: f"KS QH {card}"}), "3 f9")


def test_foundations_do_not_build_downward() -> None:
    # The survey says an eight goes on a nine.
    assert "wants 10D, not 8D" in why_illegal(board(fans={3: "KS QH 8D"}), "3 f4")


def test_only_the_top_of_a_fan_can_be_played() -> None:
    position = board(fans={3: "3C QH KS"})
    assert "3 f9" not in legal(position)
    assert why_illegal(position, "3 f9") == "The foundation at 9 wants 3C, not KS."


def test_only_the_top_of_the_waste_can_be_played() -> None:
    assert "wants 3C, not KS" in why_illegal(board(waste="3C KS"), "w f9")


def test_an_ace_follows_a_king() -> None:
    after = play(board(home={5: "KC"}, fans={3: "KS QH AC"}), "3 f5")
    assert top_home(after, 5) == "AC"


def test_a_two_follows_the_ace() -> None:
    after = play(board(home={5: "AC"}, fans={3: "KS QH 2C"}), "3 f5")
    assert top_home(after, 5) == "2C"


@pytest.mark.parametrize("hour", HOURS)
def test_a_foundation_is_complete_at_the_rank_of_its_hour_and_takes_nothing_more(
    hour: Hour,
) -> None:
    end = FOUNDATION[hour][-1]
    position = board(home={hour: end}, waste=ABOVE[end])
    assert f"w f{hour}" not in legal(position)
    assert why_illegal(position, f"w f{hour}") == f"The foundation at {hour} is complete."


def test_cards_may_be_taken_from_a_fan_with_gaps() -> None:
    after = play(board(fans={3: "3C"}), "3 f9")
    assert fan(after, 3) == ""


def test_nothing_can_be_played_from_an_empty_fan_or_waste() -> None:
    position = board(fans={3: ""})
    assert why_illegal(position, "3 f9") == "Fan 3 is empty."
    assert why_illegal(position, "w f9") == "The waste is empty."


@pytest.mark.parametrize("home", HOME.values())
def test_cards_never_come_back_from_a_foundation(home: Pile) -> None:
    position = board()
    for target in (*SOURCES, *HOME.values()):
        with pytest.raises(ValueError, match="is not a move of Big Ben"):
            position.apply(Move(home, target))


def test_a_refused_move_changes_nothing() -> None:
    position = board(fans={3: "KS QH 3D"})
    text = position.text()
    why_illegal(position, "3 f9")
    assert position.text() == text


def test_an_illegal_move_tells_the_player_why_and_the_log_where() -> None:
    position = board(fans={3: "KS QH 3D"})
    with pytest.raises(IllegalMove) as caught:
        position.apply(position.parse("3 f9"))
    assert caught.value.said == sentence("home.wants", hour=9, wanted="3C", card="3D")
    assert caught.value.position == position.text()
    assert str(caught.value) == f"{caught.value.said} in: {position.text()}"


def test_an_illegal_move_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(IllegalMove(sentence("empty.stock"), "bigben …")))
    assert (error.said, error.position) == (sentence("empty.stock"), "bigben …")

"""Won and blocked."""

import pytest
from tests.rules.support import board, legal, play

from bigben_rules.bigben.layout import FOUNDATION, HOURS
from bigben_rules.bigben.variants import RULES

COMPLETE = {int(hour): str(FOUNDATION[hour][-1]) for hour in HOURS}
NO_FANS = dict.fromkeys(range(1, 13), "")


def test_the_game_is_won_when_all_104_cards_are_on_the_twelve_foundations() -> None:
    almost = board(home={**COMPLETE, 9: "8C"}, fans=NO_FANS, waste="9C")
    assert (almost.won, almost.progress) == (False, 103)
    won = play(almost, "w fdn")
    assert (won.won, won.progress) == (True, 104)


def test_a_won_game_has_no_moves_and_is_not_blocked() -> None:
    won = board(home=COMPLETE, fans=NO_FANS)
    assert won.won
    assert won.legal_moves() == []
    assert not won.blocked


def test_eleven_complete_foundations_are_not_a_win() -> None:
    position = board(home={**COMPLETE, 8: "KD"}, rest="waste", fans=NO_FANS)
    assert not position.won


def test_a_game_is_blocked_when_nothing_is_legal() -> None:
    position = board(
        fans={
            **NO_FANS,
            1: "AC 2C KC",
            2: "JD QD 2D",
            3: "AH 2H KH",
            4: "AS QS 2S 2H",
            5: "3H KC",
        },
        waste="5H",
        rest="waste",
    )
    assert position.legal_moves() == []
    assert position.blocked
    assert not position.won


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("fans", [{}, {6: "KS"}], ids=["full fans", "a short fan"])
def test_a_game_with_cards_in_the_stock_is_never_blocked(rules: str, fans: dict[int, str]) -> None:
    # A short fan lets the player refill; if none is short and nothing fits, they can turn.
    assert not board(rules=rules, fans=fans).blocked


def test_a_game_with_only_a_move_to_and_fro_left_is_not_blocked() -> None:
    position = board(
        fans={**NO_FANS, 3: "AD AD JD 10D", 5: "2S 2H JD"},
        waste="AS AH",
        rest="waste",
    )
    assert "3 5" in legal(position)
    assert not position.blocked


def test_a_game_with_one_legal_play_left_is_not_blocked() -> None:
    position = board(fans={**NO_FANS, 3: "3C"}, waste="KH", rest="waste")
    assert legal(position) == {"3 f9"}
    assert not position.blocked

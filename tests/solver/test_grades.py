"""Grades depend on what is seen alone, are the same on every machine, and separate the deals."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.solver.worlds import reshuffled
from tests.support.torture import examples

from bigben_rules import GAMES, shuffle
from bigben_rules.bigben import BigBen, Position
from bigben_rules.bigben.variants import RULES
from bigben_solver.grades import GRADES, grade, score
from bigben_solver.players import PLAYERS
from bigben_solver.thresholds import THRESHOLDS


def dealt(number: int, rules: str = "standard") -> Position:
    return BigBen.deal(shuffle(BigBen.pack, number.to_bytes(32, "big")), rules)


@examples(3)
@given(st.integers(0, 2**64), st.randoms(use_true_random=False))
def test_a_grade_depends_on_what_is_seen_alone(number: int, luck: Random) -> None:
    position = dealt(number)
    seen = BigBen.seen(position.piles(), "standard")
    assert score(position) == score(reshuffled(position, luck)) == score(seen)


def test_every_variant_has_thresholds_that_rise() -> None:
    assert list(THRESHOLDS) == list(RULES)
    for rules, limits in THRESHOLDS.items():
        assert 12 < limits[0] < limits[1] < limits[2] < 104, rules


def test_a_deal_has_the_grade_of_its_score() -> None:
    position = dealt(1)
    home = score(position)
    harder = sum(home > limit for limit in THRESHOLDS["standard"])
    assert grade(position) == GRADES[::-1][harder]


def test_the_weakest_player_brings_more_cards_home_in_easy_deals_than_in_fiendish_ones() -> None:
    easy, fiendish = [4, 7, 11, 19, 25, 27], [9, 20, 21, 30, 44, 52]
    assert {grade(dealt(number)) for number in easy} == {"easy"}
    assert {grade(dealt(number)) for number in fiendish} == {"fiendish"}
    assert sum(map(brought_home, easy)) > sum(map(brought_home, fiendish)) + 6 * 5


def brought_home(number: int) -> int:
    position, rng = dealt(number), Random(1)
    while plan := PLAYERS["bigben"][0].plan(position, rng):
        for move in plan:
            position, _ = position.apply(move)
    return position.progress


@pytest.mark.parametrize("game", [game for game in GAMES if game != "bigben"])
def test_a_game_without_grades_says_so(game: str) -> None:
    position = GAMES[game].deal(shuffle(GAMES[game].pack, bytes(32)), "standard")
    assert grade(position) == ""
    with pytest.raises(ValueError, match=f"{game} has no grades"):
        score(position)

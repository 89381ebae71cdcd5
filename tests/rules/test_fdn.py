"""A card that fits two foundations, and why `fdn` may choose the one that needs more cards."""

from random import Random

import pytest
from hypothesis import given
from tests.rules.exchange import Choice, choices
from tests.rules.support import (
    RANDOM_PLAY,
    board,
    choose,
    deal_from,
    legal,
    play,
    random_game,
    randoms,
    seeds,
    top_home,
    variants,
    why_illegal,
)

from bigben_rules import Move
from bigben_rules.bigben import Position
from bigben_rules.bigben.moves import TURN
from bigben_rules.bigben.variants import RULES


def both_at_six_of_clubs(**more: str) -> Position:
    """7C fits nine, which ends at 9C, and one, which ends at AC."""
    return board(home={9: "6C", 1: "6C"}, fans={3: "KS QH 7C"}, **more)


def test_the_same_card_can_fit_two_foundations() -> None:
    assert {"3 f9", "3 f1"} <= legal(both_at_six_of_clubs())


@pytest.mark.parametrize("hour", [9, 1])
def test_the_player_may_name_either(hour: int) -> None:
    after = play(both_at_six_of_clubs(), f"3 f{hour}")
    assert top_home(after, hour) == "7C"


@pytest.mark.parametrize("text", ["3 fdn", "3 f", "3 foundation"])
def test_fdn_means_the_one_that_still_needs_more_cards(text: str) -> None:
    position = both_at_six_of_clubs()
    assert position.format(position.parse(text)) == "3 f1"


def test_fdn_from_the_waste_chooses_in_the_same_way() -> None:
    # Both at 3D: hour twelve has begun with 5D, hour eight at KD needs 5, hour four at 9D needs 1.
    position = board(home={8: "3D", 4: "3D"}, waste="4D")
    assert position.format(position.parse("w fdn")) == "w f8"


def test_fdn_means_the_only_one_that_takes_the_card_even_if_another_needs_more() -> None:
    position = board(home={9: "6C", 1: "7C"}, fans={3: "KS QH 7C"})
    assert position.format(position.parse("3 fdn")) == "3 f9"


def test_fdn_where_no_foundation_takes_the_card_is_illegal() -> None:
    assert why_illegal(board(fans={3: "3C QH KC"}), "3 fdn") == "KC fits no foundation now."
    assert why_illegal(board(fans={3: ""}), "3 fdn") == "Fan 3 is empty."
    assert why_illegal(board(), "w fdn") == "The waste is empty."


def test_under_stuck_the_exchange_can_leave_a_card_that_must_be_played_before_a_turn() -> None:
    # 10C waits for a 9C. At nine a 9C is the last card; at one it lets 10C follow. A player who
    # wants to turn at once under these rules must write f9; under other rules fdn is never worse.
    position = board(
        rules="book",
        home={9: "8C", 1: "8C"},
        fans={
            1: "AC AC 2C",
            2: "AH AH 10H",
            3: "AS AS KH 9C",
            4: "AD AD 10C",
            5: "QC QC 2D",
            6: "QD QD 2S",
            7: "QH QH KC",
            8: "JC JC 6S",
            9: "JS JS 8D",
            10: "3D 3D 5H",
            11: "3S 3S 10S",
            12: "QS JH JD",
        },
    )
    assert legal(play(position, "3 f9")) == {"turn"}
    assert legal(play(position, "3 fdn")) == {"4 f1"}


def follow(position: Position, choice: Choice, random: Random) -> None:
    """Play at random after the other choice, and the exchanged moves after `fdn`.

    Assert that the exchanged game never falls behind, until the tops meet and both games are equal.
    """
    there, _ = position.apply(choice.other)
    here, _ = position.apply(choice.exchange(choice.other))
    for _ in range(150):
        move = choose(there, random)
        if there == here or move is None or waits_for_a_play(here, move):
            return
        there, _ = there.apply(move)
        here, _ = here.apply(choice.exchange(move))
        assert here.progress == there.progress
        assert (here.fans, here.waste, here.stock) == (there.fans, there.waste, there.stock)


def waits_for_a_play(position: Position, move: Move) -> bool:
    """Whether `stuck` forbids this turn; see the test above."""
    stuck = RULES[position.rules].turn == "stuck"
    return stuck and move == TURN and TURN not in position.legal_moves()


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_whatever_follows_the_other_choice_can_follow_fdn_with_the_two_piles_exchanged(
    seed: bytes, rules: str, random: Random
) -> None:
    for position, *_ in random_game(deal_from(seed, rules), random):
        for choice in choices(position)[:1]:
            follow(position, choice, random)

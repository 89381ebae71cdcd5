"""The layout that a shuffled order gives, and the orders that are not a deal."""

import pytest
from tests.rules.support import BIG_BEN, fan, top_home

from bigben_rules import GAMES, IllegalMove, game_named
from bigben_rules.bigben import deal
from bigben_rules.bigben.layout import SHUFFLED
from bigben_rules.cards import Card

ORDER = SHUFFLED[::-1]


def test_the_fans_are_dealt_in_three_laps_clockwise_from_twelve() -> None:
    position = deal(ORDER)
    assert fan(position, 12) == " ".join((ORDER[0], ORDER[12], ORDER[24]))
    assert fan(position, 1) == " ".join((ORDER[1], ORDER[13], ORDER[25]))
    assert fan(position, 11) == " ".join((ORDER[11], ORDER[23], ORDER[35]))


def test_there_are_twelve_fans_of_three() -> None:
    assert [len(cards) for cards in deal(ORDER).fans] == [3] * 12


def test_the_other_fifty_six_cards_are_the_stock_next_card_first() -> None:
    position = deal(ORDER)
    assert position.stock == ORDER[36:]
    assert len(position.stock) == 56
    assert position.waste == ()


def test_the_twelve_foundations_begin_with_one_card_each() -> None:
    position = deal(ORDER)
    tops = " ".join(top_home(position, hour) for hour in (9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8))
    assert tops == "2C 3H 4S 5D 6C 7H 8S 9D 10C JH QS KD"
    assert position.progress == 12


def test_the_player_sees_only_the_number_of_cards_in_the_stock() -> None:
    piles = deal(ORDER).piles()
    assert list(piles) == [*(f"f{h}" for h in range(1, 13)), *map(str, range(1, 13)), "w", "s"]
    hidden = {pile: cards for pile, cards in piles.items() if cards.down}
    assert {pile: (cards.up, cards.down) for pile, cards in hidden.items()} == {"s": ((), 56)}


def test_a_list_deals_like_a_tuple() -> None:
    assert BIG_BEN.deal(list(ORDER), "standard") == deal(ORDER)


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        (ORDER[:91], "this order has 91"),
        ((*ORDER, Card("AC")), "this order has 93"),
        ((), "this order has 0"),
        ((*ORDER[:91], Card("1C")), "'1C' is not a card"),
        ((*ORDER[:91], Card("ks")), "'ks' is not a card"),
        ((*SHUFFLED[1:], Card("KS")), "KS is there once too often"),
        ((Card("2C"), *SHUFFLED[1:]), "2C is there once too often"),
    ],
)
def test_other_cards_are_not_a_deal(order: tuple[Card, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=f"a deal of Big Ben has 92 cards: .*{complaint}"):
        deal(order)


def test_a_deal_under_unknown_rules_is_refused() -> None:
    with pytest.raises(ValueError, match="no rules are called 'chess'; there are standard, book"):
        deal(ORDER, "chess")


def test_a_game_is_found_by_its_name() -> None:
    assert game_named("bigben") is GAMES["bigben"]
    with pytest.raises(ValueError, match=r"no game is called 'poker'; there are bigben,"):
        game_named("poker")


def test_an_illegal_move_is_a_value_error() -> None:
    assert issubclass(IllegalMove, ValueError)

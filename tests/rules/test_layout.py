"""The clock: which cards belong to which hour, and that two packs can fill it."""

from collections import Counter
from itertools import pairwise

import pytest
from tests.rules.support import BIG_BEN

from bigben_rules.bigben.layout import FOUNDATION, HOURS, SHUFFLED, TOTAL, Hour
from bigben_rules.cards import PACK, RANKS


@pytest.mark.parametrize(
    ("hour", "start", "end", "size"),
    [
        (9, "2C", "9C", 8),
        (10, "3H", "10H", 8),
        (11, "4S", "JS", 8),
        (12, "5D", "QD", 8),
        (1, "6C", "AC", 9),
        (2, "7H", "2H", 9),
        (3, "8S", "3S", 9),
        (4, "9D", "4D", 9),
        (5, "10C", "5C", 9),
        (6, "JH", "6H", 9),
        (7, "QS", "7S", 9),
        (8, "KD", "8D", 9),
    ],
)
def test_each_foundation_goes_from_its_first_card_to_its_hour(
    hour: int, start: str, end: str, size: int
) -> None:
    cards = FOUNDATION[Hour(hour)]
    assert (cards[0], cards[-1], len(cards)) == (start, end, size)


@pytest.mark.parametrize("hour", HOURS)
def test_foundations_build_upward_in_suit_and_a_queen_stands_for_noon(hour: Hour) -> None:
    # The survey says downward, and a King at noon; its own tables say this.
    cards = FOUNDATION[hour]
    ranks = [RANKS.index(name[:-1]) for name in cards]
    assert {name[-1] for name in cards} == {cards[0][-1]}
    assert all((low + 1) % 13 == high for low, high in pairwise(ranks))
    assert ranks[-1] + 1 == hour


def test_the_complete_clock_is_two_packs() -> None:
    everything = Counter(name for cards in FOUNDATION.values() for name in cards)
    assert everything == Counter(PACK + PACK)
    assert TOTAL == BIG_BEN.total == 104


def test_a_jack_of_hearts_at_six_uses_up_every_suit_and_a_jack_of_diamonds_could_not() -> None:
    # The book prints JD at six o'clock.
    cards_of = Counter(name[-1] for cards in FOUNDATION.values() for name in cards)
    assert cards_of == {"C": 26, "D": 26, "H": 26, "S": 26}

    at_six = len(FOUNDATION[Hour(6)])
    assert FOUNDATION[Hour(6)][0] == "JH"
    assert (cards_of["H"] - at_six, cards_of["D"] + at_six) == (17, 35)


def test_one_copy_of_each_foundation_card_is_taken_out_before_the_shuffle() -> None:
    starts = Counter(cards[0] for cards in FOUNDATION.values())
    assert len(SHUFFLED) == 92
    assert Counter(SHUFFLED) == Counter(PACK + PACK) - starts


def test_the_sorted_pack_lacks_the_first_copies() -> None:
    assert SHUFFLED[40:] == PACK
    assert SHUFFLED[:40] == tuple(n for n in PACK if n not in {c[0] for c in FOUNDATION.values()})
    assert BIG_BEN.pack == SHUFFLED

"""Positions of the Clock kind in one line, and positions made from what a player sees."""

from collections.abc import Callable
from typing import Final

import pytest
from tests.rules.support import refused

from bigben_rules import GAMES, Card, Cards, IllegalMove, Pile
from bigben_rules.cards import PACK, UNKNOWN

WATCH: Final = GAMES["watch"]
START: Final = WATCH.deal(PACK, "standard")
FIRST, _ = START.apply(START.parse("turn"))
SECOND, _ = FIRST.apply(FIRST.parse("turn"))
GAME, RULES_NAME, HAND, TUCKED, DOWN, SWAPS = SECOND.text().split()
NOTHING: Final = "/".join(["-"] * 13)
QUEEN: Final = TUCKED.replace("KS", "QS")

Piles = dict[Pile, Cards]


def test_the_line_has_the_tucked_and_the_face_down_cards_of_each_pile() -> None:
    assert (GAME, RULES_NAME, HAND, SWAPS) == ("watch", "standard", "KH", "1")
    assert TUCKED == "-/-/-/-/-/-/-/-/-/-/-/-/KS"
    assert DOWN.split("/")[0] == "2C,2D,2H,2S"
    assert DOWN.split("/")[12] == "KC,KD"


def test_a_game_that_has_not_begun_has_no_exposed_card() -> None:
    assert START.text().startswith(f"watch standard - {NOTHING} 2C,2D,2H,2S/3C,")


def test_unknown_piles_are_counts() -> None:
    seen = WATCH.seen(SECOND.piles(), "standard")
    assert seen.text() == f"watch standard KH {TUCKED} {'/'.join(['4?'] * 12)}/2? 1"
    assert WATCH.read(seen.text()) == seen


@pytest.mark.parametrize("name", ["clock", "travellers", "hideandseek"])
def test_each_game_reads_its_own_lines_only(name: str) -> None:
    line = GAMES[name].deal(PACK, "standard").text()
    assert line.startswith(f"{name} standard - ")
    assert line.endswith(" 0")
    with pytest.raises(ValueError, match="a position is six words: watch, rules, exposed card"):
        WATCH.read(line)


def line(**changed: str) -> str:
    """The line of the second position with some words changed."""
    words = {"game": GAME, "rules": RULES_NAME, "hand": HAND, "tucked": TUCKED, "down": DOWN}
    return " ".join({**words, "swaps": SWAPS, **changed}.values())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a position is six words: watch"),
        (line() + " 1", "a position is six words"),
        (line(game="clock"), "a position is six words"),
        (line(rules="open"), "no rules are called 'open'; there is standard"),
        (line(hand="KX"), "in the exposed card of a position: 'KX' is not a card"),
        (line(hand="KH,KC"), "a position has one exposed card, not 2"),
        (line(hand="-", down=DOWN + ",KH"), "a card is tucked, so another one is exposed"),
        (line(hand="KS"), "KS is there 2 times; one pack holds it once"),
        (line(tucked="-/KS"), "a position has tucked cards of 13 piles, not of 2"),
        (line(down=DOWN + "/-"), "a position has face-down cards of 13 piles, not of 14"),
        (line(down=DOWN.replace("2C", "2X")), "in the pile of a position: '2X' is not"),
        (line(down=DOWN.replace("2C", "3C")), "3C is there 2 times; one pack holds it once"),
        (line(down=DOWN.replace("2C,2D,2H,2S", "?")), r"an unknown pile is written as its count"),
        (line(down=DOWN.replace("2C,2D,2H,2S", "5?")), "has 52 cards, not 53"),
        (line(tucked=QUEEN, down=DOWN.replace("QS", "KS")), "QS is never tucked under pile 13"),
        (line(swaps="2"), "watch has no 2 exchanges"),
        (line(swaps="-"), "the exchanges in a position are a number, like 1"),
        (line(swaps="٣"), "the exchanges in a position are a number, like 1"),
    ],
)
def test_other_lines_are_refused_with_a_sentence(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        WATCH.read(text)


def test_a_card_is_not_moved_from_pile_to_pile() -> None:
    moved = DOWN.replace("2C,2D,2H,2S/3C", "2C,2D,2H/2S,3C")
    with pytest.raises(ValueError, match="pile 1 has 4 cards, not 3"):
        WATCH.read(line(down=moved))


def without_the_hand(piles: Piles) -> Piles:
    return {pile: cards for pile, cards in piles.items() if pile != "h"}


def with_pile(pile: str, *names: str, down: int = 0) -> Callable[[Piles], Piles]:
    """The piles with that one replaced."""
    return lambda piles: {**piles, Pile(pile): Cards(tuple(map(Card, names)), down)}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        pytest.param(without_the_hand, "pile 'h' is missing", id="missing"),
        pytest.param(with_pile("h"), "has 52 cards, not 51", id="no exposed card"),
        pytest.param(with_pile("h", "KH", "KC"), "one exposed card, not 2", id="two exposed"),
        pytest.param(with_pile("h", UNKNOWN), r"'\?\?' is not a card", id="unknown"),
        pytest.param(with_pile("1", down=3), "has 52 cards, not 51", id="too few"),
        pytest.param(with_pile("1", "QC", down=3), "QC is never tucked under pile 1", id="wrong"),
        pytest.param(with_pile("13", "KH", down=2), "KH is there 2 times", id="twice"),
    ],
)
def test_impossible_piles_are_refused(change: Callable[[Piles], Piles], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        WATCH.seen(change(SECOND.piles()), "standard")


def test_an_unknown_card_cannot_be_turned() -> None:
    seen = WATCH.seen(SECOND.piles(), "standard")
    with refused(IllegalMove, match=r"^The next card of pile 13 is not known"):
        seen.apply(seen.parse("turn"))

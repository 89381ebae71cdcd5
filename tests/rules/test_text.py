"""A whole position in one line, and lines that are refused."""

import pytest
from tests.rules.support import board

from bigben_rules.bigben import deal, read
from bigben_rules.bigben.layout import SHUFFLED

FIRST = deal(SHUFFLED).text()
GAME, RULES_NAME, TOPS, FANS, WASTE, STOCK = FIRST.split()


def test_the_line_of_a_deal_names_everything_from_one_o_clock() -> None:
    assert (GAME, RULES_NAME, WASTE) == ("bigben", "standard", "-")
    assert TOPS == "6C,7H,8S,9D,10C,JH,QS,KD,2C,3H,4S,5D"
    assert FANS == (
        "3C,4D,8H/4C,6D,9H/5C,7D,10H/7C,8D,QH/8C,10D,KH/9C,JD,AS/"
        "JC,QD,2S/QC,AH,3S/KC,2H,5S/AD,4H,6S/2D,5H,7S/AC,3D,6H"
    )
    assert STOCK.startswith("9S,10S,JS,KS,AC,2C,3C,")


def test_an_empty_pile_is_a_dash() -> None:
    line = board(fans={1: "", 2: "KS"}, rest="waste").text()
    assert line.split()[3].startswith("-/KS/")
    assert line.endswith(" -")


def test_a_foundation_is_written_as_its_top() -> None:
    assert board(home={9: "5C", 5: "AC"}).text().split()[2] == (
        "6C,7H,8S,9D,AC,JH,QS,KD,5C,3H,4S,5D"
    )


def test_case_and_extra_spaces_do_not_matter_in_the_cards() -> None:
    assert read(f"  bigben standard  {TOPS.lower()} {FANS.lower()} - {STOCK}\n").text() == FIRST


def test_an_alias_of_the_rules_is_written_by_its_main_name() -> None:
    assert read(FIRST.replace("standard", "survey")).text().split()[1] == "book"


def test_an_unknown_stock_is_a_count() -> None:
    line = f"bigben standard {TOPS} {FANS} - 56?"
    assert read(line).text() == line
    assert read(line).piles() == read(FIRST).piles()


def line(**changed: str) -> str:
    """The line of the first position with some words changed."""
    words = {"game": GAME, "rules": RULES_NAME, "tops": TOPS, "fans": FANS, "waste": WASTE}
    return " ".join({**words, "stock": STOCK, **changed}.values())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a position is six words"),
        (FIRST + " -", "a position is six words"),
        (line(game="chess"), "a position is six words: bigben, rules"),
        (line(rules="chess"), "no rules are called 'chess'"),
        (line(tops="6C,7H"), "a position has 12 foundations, not 2"),
        (line(tops=TOPS.replace("6C", "5C")), "5C never lies on the foundation at 1"),
        (line(tops=TOPS.replace("6C", "1C")), "in the foundations of a position: '1C' is not"),
        (line(tops="-"), "a position has 12 foundations, not 0"),
        (line(fans="-/-"), "a position has 12 fans, not 2"),
        (line(fans=FANS + "/-"), "a position has 12 fans, not 13"),
        (line(fans=FANS.replace("3C", "3X")), "in the fan of a position: '3X' is not a card"),
        (line(fans=FANS.replace("3C", "??")), r"in the fan of a position: '\?\?' is not a card"),
        (line(waste="KK"), "in the waste of a position: 'KK' is not a card"),
        (line(waste="KC"), "a position of Big Ben has 104 cards, not 105"),
        (line(waste="KC,"), "in the waste of a position: '' is not a card"),
        (line(stock="-"), "a position of Big Ben has 104 cards, not 48"),
        (line(stock="55?"), "a position of Big Ben has 104 cards, not 103"),
        (line(stock="5600?"), r"an unknown stock is written as its count and \?"),
        (line(stock="-56?"), r"an unknown stock is written as its count and \?"),
        (line(stock="٥٦?"), r"an unknown stock is written as its count and \?"),
        (line(stock="?"), r"an unknown stock is written as its count and \?"),
        (line(stock=STOCK.replace("9S,10S", "9S,9S")), "9S is there 4 times"),
        (line(fans=FANS.replace("3C", "2C").replace("7S", "2C"), stock="56?"), "2C is there 3 "),
    ],
)
def test_other_lines_are_refused_with_a_sentence(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read(text)

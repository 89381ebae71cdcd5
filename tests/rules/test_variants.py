"""The variants that the sources play, one field at a time, and their names."""

import pytest
from tests.rules.support import BIG_BEN, board, legal, play, why_illegal

from bigben_rules.bigben import PRESETS, Rules, rules_name
from bigben_rules.bigben.variants import RULES

A_PLAY = {3: "KS QH 3C"}
A_BUILD = {3: "KS QH 8D", 5: "2S 2H 9D"}
NOTHING_FITS = {
    1: "AC AC 2C",
    2: "AH AH 10H",
    3: "AS AS KH",
    4: "AD AD 5C",
    5: "QC QC 2D",
    6: "QD QD 2S",
    7: "QH 8H KC",
    8: "JC JC 6S",
    9: "JS 10S 8D",
    10: "3D 3D 5H",
    11: "3S 3S JS",
    12: "QS JH JD",
}
"""Twelve fans whose tops can't be played or built when the game begins."""


def test_there_are_twelve_variants() -> None:
    assert len(RULES) == len(set(RULES.values())) == 12


@pytest.mark.parametrize(
    ("name", "refill", "turn", "waste"),
    [
        ("standard", "laps", "no_gaps", "playable"),
        ("book", "fans", "stuck", "playable"),
        ("survey", "fans", "stuck", "playable"),
        ("open", "laps", "always", "playable"),
    ],
)
def test_the_presets(name: str, refill: str, turn: str, waste: str) -> None:
    rules = PRESETS[name]
    assert (rules.refill, rules.turn, rules.waste) == (refill, turn, waste)
    assert RULES[BIG_BEN.rules(name)] == rules


def test_the_default_is_the_standard() -> None:
    assert Rules() == PRESETS["standard"]


def test_the_survey_is_an_alias_of_the_book() -> None:
    assert rules_name("survey") == rules_name("book") == "book"


@pytest.mark.parametrize("name", RULES)
def test_every_variant_has_one_main_name(name: str) -> None:
    rules = RULES[name]
    fields = {"refill": rules.refill, "turn": rules.turn, "waste": rules.waste}
    different = {field: v for field, v in fields.items() if v != getattr(Rules(), field)}
    assert rules_name(name) == rules_name(fields) == rules_name(different) == name


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        ("chess", "no rules are called 'chess'; there are standard, book, survey, open"),
        ("", "no rules are called ''"),
        ("Standard", "no rules are called 'Standard'"),
        ({"speed": "fast"}, "rules have no field 'speed'; there are refill, turn, waste"),
        ({"turn": "never"}, "the rules field turn is one of no_gaps, stuck, always"),
        ({"refill": ""}, "the rules field refill is one of laps, fans"),
        ({"waste": "lost"}, "the rules field waste is one of playable, foundations"),
    ],
)
def test_unknown_rules_are_refused_with_the_possible_values(
    wanted: str | dict[str, str], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        rules_name(wanted)


@pytest.mark.parametrize("fans", [A_PLAY, A_BUILD], ids=["a play", "a build"])
@pytest.mark.parametrize("turn", ["no_gaps", "always"])
def test_a_card_may_be_turned_whatever_else_is_legal(turn: str, fans: dict[int, str]) -> None:
    position = board(rules=rules_name({"turn": turn}), fans={**NOTHING_FITS, **fans})
    assert "turn" in legal(position)


@pytest.mark.parametrize("fans", [A_PLAY, A_BUILD], ids=["a play", "a build"])
def test_under_stuck_no_card_is_turned_while_something_can_be_played_or_built(
    fans: dict[int, str],
) -> None:
    position = board(rules="book", fans={**NOTHING_FITS, **fans})
    assert "turn" not in legal(position)
    assert why_illegal(position, "turn") == (
        "Under these rules a card is turned only when nothing can be played or built."
    )


@pytest.mark.parametrize("waste", ["3C", "7D"])
def test_under_stuck_the_waste_counts_too(waste: str) -> None:
    position = board(rules="book", fans=NOTHING_FITS, waste=waste)
    assert len(legal(position)) == 1
    assert "turn" not in legal(position)


def test_under_stuck_a_card_is_turned_when_nothing_can_be_played_or_built() -> None:
    position = board(rules="book", fans=NOTHING_FITS)
    assert legal(position) == {"turn"}
    assert len(play(position, "turn").waste) == 1


def test_under_stuck_a_card_that_only_the_waste_could_build_does_not_count_if_it_may_not() -> None:
    rules = rules_name({"turn": "stuck", "waste": "foundations"})
    assert legal(board(rules=rules, fans=NOTHING_FITS, waste="7D")) == {"turn"}


@pytest.mark.parametrize("rules", ["standard", "book"])
def test_a_gap_is_refilled_before_a_card_is_turned(rules: str) -> None:
    position = board(rules=rules, fans={**NOTHING_FITS, 3: "AS KH"})
    assert legal(position) == {"refill"}
    assert why_illegal(position, "turn") == "A fan has a gap; refill first."


def test_under_always_a_card_may_be_turned_in_spite_of_gaps() -> None:
    position = board(rules="open", fans={**NOTHING_FITS, 3: "AS KH"})
    assert legal(position) == {"refill", "turn"}
    after = play(position, "turn")
    assert after.fans[2] == ("AS", "KH")
    assert "refill" in legal(after)


def test_under_always_the_stock_must_have_cards() -> None:
    position = board(rules="open", fans={3: "AS KH"}, rest="waste")
    assert why_illegal(position, "turn") == "The stock is empty."


@pytest.mark.parametrize("turn", ["no_gaps", "stuck", "always"])
def test_a_waste_for_foundations_only_goes_to_no_fan(turn: str) -> None:
    rules = rules_name({"turn": turn, "waste": "foundations"})
    position = board(rules=rules, fans=A_BUILD, waste="8D")
    assert "w 5" not in legal(position)
    assert why_illegal(position, "w 5") == "Under these rules the waste goes to foundations only."
    assert "3 5" in legal(position)


def test_a_waste_for_foundations_only_goes_to_foundations() -> None:
    position = board(rules=rules_name({"waste": "foundations"}), waste="3C")
    assert "w f9" in legal(position)
    assert play(position, "w fdn").waste == ()

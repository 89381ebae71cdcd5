"""The figures of an analysis, as people read them in the terminal and in Discord."""

import doctest

from bigben_protocol import figures, texts
from bigben_solver.analysis import CARD, CERTAIN


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(figures).attempted
    assert not doctest.testmod(figures).failed


def test_a_chance_and_a_card_are_as_large_as_the_solver_counts_them() -> None:
    assert (figures.CERTAIN, figures.CARD) == (CERTAIN, CARD)
    assert (figures.percent(CERTAIN, "."), figures.cards(CARD, ".")) == ("100 %", "1.0")
    assert (figures.signed(-CERTAIN, "."), figures.signed_cards(CARD, ".")) == ("-100 %", "+1.0")


def test_decimals_are_written_as_in_the_players_language() -> None:
    point = texts.text("number.point", "de")
    assert (figures.signed(340, point), figures.cards(3_850, point)) == ("+3,4 %", "38,5")

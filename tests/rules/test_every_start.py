"""What every game says of itself, which orders it deals, and which texts it takes for moves."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.support import (
    every_game,
    refused,
)

from bigben_rules import Card, Game, IllegalMove, Move, NotationError


@every_game
def test_the_slots_are_the_piles_in_their_order(game: Game) -> None:
    piles = game.deal(game.pack, "standard").piles()
    assert [slot.pile for slot in game.description.slots] == list(piles)
    places = [(s.place, s.row, s.at) for s in game.description.slots]
    assert len(set(places)) == len(places), "no two piles lie in one place"


@every_game
def test_the_description_is_that_of_the_game(game: Game) -> None:
    described = game.description
    assert (described.name, described.total) == (game.name, game.total)
    assert described.presets[0] == "standard"
    assert {game.rules(preset) for preset in described.presets} <= set(game.variants)
    for choice in described.choices:
        assert choice.default == choice.values[0]
        assert {game.rules({choice.field: value}) for value in choice.values} <= set(game.variants)


@every_game
def test_the_moves_of_the_help_are_understood(game: Game) -> None:
    position = game.deal(game.pack, "standard")
    for typed in game.description.moves:
        with suppress(IllegalMove):  # understood, but no foundation takes the card
            position.parse(typed.example)
        assert typed.tap in {"", *position.piles()}


@every_game
def test_standard_is_the_name_of_the_default_rules(game: Game) -> None:
    assert game.rules("standard") == game.rules({}) == game.variants[0] == "standard"
    for wanted in ("nonsense", {"nonsense": "yes"}):
        with pytest.raises(ValueError, match=r"\w+"):
            game.rules(wanted)


@every_game
@pytest.mark.parametrize("text", ["", "  ", "nonsense", "3 fdn fdn", "turn turn", "99 99", "ß"])
def test_what_is_no_move_is_refused_with_a_sentence_that_shows_how_to_write_one(
    game: Game, text: str
) -> None:
    with refused(NotationError, match=r"is not a move: write .*\.$"):
        game.deal(game.pack, "standard").parse(text)


@every_game
@given(st.text(max_size=12))
def test_any_text_is_a_move_or_is_refused(game: Game, text: str) -> None:
    position = game.deal(game.pack, "standard")
    try:
        move = position.parse(text)
    except (NotationError, IllegalMove):
        return
    assert isinstance(move, Move)


@every_game
def test_other_cards_cannot_be_dealt(game: Game) -> None:
    other = next(card for card in game.pack if card != game.pack[0])
    short, twice = game.pack[1:], (other, *game.pack[1:])
    for order in (short, (*game.pack, other), twice, (Card("??"), *game.pack[1:])):
        with pytest.raises(ValueError, match=rf"has {len(game.pack)} cards"):
            game.deal(order, "standard")
    with pytest.raises(ValueError, match="nonsense"):
        game.deal(game.pack, "nonsense")

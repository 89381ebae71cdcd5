"""The legal moves in menus and completions: exactly those, by their cards' names."""

import pytest
from tests.chat.positions import BIG_BEN, after

from bigben_chat.messages.moves import (
    by_source,
    commands,
    complete_source,
    complete_target,
    pile_moves,
)
from bigben_chat.texts import say_in
from bigben_protocol import View
from bigben_rules import GAMES, Pile
from bigben_rules.position import Cards

ENGLISH = say_in("en")
VIEWS = [after(moves, seed=seed).view for seed in range(6) for moves in (0, 9, 30, 60, 100)]


def meant(view: View, typed: str) -> str:
    """The move as the rules understand what was typed."""
    piles = {Pile(name): Cards(pile.up, pile.down) for name, pile in view.piles.items()}  # type: ignore[arg-type]  # the wire's cards are plain strings
    position = GAMES["bigben"].seen(piles, "standard")
    return position.format(position.parse(typed))


@pytest.mark.parametrize("view", VIEWS)
def test_every_legal_move_is_offered_and_no_other(view: View) -> None:
    offered = {
        meant(view, f"{source.value} {target.value}")
        for source in complete_source(BIG_BEN, view, "", ENGLISH)
        for target in complete_target(BIG_BEN, view, source.value, "", ENGLISH)
    }
    assert offered == {move for move in view.legal if " " in move}
    assert [text for text in view.legal if " " not in text] == commands(view)


@pytest.mark.parametrize("view", VIEWS)
def test_moves_know_their_cards(view: View) -> None:
    for move in pile_moves(BIG_BEN, view):
        assert move.card == view.piles[move.source].up[-1]
        assert move.onto == view.piles[move.target].up[-1]
        assert move.home == move.target.startswith("f")
    assert sum(len(moves) for moves in by_source(BIG_BEN, view).values()) == len(
        pile_moves(BIG_BEN, view)
    )


def test_a_label_names_the_card_and_where_it_may_go() -> None:
    view = after(30, seed=2).view
    source = complete_source(BIG_BEN, view, "", ENGLISH)[0]
    move = by_source(BIG_BEN, view)[source.value][0]
    assert source.label.startswith(f"Fan {move.source}: ")
    assert " of " in source.label
    target = complete_target(BIG_BEN, view, source.value, "", ENGLISH)[0]
    assert " on " in target.label


def test_a_partly_typed_move_narrows_the_choice() -> None:
    view = next(view for view in VIEWS if len(by_source(BIG_BEN, view)) > 3)
    every = complete_source(BIG_BEN, view, "", ENGLISH)
    for choice in every:
        assert choice in complete_source(BIG_BEN, view, choice.value, ENGLISH)
        if choice.value in commands(view):
            continue
        card = by_source(BIG_BEN, view)[choice.value][0].card
        assert choice in complete_source(BIG_BEN, view, card.lower(), ENGLISH)
    assert complete_source(BIG_BEN, view, "nothing like it", ENGLISH) == []
    assert complete_source(BIG_BEN, view, "  ", ENGLISH) == every


def test_a_word_is_found_by_its_beginning_in_every_language() -> None:
    for code, hearts in (("en", "hea"), ("de", "her")):
        say = say_in(code)
        for view in VIEWS:
            found = {choice.value for choice in complete_source(BIG_BEN, view, hearts, say)}
            assert found == {
                s for s, moves in by_source(BIG_BEN, view).items() if moves[0].card[-1] == "H"
            }
            # Not in the middle: that would be all of "Fächer".
            assert complete_source(BIG_BEN, view, "cher", say) == []


def test_fdn_finds_the_foundations_even_where_they_are_named() -> None:
    for view in VIEWS:
        for source, moves in by_source(BIG_BEN, view).items():
            home = [move for move in moves if move.home]
            found = complete_target(BIG_BEN, view, source, "fdn", ENGLISH)
            assert len(found) == len(home)


def test_a_pile_without_moves_has_no_targets() -> None:
    view = VIEWS[0]
    idle = next(str(hour) for hour in range(1, 13) if str(hour) not in by_source(BIG_BEN, view))
    assert complete_target(BIG_BEN, view, idle, "", ENGLISH) == []
    assert complete_target(BIG_BEN, view, "nonsense", "", ENGLISH) == []
    assert complete_target(BIG_BEN, view, "", "", ENGLISH) != []

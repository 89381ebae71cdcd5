"""Why a card can't move: what its player may be told, in every game and in written positions."""

from random import Random

import pytest
from hypothesis import given
from tests.rules.support import board, every_game, randoms, seeds
from tests.rules.test_every_game import few_games, one_position

from bigben_protocol import texts
from bigben_rules import GAMES, Game, Pile, Position, shuffle
from bigben_rules.position import STOCK


def english(position: Position, source: Pile, target: str = "") -> str:
    """The reason as its player reads it."""
    return texts.all_said(position.explain(source, target).said)


@every_game
@few_games
@given(seeds, randoms)
def test_a_reason_depends_only_on_what_the_player_sees(
    game: Game, seed: bytes, random: Random
) -> None:
    position = one_position(game, seed, random)
    seen = game.seen(position.piles(), position.text().split()[1])
    piles = position.piles()
    piles.pop(STOCK, None)  # an unknown stock can't be dealt, and says so
    if getattr(position, "swaps", 0) != getattr(seen, "swaps", 0):
        return  # nor does any whether the exchange was made
    for source in piles:
        for target in ("", *piles, "fdn"):
            assert position.explain(source, target) == seen.explain(source, target)


@every_game
@few_games
@given(seeds, randoms)
def test_a_reason_names_the_legal_moves_of_a_pile_and_only_these(
    game: Game, seed: bytes, random: Random
) -> None:
    position = one_position(game, seed, random)
    legal = position.legal_moves()
    for source in position.piles():
        reason = position.explain(source)
        assert reason.said
        moves = [m for m in legal if m.source == source and m.target != STOCK]
        if " " in "".join(map(position.format, moves)) and source != "h":
            assert all(position.format(move) in english(position, source) for move in moves)
            assert not reason.cards
        elif source not in (STOCK, "h"):
            assert "can move" not in english(position, source)


def test_a_card_that_fits_nowhere_names_the_cards_that_it_waits_for() -> None:
    position = board(fans={3: "2C 3D QC", 5: "9H 8D 7S", 7: "KC KC 2D"})
    goes = "QC goes on JC at 1 or 5, or on KC in a fan of three or more."
    assert english(position, Pile("3")) == goes
    assert position.explain(Pile("3")).cards == ("JC", "KC")
    wants = f"QC does not go on 7S; fan 5 wants 6S. {goes}"
    assert english(position, Pile("3"), "5") == wants
    assert position.explain(Pile("3"), "5").cards == ("JC", "KC")
    nine = f"The foundation at 9 wants 3C, not QC. {goes}"
    assert english(position, Pile("3"), "f9") == nine
    assert english(position, Pile("3"), "fdn") == f"QC fits no foundation now. {goes}"


def test_a_fan_with_the_right_card_may_be_too_short() -> None:
    position = board(fans={3: "2C 3D QC", 5: "9H KC", 7: "KC 9H 2D"})
    assert english(position, Pile("3")).endswith("Fan 5 has KC, but fewer than three cards.")
    short = "Fan 5 holds fewer than three cards; nothing goes on it."
    assert english(position, Pile("3"), "5").startswith(short)


def test_a_card_that_can_move_says_where() -> None:
    position = board(fans={3: "2D 3D 3C", 5: "9H 8D 4C", 7: "9D 8S 7S"})
    assert english(position, Pile("3")) == "3C can move: write 3 f9 or 3 5."
    assert not position.explain(Pile("3")).cards
    assert english(position, Pile("3"), "5") == "3C can go there: write 3 5."
    elsewhere = "3C does not go on 7S; fan 7 wants 6S. 3C can move: write 3 f9 or 3 5."
    assert english(position, Pile("3"), "7") == elsewhere


def test_a_waste_that_goes_to_foundations_only_waits_for_no_fan() -> None:
    rules = GAMES["bigben"].rules({"waste": "foundations"})
    position = board(rules=rules, fans={3: "4H 5H KC"}, waste="KS QC")
    assert english(position, Pile("w")) == "QC goes on JC at 1 or 5."
    assert position.explain(Pile("w")).cards == ("JC",)


@pytest.mark.parametrize(
    ("pile", "text"),
    [
        ("f9", "Cards never come back from a foundation."),
        ("3", "There is no card here."),
        ("s", "Write refill."),
    ],
)
def test_other_piles_say_what_they_can(pile: str, text: str) -> None:
    assert english(board(fans={3: ""}), Pile(pile)) == text


def test_a_stock_that_must_wait_says_why() -> None:
    position = board(rules="book", fans={3: "2D 3D 3C"})
    assert "only when nothing can be played or built" in english(position, STOCK)


@every_game
def test_a_pile_that_the_game_lacks_is_an_error(game: Game) -> None:
    with pytest.raises(KeyError):
        game.deal(shuffle(game.pack, bytes(32)), "standard").explain(Pile("x9"))

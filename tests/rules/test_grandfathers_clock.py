"""Grandfather's Clock: its layout, its moves under both rules, and its notation."""

from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from tests.rules.support import RANDOM_PLAY, legal, play, seeds, up, why_illegal

from bigben_protocol import texts
from bigben_rules import GAMES, Card, Cards, NotationError, Pile, Position, shuffle
from bigben_rules.cards import ABOVE, PACK, RANK
from bigben_rules.grandfathersclock import COLUMNS, FOUNDATION, HOME, SHUFFLED, STARTS

GAME = GAMES["grandfathersclock"]


def board(
    columns: Mapping[int, str], *, home: Mapping[int, str] | None = None, rules: str = "standard"
) -> Position:
    """The position with these columns, read from its text; the others share the other cards.

    ``home`` names foundations by their top card; the others are as dealt. Column 8 gets the other
    cards, below its own.
    """
    tops = dict(enumerate(STARTS, 1))
    tops.update({hour: Card(top) for hour, top in (home or {}).items()})
    piles = [columns.get(column, "").split() for column in range(1, 9)]
    complete = dict(enumerate(FOUNDATION.values(), 1))
    used = {name for h, top in tops.items() for name in complete[h][: complete[h].index(top) + 1]}
    used.update(Card(name) for pile in piles for name in pile)
    piles[-1] = [name for name in PACK if name not in used] + piles[-1]
    written = "/".join(",".join(pile) or "-" for pile in piles)
    return GAME.read(f"grandfathersclock {rules} {','.join(tops.values())} {written}")


def test_the_foundations_by_hour_begin_and_end_as_the_rules_say() -> None:
    starts = "10H JS QD KC 2H 3S 4D 5C 6H 7S 8D 9C"
    assert [cards[0] for cards in FOUNDATION.values()] == starts.split()
    assert [RANK[cards[-1]] for cards in FOUNDATION.values()] == list(range(1, 13))
    for cards in FOUNDATION.values():
        assert all(ABOVE[card] == following for card, following in pairwise(cards))
    assert " ".join(FOUNDATION[Pile("f2")]) == "JS QS KS AS 2S"
    assert " ".join(FOUNDATION[Pile("f12")]) == "9C 10C JC QC"


def test_every_card_of_the_pack_has_one_foundation() -> None:
    cards = [card for cards in FOUNDATION.values() for card in cards]
    assert sorted(cards) == sorted(PACK)
    assert all(card in FOUNDATION[home] for card, home in HOME.items())


def test_the_other_forty_cards_are_eight_columns_of_five_dealt_in_laps() -> None:
    position = GAME.deal(SHUFFLED[::-1], "standard")
    order = SHUFFLED[::-1]
    assert len(order) == 40
    assert up(position, "1") == " ".join((order[0], order[8], order[16], order[24], order[32]))
    assert up(position, "8") == " ".join((order[7], order[15], order[23], order[31], order[39]))
    assert position.progress == 12


def test_all_cards_are_face_up_and_there_is_no_stock() -> None:
    piles = GAME.deal(SHUFFLED, "standard").piles()
    assert list(piles) == [*FOUNDATION, *COLUMNS]
    assert not any(cards.down for cards in piles.values())


def test_the_top_of_a_column_plays_to_its_foundation() -> None:
    position = board({3: "2C 10C"})
    assert "3 f12" in legal(position)
    after, steps = position.apply(position.parse("3 f12"))
    assert steps == (("3", "f12", "10C", ""),)
    assert (up(after, "3"), up(after, "f12"), after.progress) == ("2C", "9C 10C", 13)


def test_an_ace_follows_a_king_on_a_foundation() -> None:
    position = board({3: "AC"})
    assert "3 f4" in legal(position)
    assert up(play(position, "3 f4"), "f4") == "KC AC"


def test_a_foundation_is_complete_when_its_rank_is_the_hour() -> None:
    position = board({3: "3H"}, home={12: "QC"})
    assert why_illegal(position, "3 f12") == "The foundation at 12 is complete."


def test_a_foundation_takes_only_its_next_card() -> None:
    position = board({3: "JC", 4: "10D"})
    assert why_illegal(position, "3 f12") == "The foundation at 12 wants 10C, not JC."
    assert why_illegal(position, "4 f12") == "The foundation at 12 wants 10C, not 10D."
    assert "3 f12" not in legal(position)


@pytest.mark.parametrize("top", ["8C", "8H", "8S"])
def test_a_card_goes_on_a_rank_one_higher_in_any_suit(top: str) -> None:
    position = board({3: top, 5: "9D"})
    assert "3 5" in legal(position)
    after, steps = position.apply(position.parse("3 5"))
    assert (up(after, "3"), up(after, "5")) == ("", f"9D {top}")
    assert steps == (("3", "5", top, ""),)


@pytest.mark.parametrize(("top", "onto"), [("8C", "10D"), ("9D", "8C"), ("8C", "8H"), ("AC", "KD")])
def test_a_card_goes_on_no_other_rank(top: str, onto: str) -> None:
    position = board({3: top, 5: onto})
    assert "3 5" not in legal(position)
    assert f"{top} does not go on {onto}; a card of rank" in why_illegal(position, "3 5")


def test_only_one_card_moves_at_a_time() -> None:
    position = board({3: "9S 8C", 5: "10D"})
    assert "3 5" not in legal(position)
    assert "8C does not go on 10D" in why_illegal(position, "3 5")


def test_a_king_goes_on_an_ace_if_the_rules_wrap() -> None:
    position = board({3: "KD", 5: "AH"})
    assert "3 5" in legal(position)
    assert up(play(position, "3 5"), "5") == "AH KD"


def test_a_king_goes_on_no_ace_if_the_rules_do_not_wrap() -> None:
    position = board({3: "KD", 5: "AH"}, rules="no")
    assert "3 5" not in legal(position)
    assert why_illegal(position, "3 5") == "Under these rules nothing goes on an ace, here AH."


def test_wrap_is_the_standard() -> None:
    assert GAME.variants == ("standard", "no")
    assert GAME.rules({"wrap": "yes"}) == GAME.rules("yes") == GAME.rules({}) == "standard"
    assert GAME.rules({"wrap": "no"}) == GAME.rules("no") == "no"
    with pytest.raises(ValueError, match="the rules field wrap is one of yes, no"):
        GAME.rules({"wrap": "maybe"})
    with pytest.raises(ValueError, match="no rules are called 'book'; there are standard, no"):
        GAME.rules("book")


def test_any_one_card_fills_an_empty_column_and_a_lone_card_moves_to_one_too() -> None:
    position = board({1: "KD", 2: "7C 2C"})
    assert {"1 3", "2 3", "8 3", "1 4"} <= legal(position)
    after = play(position, "2 3", "1 4")
    assert [up(after, column) for column in "1234"] == ["", "7C", "2C", "KD"]


def test_nothing_is_taken_from_an_empty_column() -> None:
    assert why_illegal(board({1: "KD"}), "2 1") == "Column 2 is empty."


def test_fdn_is_the_only_foundation_that_the_card_can_ever_fit() -> None:
    position = board({3: "2C 10C", 4: "JC"})
    assert position.format(position.parse("3 fdn")) == "3 f12"
    assert why_illegal(position, "4 fdn") == "JC fits no foundation now."
    assert why_illegal(position, "5 fdn") == "Column 5 is empty."


@RANDOM_PLAY
@given(seeds)
def test_a_card_never_fits_two_foundations(seed: bytes) -> None:
    position = GAME.deal(shuffle(GAME.pack, seed), "standard")
    plays = [move.source for move in position.legal_moves() if move.target in FOUNDATION]
    assert len(plays) == len(set(plays))


@pytest.mark.parametrize(
    ("typed", "logged"),
    [
        ("3 f12", "3 f12"),
        ("3 FDN", "3 f12"),
        (" 3   foundation ", "3 f12"),
        ("3f", "3 f12"),
        ("3f12", "3 f12"),
        ("3 5", "3 5"),
        ("35", "3 5"),
        ("12", "1 2"),
    ],
)
def test_moves_as_typed(typed: str, logged: str) -> None:
    position = board({3: "10C"})
    assert position.format(position.parse(typed)) == logged


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("3", "Where does the top of column 3 go? Write 3 fdn."),
        ("3 3", "Column 3 can’t be built on itself."),
        ("9 1", "'9 1' is not a move: write 3 fdn, 3 f9 or 3 5"),
        ("turn", "'turn' is not a move: write"),
        ("w fdn", "'w fdn' is not a move: write"),
        ("3 f13", "'3 f13' is not a move: write"),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(typed: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        board({}).parse(typed)
    assert texts.said(caught.value.said).startswith(sentence)


def test_a_game_is_won_with_all_cards_home_and_then_nothing_is_legal() -> None:
    last = {hour: cards[-1] for hour, cards in enumerate(FOUNDATION.values(), 1)}
    position = board({2: "QC"}, home={**last, 12: "JC"})
    assert (position.won, position.progress) == (False, 51)
    after = play(position, "2 fdn")
    assert (after.won, after.blocked, after.progress, legal(after)) == (True, False, 52, set())


def test_a_game_is_blocked_without_a_legal_move() -> None:
    tops = ["4H", "4C", "6D", "6S", "8C", "8H", "10D", "10S"]
    rest = [card for card in SHUFFLED if card not in tops]
    columns = [[*rest[at::8], Card(top)] for at, top in enumerate(tops)]
    position = GAME.deal([card for lap in zip(*columns, strict=True) for card in lap], "no")
    assert (position.blocked, position.won, position.legal_moves()) == (True, False, [])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("grandfathersclock standard", "a position is four words"),
        ("bigben standard - -", "a position is four words: grandfathersclock"),
        ("grandfathersclock standard 10H -", "a position has 12 foundations, not 1"),
    ],
)
def test_other_lines_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GAME.read(text)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("10H,JS", "10H,JC", "these cards never lie on the foundation at 2"),
        ("10H,JS", "10C,JS", "these cards never lie on the foundation at 1"),
        ("standard", "book", "no rules are called 'book'"),
        ("/", ",", "a position has 8 columns, not 1"),
        ("AC", "KS", "KS is there 2 times; one pack holds it once"),
        ("AC", "1C", "in the column of a position: '1C' is not a card"),
        ("AC,", "", "a position of Grandfather's Clock has 52 cards, not 51"),
    ],
)
def test_lines_with_other_cards_are_refused(old: str, new: str, complaint: str) -> None:
    text = GAME.deal(SHUFFLED, "standard").text()
    assert old in text
    with pytest.raises(ValueError, match=complaint):
        GAME.read(text.replace(old, new))


def test_the_player_sees_everything() -> None:
    position = play(board({3: "10C"}), "3 f12")
    assert GAME.seen(position.piles(), "standard") == position


def test_piles_of_another_game_are_refused() -> None:
    piles = GAME.deal(SHUFFLED, "standard").piles()
    with pytest.raises(ValueError, match="pile '8' is missing"):
        GAME.seen({name: cards for name, cards in piles.items() if name != "8"}, "standard")
    with pytest.raises(ValueError, match="never lie on the foundation at 12"):
        GAME.seen({**piles, Pile("f12"): Cards(())}, "standard")


def test_other_cards_are_not_a_deal() -> None:
    with pytest.raises(ValueError, match=r"has 40 cards: one pack without .*; this order has 52"):
        GAME.deal(PACK, "standard")
    with pytest.raises(ValueError, match="9C is there once too often"):
        GAME.deal((*SHUFFLED[1:], Card("9C")), "standard")

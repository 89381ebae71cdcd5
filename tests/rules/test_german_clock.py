"""German Clock: its stock, its foundations by rank, its redeals, and its notation."""

from random import Random

import pytest
from hypothesis import given
from tests.rules.support import RANDOM_PLAY, legal, play, randoms, seeds, up, why_illegal

from bigben_protocol import texts
from bigben_rules import GAMES, Card, Cards, Move, NotationError, Pile, Position, shuffle
from bigben_rules.cards import PACK, RANKS
from bigben_rules.position import shows

GAME = GAMES["germanclock"]


def dealt(first: str = "", rules: str = "standard") -> Position:
    """The deal whose stock begins with these cards."""
    cards = [Card(name) for name in first.split()]
    return GAME.deal([*cards, *(card for card in PACK if card not in cards)], rules)


def turned_out(position: Position) -> Position:
    """The position after all cards of the stock have been turned."""
    return play(position, *["turn"] * position.pile(Pile("s")).down)


def test_nothing_is_dealt() -> None:
    position = dealt()
    piles = position.piles()
    assert list(piles) == [*(f"f{rank}" for rank in range(1, 14)), "w", "s"]
    assert [name for name, cards in piles.items() if cards != Cards(())] == ["s"]
    assert piles[Pile("s")] == Cards((), 52)
    assert position.progress == 0
    assert legal(position) == {"turn"}


def test_the_stock_is_turned_one_card_at_a_time_to_the_waste() -> None:
    position = dealt("7H 3C")
    position, steps = position.apply(position.parse("turn"))
    assert steps == (("s", "w", "7H", ""),)
    assert shows(steps)
    position = play(position, "turn")
    assert (up(position, "w"), position.pile(Pile("s")).down) == ("7H 3C", 50)


def test_a_card_may_be_turned_although_the_top_of_the_waste_could_be_played() -> None:
    assert legal(play(dealt("7H"), "turn")) == {"w f7", "turn"}


@pytest.mark.parametrize("rank", RANKS)
def test_any_card_may_start_the_foundation_of_its_rank(rank: str) -> None:
    position = play(dealt(f"{rank}S"), "turn")
    number = RANKS.index(rank) + 1
    assert f"w f{number}" in legal(position)
    after, steps = position.apply(position.parse("w fdn"))
    assert steps == (("w", f"f{number}", f"{rank}S", ""),)
    assert not shows(steps)
    assert (up(after, f"f{number}"), up(after, "w"), after.progress) == (f"{rank}S", "", 1)


def test_only_the_top_of_the_waste_is_played() -> None:
    position = play(dealt("7H 3H"), "turn", "turn", "w f3")
    assert legal(position) == {"w f7", "turn"}


def test_fdn_is_always_the_foundation_of_the_rank() -> None:
    position = play(dealt("7H KC"), "turn")
    assert position.parse("w fdn") == Move(Pile("w"), Pile("f7"))
    assert why_illegal(position, "w f5") == "7H belongs on f7, not on f5."
    assert play(position, "turn").parse("w fdn") == Move(Pile("w"), Pile("f13"))
    assert why_illegal(dealt(), "w fdn") == "The waste is empty."


@pytest.mark.parametrize(("first", "second"), [("H", "C"), ("H", "S"), ("C", "D"), ("S", "H")])
def test_a_foundation_goes_on_in_the_other_colour(first: str, second: str) -> None:
    position = play(dealt(f"7{first} 7{second}"), "turn", "w f7", "turn", "w f7")
    assert up(position, "f7") == f"7{first} 7{second}"


@pytest.mark.parametrize(("first", "second"), [("H", "D"), ("C", "S")])
def test_a_foundation_does_not_go_on_in_the_same_colour(first: str, second: str) -> None:
    position = play(dealt(f"7{first} 7{second}"), "turn", "w f7", "turn")
    assert legal(position) == {"turn"}
    assert why_illegal(position, "w f7") == (
        f"7{second} does not go on 7{first}; the colours alternate."
    )


def test_the_first_card_of_every_foundation_has_one_suit() -> None:
    position = play(dealt("7H 5C 5H"), "turn", "w f7", "turn")
    assert why_illegal(position, "w f5") == "Its foundation wants 5H, not 5C."
    assert up(play(position, "turn", "w fdn"), "f5") == "5H"


def test_the_second_card_of_every_foundation_has_one_suit_that_the_first_to_get_there_has() -> None:
    position = play(dealt("7H 5H 7C 5S 5C"), "turn", "w f7", "turn", "w f5", "turn", "w f7", "turn")
    assert why_illegal(position, "w f5") == "Its foundation wants 5C, not 5S."
    assert up(play(position, "turn", "w fdn"), "f5") == "5H 5C"


def test_the_third_and_fourth_suits_follow_from_the_first_two() -> None:
    position = dealt("7H 7C 7D 7S 5H 5C 5D 5S")
    for _ in range(8):
        position = play(position, "turn")
        assert position.legal_moves()[0].source == "w"
        position = play(position, "w fdn")
    assert (up(position, "f7"), up(position, "f5")) == ("7H 7C 7D 7S", "5H 5C 5D 5S")


def test_a_redeal_turns_the_waste_over_unshuffled() -> None:
    position = turned_out(dealt("9C 4D 10S"))
    after, steps = position.apply(position.parse("redeal"))
    waste = position.pile(Pile("w")).up
    assert steps == tuple(("w", "s", card, "down") for card in reversed(waste))
    assert not shows(steps)
    assert (up(after, "w"), after.pile(Pile("s"))) == ("", Cards((), 52))
    assert up(play(after, "turn", "turn", "turn"), "w") == "9C 4D 10S"


def test_a_redeal_is_legal_when_the_stock_is_empty_and_the_waste_is_not() -> None:
    position = turned_out(dealt())
    assert "redeal" in legal(position)
    assert "turn" not in legal(position)
    assert why_illegal(position, "turn") == "The stock is empty."
    assert why_illegal(dealt(), "redeal") == "The stock still has cards; turn them first."
    last = GAME.read(f"germanclock standard HCDS {','.join(f'{r}S' for r in RANKS)} - - 1")
    assert why_illegal(last, "redeal") == "The waste is empty."
    assert legal(last) == set()


@pytest.mark.parametrize(("rules", "redeals"), [("standard", 2), ("1", 1)])
def test_the_waste_is_turned_over_as_often_as_the_rules_say(rules: str, redeals: int) -> None:
    position = turned_out(dealt("9C", rules))
    for _ in range(redeals):
        assert "redeal" in legal(position)
        position = turned_out(play(position, "redeal"))
    assert "redeal" not in legal(position)
    assert why_illegal(position, "redeal") == "No redeal is left."


def test_two_redeals_are_the_standard() -> None:
    assert GAME.variants == ("standard", "1")
    assert GAME.rules({"redeals": "2"}) == GAME.rules("2") == GAME.rules({}) == "standard"
    assert GAME.rules({"redeals": "1"}) == GAME.rules("1") == "1"
    with pytest.raises(ValueError, match="the rules field redeals is one of 2, 1"):
        GAME.rules({"redeals": "3"})
    with pytest.raises(ValueError, match="no rules are called '3'; there are standard, 1"):
        GAME.rules("3")


@RANDOM_PLAY
@given(seeds, randoms)
def test_a_game_is_blocked_when_there_is_no_stock_no_play_and_no_redeal(
    seed: bytes, random: Random
) -> None:
    position = GAME.deal(shuffle(GAME.pack, seed), random.choice(GAME.variants))
    while not position.won:
        stock, redeals = position.pile(Pile("s")).down, position.text()[-1] != "0"
        plays = any(text.startswith("w ") for text in legal(position))
        waste = bool(position.pile(Pile("w")).up)
        assert position.blocked == (not stock and not plays and not (redeals and waste))
        if position.blocked:
            return
        position, _ = position.apply(random.choice(position.legal_moves()))


@RANDOM_PLAY
@given(seeds)
def test_who_plays_one_sequence_of_suits_wins_every_deal_with_two_redeals(seed: bytes) -> None:
    """Each time through the stock completes a suit; the fourth lies bare in the waste then."""
    position, order = GAME.deal(shuffle(GAME.pack, seed), "standard"), "HCDS"
    while not position.won:
        waste = position.pile(Pile("w")).up
        moves = position.legal_moves()
        home, move = moves[0], moves[-1]
        if home.target.startswith("f"):
            count = len(position.pile(home.target).up)
            move = home if order[count] == waste[-1][-1] else move
        position, _ = position.apply(move)
    shown = [cards.up for name, cards in position.piles().items() if name.startswith("f")]
    assert {"".join(card[-1] for card in cards) for cards in shown} == {order}
    assert position.progress == 52


@pytest.mark.parametrize(
    ("typed", "logged"),
    [
        ("turn", "turn"),
        (" TURN ", "turn"),
        ("redeal", "redeal"),
        ("w fdn", "w f7"),
        ("waste foundation", "w f7"),
        ("wf", "w f7"),
        ("w f7", "w f7"),
        ("wf13", "w f13"),
    ],
)
def test_moves_as_typed(typed: str, logged: str) -> None:
    position = play(dealt("7H"), "turn")
    assert position.format(position.parse(typed)) == logged


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("w", "Where does the waste’s top go? Write w fdn."),
        ("w f14", "'w f14' is not a move: write w fdn, w f5"),
        ("w 5", "'w 5' is not a move: write"),
        ("refill", "'refill' is not a move: write"),
        ("f5 w", "'f5 w' is not a move: write"),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(typed: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        dealt().parse(typed)
    assert texts.said(caught.value.said).startswith(sentence)


def test_the_text_has_the_suits_and_the_redeals_that_are_left() -> None:
    position = play(dealt("7H 7C KS"), "turn", "w f7", "turn", "w f7", "turn")
    words = position.text().split()
    assert words[:5] == ["germanclock", "standard", "HC", "-,-,-,-,-,-,7C,-,-,-,-,-,-", "KS"]
    assert words[6] == "2"
    assert GAME.read(position.text()) == position


LINE = "germanclock standard HC -,-,-,-,-,-,7C,-,-,-,-,-,- KS 49? 2"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (" 2", "", "a position is seven words: germanclock"),
        ("standard", "book", "no rules are called 'book'"),
        ("HC", "HD", "7C is not on the foundation of 7 if the suits are HD"),
        ("7C,", "7C,-,", "a position has 13 foundations, not 14"),
        ("7C", "7H", "the foundations never have the suits HC"),
        ("HC -", "HXC -", "the foundations never have the suits HXC"),
        ("HC -", "HDC -", "the foundations never have the suits HDC"),
        (" 2", " 3", "germanclock standard has fewer than 3 redeals"),
        (" 2", " x", "the redeals in a position are a number, like 2"),
        ("KS", "7H", "7H is there 2 times; one pack holds it once"),
        ("KS", "-", "a position of German Clock has 52 cards, not 51"),
        ("KS", "1S", "in the waste of a position: '1S' is not a card"),
        ("49?", "many?", "an unknown stock is written as its count"),
    ],
)
def test_other_lines_are_refused(old: str, new: str, complaint: str) -> None:
    assert GAME.read(LINE).text() == LINE
    with pytest.raises(ValueError, match=complaint):
        GAME.read(LINE.replace(old, new))


def test_the_player_sees_all_but_the_stock_and_the_redeals() -> None:
    position = turned_out(play(turned_out(dealt("9C", "1")), "redeal"))
    known = GAME.seen(position.piles(), "1")
    assert known.piles() == position.piles()
    # No pile tells it. The server's legal moves do.
    assert legal(known) - legal(position) == {"redeal"}


def test_an_unknown_card_cannot_be_turned() -> None:
    known = GAME.seen(dealt().piles(), "standard")
    assert known.text().endswith(" - 52? 2")
    assert why_illegal(known, "turn") == "The next card of the stock is not known here."


def test_piles_of_another_game_are_refused() -> None:
    piles = play(dealt("7H 7C"), "turn", "w f7").piles()
    with pytest.raises(ValueError, match="pile 's' is missing"):
        GAME.seen({name: cards for name, cards in piles.items() if name != "s"}, "standard")
    with pytest.raises(ValueError, match="these cards never lie on the foundation of 7"):
        GAME.seen({**piles, Pile("f7"): Cards((Card("8H"),))}, "standard")


def test_other_cards_are_not_a_deal() -> None:
    with pytest.raises(ValueError, match="has 52 cards: one pack; this order has 51"):
        GAME.deal(PACK[1:], "standard")

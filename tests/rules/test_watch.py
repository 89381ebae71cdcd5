"""Watch: the exchange of the fourth king, which is its only decision."""

from random import Random
from typing import Final

import pytest
from hypothesis import given
from tests.rules.clocks import dealt
from tests.rules.support import (
    RANDOM_PLAY,
    randoms,
    reason,
    refused,
    seeds,
)

from bigben_rules import (
    GAMES,
    Card,
    Cards,
    IllegalMove,
    Move,
    NotationError,
    Pile,
    Position,
    shuffle,
)
from bigben_rules.cards import PACK

WATCH: Final = GAMES["watch"]


def play(position: Position, *moves: str) -> Position:
    for text in moves:
        position, _ = position.apply(position.parse(text))
    return position


def legal(position: Position) -> list[str]:
    return [position.format(move) for move in position.legal_moves()]


def exposed(position: Position) -> tuple[Card, ...]:
    return position.pile(Pile("h")).up


def why(position: Position, text: str) -> str | None:
    return reason(position, position.parse(text))


def fourth_king() -> Position:
    """Four kings and an ace have been exposed, KC last; pile 1 has three cards left."""
    start = dealt("watch", {13: "AS KS KH KD", 1: "2C 3C 4C KC", 7: "5C 6C 8C 9C"})
    return play(start, *["turn"] * 5)


def test_the_first_time_the_fourth_king_appears_it_is_exchanged_and_nothing_else_can_be_done() -> (
    None
):
    position = fourth_king()
    assert exposed(position) == ("KC",)
    full = [f"swap {pile}{depth}" for pile in range(2, 13) for depth in ("", " 2", " 3", " 4")]
    assert legal(position) == ["swap 1", "swap 1 2", "swap 1 3", *full]
    assert not position.blocked
    assert position.progress == 4, "the king does not end the game yet"
    assert why(position, "turn") == (
        "KC can’t be tucked: exchange it for a face-down card, as in swap 1."
    )


@pytest.mark.parametrize(
    ("text", "card", "left"),
    [
        ("swap 7", "9C", "5C,6C,8C,KC"),
        ("swap 7 1", "9C", "5C,6C,8C,KC"),
        ("swap 7 2", "8C", "5C,6C,KC,9C"),
        ("swap 7 4", "5C", "KC,6C,8C,9C"),
    ],
)
def test_the_king_takes_the_place_of_any_face_down_card_which_is_exposed(
    text: str, card: str, left: str
) -> None:
    before = fourth_king()
    position, steps = before.apply(before.parse(text))
    assert steps == (("h", "7", "KC", "down"), ("7", "h", card, "turned"))
    assert exposed(position) == (card,)
    assert position.pile(Pile("7")) == Cards((), 4)
    assert position.text().split()[4].split("/")[6] == left
    assert position.progress == before.progress
    assert legal(position) == ["turn"]


def test_the_exposed_card_is_then_tucked_as_ever() -> None:
    position = play(fourth_king(), "swap 7", "turn")
    assert position.pile(Pile("9")).up == ("9C",)
    assert position.progress == 5


def test_the_fourth_king_exposed_again_with_cards_face_down_loses_the_game() -> None:
    start = dealt("watch", {13: "AS KS KH KD", 1: "2C 3C 4C KC", 7: "5C 6C 8C 7C"})
    position = play(start, *["turn"] * 5, "swap 7", "turn")
    assert exposed(position) == ("KC",), "it lay on top of pile 7"
    assert (legal(position), position.blocked, position.won) == ([], True, False)
    assert position.progress == 6, "AS, three kings, 7C and the king that ends the game"
    for text in ("turn", "swap 3"):
        assert why(position, text) == "The game is over: KC is the last card of its rank."


def test_nothing_is_exchanged_when_the_fourth_king_is_the_last_card() -> None:
    start = dealt("watch", {**CHAIN, 13: "AC AD AH AS"})
    position = play(start, *["turn"] * 52)
    assert exposed(position) == ("KC",)
    assert (position.won, legal(position), position.progress) == (True, [], 52)


CHAIN: Final = {
    pile: " ".join(rank + suit for suit in "CDHS")
    for pile, rank in enumerate([*map(str, range(2, 11)), "J", "Q", "K"], 1)
}
"""In each pile lie the cards of the next one."""


def test_a_game_can_be_won_after_the_exchange() -> None:
    piles = {**CHAIN, 12: "AC AD AH AS", 13: "KC KD KH KS"}
    position = play(dealt("watch", piles), *["turn"] * 4, "swap 12 4")
    assert exposed(position) == ("AC",)
    while legal(position):
        position = play(position, "turn")
    assert (position.won, position.progress) == (True, 52)


def test_nothing_else_is_exchanged() -> None:
    position = dealt("watch", {13: "AS KS KH KD"})
    after = play(fourth_king(), "swap 7")
    for other in (position, play(position, "turn"), after):
        assert why(other, "swap 8") == (
            "Only the fourth card of its rank is exchanged, and only once; write turn."
        )


def test_there_is_no_card_deeper_than_the_pile() -> None:
    position = fourth_king()
    assert why(position, "swap 1 4") == (
        "Pile 1 has fewer than 4 face-down cards; exchange another card, as in swap 1."
    )
    for text in ("swap 13", "swap c", "SWAP  C 3"):
        assert why(position, text) == (
            "Pile 13 has no face-down cards; exchange another card, as in swap 1."
        )


@pytest.mark.parametrize("text", ["swap 7", "swap 7 2", "swap 12 4", "swap 13"])
def test_a_move_in_the_log_is_read_back(text: str) -> None:
    position = fourth_king()
    assert position.format(position.parse(text)) == text


@pytest.mark.parametrize("text", ["swap 7 0", "swap 7 5", "swap 14", "swap h", "swap 7 2 1", "7"])
def test_an_exchange_that_cannot_be_is_no_move(text: str) -> None:
    with refused(NotationError, match=rf"^'{text}' is not a move: write turn, swap 7 \(the "):
        fourth_king().parse(text)


@pytest.mark.parametrize(
    "move",
    [
        Move(Pile("h"), Pile("1"), 0),
        Move(Pile("h"), Pile("1"), -1),
        Move(Pile("h"), Pile("1"), 5),
        Move(Pile("h"), Pile("f1")),
        Move(Pile("2"), Pile("1")),
    ],
)
def test_a_move_that_no_text_means_is_a_mistake_of_the_program(move: Move) -> None:
    with pytest.raises(ValueError, match="is not a move of the Clock kind") as raised:
        fourth_king().apply(move)
    assert not isinstance(raised.value, IllegalMove)


def test_a_swap_needs_a_pile() -> None:
    with refused(NotationError, match=r"^Swap with which pile\? Write swap 7, or swap 7 2\."):
        fourth_king().parse("swap")


@RANDOM_PLAY
@given(seeds, randoms)
def test_the_exchange_comes_once_at_most_and_only_for_the_fourth_king(
    seed: bytes, random: Random
) -> None:
    position = WATCH.deal(shuffle(PACK, seed), "standard")
    kings, swaps = 0, 0
    while moves := position.legal_moves():
        swap = position.format(moves[0]).startswith("swap")
        assert swap == (kings == 4 and swaps == 0)
        assert len(moves) == (sum(pile.down for pile in position.piles().values()) if swap else 1)
        swaps += swap
        position, _ = position.apply(random.choice(moves))
        kings += exposed(position)[0][:-1] == "K"
    assert kings == 4 + swaps


def test_a_position_tells_whether_the_exchange_was_made_but_the_piles_do_not() -> None:
    before = fourth_king()
    after = play(before, "swap 7")
    assert (before.text()[-1], after.text()[-1]) == ("1", "0")
    assert WATCH.seen(after.piles(), "standard").text()[-1] == "1"


def test_an_unknown_card_cannot_be_exchanged() -> None:
    seen = WATCH.seen(fourth_king().piles(), "standard")
    assert legal(seen) == legal(fourth_king())
    assert why(seen, "swap 7 2") == "The next card of pile 7 is not known here."

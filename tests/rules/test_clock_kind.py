"""Clock, Watch, Travellers and Hide-and-Seek, sentence by sentence."""

from random import Random
from typing import Final

import pytest
from hypothesis import given
from tests.rules.clocks import KIND, dealt, pile_of, played
from tests.rules.support import (
    RANDOM_PLAY,
    randoms,
    reason,
    refused,
    seeds,
)

from bigben_rules import GAMES, Card, Cards, IllegalMove, NotationError, Pile, Position, shuffle
from bigben_rules.cards import PACK
from bigben_rules.sentence import sentence

every_game = pytest.mark.parametrize("name", KIND)
of_kings = pytest.mark.parametrize("name", ["clock", "watch", "travellers"])
without_choice = pytest.mark.parametrize("name", ["clock", "travellers", "hideandseek"])


def turn(position: Position, times: int = 1) -> Position:
    for _ in range(times):
        position, _ = position.apply(position.parse("turn"))
    return position


def legal(position: Position) -> list[str]:
    return [position.format(move) for move in position.legal_moves()]


def exposed(position: Position) -> str:
    return " ".join(position.pile(Pile("h")).up)


def why(position: Position, text: str) -> str | None:
    return reason(position, position.parse(text))


def dealt_to(name: str) -> dict[str, str]:
    """By pile: the cards of the sorted pack that are dealt to it, the bottom first."""
    parts = GAMES[name].deal(PACK, "standard").text().split()[4].split("/")
    return {str(pile): cards for pile, cards in enumerate(parts, 1)}


@every_game
def test_there_are_thirteen_piles_of_four_face_down(name: str) -> None:
    piles = GAMES[name].deal(PACK, "standard").piles()
    assert list(piles) == [*map(str, range(1, 14)), "h"]
    assert piles.pop(Pile("h")) == Cards(())
    assert set(piles.values()) == {Cards((), 4)}


@pytest.mark.parametrize("name", ["clock", "watch"])
def test_a_clock_is_dealt_a_lap_at_a_time_clockwise_from_12_and_then_the_centre(name: str) -> None:
    cards = dealt_to(name)
    assert cards["12"] == "AC,AD,AH,AS"
    assert cards["1"] == "2C,2D,2H,2S"
    assert cards["11"] == "QC,QD,QH,QS"
    assert cards["13"] == "KC,KD,KH,KS"


def test_travellers_are_dealt_in_four_laps_of_twelve_and_then_the_talon() -> None:
    cards = dealt_to("travellers")
    assert cards["1"] == "AC,KC,QD,JH"
    assert cards["12"] == "QC,JD,10H,9S"
    assert cards["13"] == "10S,JS,QS,KS"


def test_hide_and_seek_is_dealt_in_four_laps_of_thirteen() -> None:
    cards = dealt_to("hideandseek")
    assert cards["1"] == "AC,AD,AH,AS"
    assert cards["13"] == "KC,KD,KH,KS"


def test_the_piles_of_hide_and_seek_are_seven_above_and_six_below() -> None:
    slots = [slot for slot in GAMES["hideandseek"].description.slots if slot.kind == "reserve"]
    assert [(slot.row, slot.at) for slot in slots] == [
        *((1, at) for at in range(1, 8)),
        *((2, at) for at in range(1, 7)),
    ]
    assert [slot.goal for slot in slots][6:8] == ["7", "8"]


def test_the_piles_of_travellers_are_a_row_and_the_talon() -> None:
    slots = [slot for slot in GAMES["travellers"].description.slots if slot.kind == "reserve"]
    assert [(slot.row, slot.at) for slot in slots] == [*((1, at) for at in range(1, 13)), (2, 1)]


@of_kings
def test_the_card_dealt_last_to_the_kings_pile_is_turned_first(name: str) -> None:
    order = shuffle(PACK, bytes(32))
    position = GAMES[name].deal(order, "standard")
    after, steps = position.apply(position.parse("turn"))
    assert steps == (("13", "h", order[-1], "turned"),)
    assert exposed(after) == order[-1]
    assert after.pile(Pile("13")) == Cards((), 3)
    assert after.progress == 0


def test_hide_and_seek_starts_at_the_ace_pile() -> None:
    order = shuffle(PACK, bytes(32))
    position = GAMES["hideandseek"].deal(order, "standard")
    _, steps = position.apply(position.parse("turn"))
    assert steps == (("1", "h", order[39], "turned"),), "dealt to the first pile in the last lap"


@pytest.mark.parametrize(
    ("card", "pile"), [("AC", 1), ("7D", 7), ("10H", 10), ("JS", 11), ("QC", 12), ("KD", 13)]
)
@of_kings
def test_an_exposed_card_goes_under_the_pile_of_its_rank_whose_top_is_then_exposed(
    name: str, card: str, pile: int
) -> None:
    others = f"{'2C' if pile != 2 else '3C'} 5C 9C {card}"
    if pile == 13:
        start = turn(dealt(name, {13: others}))
        under, top = "13", "9C"
    else:
        start = turn(dealt(name, {13: others, pile: "6C 6D 6H 6S"}))
        under, top = str(pile), "6S"
    assert exposed(start) == card
    after, steps = start.apply(start.parse("turn"))
    assert steps == (("h", under, card, "under"), (under, "h", top, "turned"))
    assert after.pile(Pile(under)).up == (card,)
    assert after.pile(Pile(under)).down == start.pile(Pile(under)).down - 1
    assert exposed(after) == top
    assert after.progress == 1


@of_kings
def test_the_card_that_was_tucked_last_lies_lowest(name: str) -> None:
    position = turn(dealt(name, {13: "2C KS KH KD"}), 3)
    assert position.pile(Pile("13")) == Cards((Card("KH"), Card("KD")), 1)


@pytest.mark.parametrize("name", ["clock", "travellers"])
def test_the_fourth_king_with_cards_face_down_loses_the_game(name: str) -> None:
    position = turn(dealt(name, {13: "KC KS KH KD"}), 3)
    assert (legal(position), position.blocked, position.progress) == (["turn"], False, 2)
    position = turn(position)
    assert exposed(position) == "KC"
    assert (legal(position), position.blocked, position.won) == ([], True, False)
    assert position.progress == 4, "three kings are tucked, and the fourth counts too"
    assert why(position, "turn") == "The game is over: KC is the last card of its rank."


def test_the_fourth_ace_with_cards_face_down_loses_hide_and_seek() -> None:
    position = turn(dealt("hideandseek", {1: "AC KC AH AD", 13: "2C 2D 2H AS"}), 5)
    assert exposed(position) == "AC"
    assert (legal(position), position.blocked, position.progress) == ([], True, 5)
    assert position.pile(Pile("13")).up == ("KC",), "a king ends nothing here"
    assert why(position, "turn") == "The game is over: AC is the last card of its rank."


ROUND: Final = {
    pile: " ".join(rank + suit for suit in "CDHS")
    for pile, rank in enumerate([*map(str, range(2, 11)), "J", "Q", "K", "A"], 1)
}
"""In each pile lie the cards of the next one, so the piles are turned in their order."""


@pytest.mark.parametrize(("name", "last"), [(n, "AC" if n[0] == "h" else "KC") for n in KIND])
def test_the_game_is_won_when_the_last_card_turned_is_the_deciding_one(
    name: str, last: str
) -> None:
    position: Position = dealt(name, ROUND)
    for _ in range(52):
        assert legal(position) == ["turn"]
        assert not position.won
        position = turn(position)
    assert exposed(position) == last
    assert (position.won, position.blocked, legal(position)) == (True, False, [])
    assert position.progress == 52
    assert {cards.down for cards in position.piles().values()} == {0}
    assert str(why(position, "turn")).startswith(f"The game is over: {last} is the last card ")


@every_game
@RANDOM_PLAY
@given(seeds, randoms)
def test_the_last_card_of_a_pile_never_belongs_to_that_pile_unless_it_ends_the_game(
    name: str, seed: bytes, random: Random
) -> None:
    """Each rank comes four times and each tuck exposes one, so no next pile is ever looked for."""
    first = "1" if name == "hideandseek" else "13"
    position = turn(GAMES[name].deal(shuffle(PACK, seed), "standard"))
    while moves := position.legal_moves():
        for pile, (up, down) in position.piles().items():
            if pile != "h":
                assert len(up) + down == (3 if pile == first else 4)
        card = exposed(position)
        if legal(position) == ["turn"]:
            assert position.pile(Pile(str(pile_of(card)))).down > 0
        position, _ = position.apply(random.choice(moves))
    assert str(pile_of(exposed(position))) == first


@without_choice
@RANDOM_PLAY
@given(seeds)
def test_a_game_goes_as_in_the_rules_written_a_second_time(name: str, seed: bytes) -> None:
    order = shuffle(PACK, seed)
    by_hand = played(name, list(order))
    position = GAMES[name].deal(order, "standard")
    seen = []
    while legal(position):
        assert legal(position) == ["turn"], "there is no choice"
        position = turn(position)
        seen.append(exposed(position))
    assert (seen, position.progress, position.won) == by_hand


@every_game
@RANDOM_PLAY
@given(seeds, randoms)
def test_what_lies_face_down_changes_neither_reading_nor_refusal(
    name: str, seed: bytes, random: Random
) -> None:
    position = GAMES[name].deal(shuffle(PACK, seed), "standard")
    for _ in range(random.randrange(53)):
        if moves := position.legal_moves():
            position, _ = position.apply(random.choice(moves))
    words = position.text().split()
    down = [card for pile in words[4].split("/") for card in pile.split(",") if card != "-"]
    random.shuffle(down)
    words[4] = "/".join(
        ",".join(down.pop() for _ in range(cards.down)) or "-"
        for pile, cards in position.piles().items()
        if pile != "h"
    )
    other = GAMES[name].read(" ".join(words))
    assert other.reading() == position.reading()
    for text in (
        "turn",
        *(f"swap {pile} {depth}" for pile in ["1", "7", "13"] for depth in (1, 4)),
    ):
        if name == "watch" or text == "turn":
            assert why(other, text) == why(position, text)


@without_choice
def test_nothing_is_exchanged_without_a_watch(name: str) -> None:
    position = GAMES[name].deal(PACK, "standard")
    with refused(NotationError, match=r"^'swap 7' is not a move: write turn\.$"):
        position.parse("swap 7")
    swap = GAMES["watch"].deal(PACK, "standard").parse("swap 7")
    with pytest.raises(IllegalMove) as caught:
        position.apply(swap)
    assert caught.value.said == sentence("swap.never")

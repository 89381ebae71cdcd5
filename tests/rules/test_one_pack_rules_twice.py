"""Grandfather's Clock and German Clock, their rules written a second time from the piles."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from tests.rules.recorded import GAMES as RECORDED
from tests.rules.recorded import Recorded
from tests.rules.support import RANDOM_PLAY, legal, randoms, seeds

from bigben_rules import GAMES, Cards, Pile, Position, shuffle

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
Piles = Mapping[Pile, Cards]


def rank(card: str) -> int:
    return RANKS.index(card[:-1]) + 1


def red(card: str) -> bool:
    return card[-1] in "DH"


def of_grandfathers_clock(piles: Piles, *, wrap: bool) -> Iterator[str]:
    columns = {name: cards.up for name, cards in piles.items() if name[0] != "f"}
    for column, cards in columns.items():
        for name in piles:
            if not cards or name == column:
                continue
            card, there = cards[-1], piles[name].up
            if name[0] == "f":
                top, hour = there[-1], int(name[1:])
                next_rank = rank(top) % 13 + 1
                if rank(top) != hour and (card[-1], rank(card)) == (top[-1], next_rank):
                    yield f"{column} {name}"
            elif (
                not there
                or rank(there[-1]) == rank(card) + 1
                or (wrap and card[:-1] == "K" and there[-1][:-1] == "A")
            ):
                yield f"{column} {name}"


def of_german_clock(piles: Piles, *, redeals: int) -> Iterator[str]:
    waste, stock = piles[Pile("w")].up, piles[Pile("s")].down
    homes = {name: cards.up for name, cards in piles.items() if name[0] == "f"}
    if waste:
        home = f"f{rank(waste[-1])}"
        own = (*homes[Pile(home)], waste[-1])
        alternates = all(red(one) != red(other) for one, other in pairwise(own))
        agrees = all(
            one[-1] == other[-1]
            for others in homes.values()
            for one, other in zip(own, others, strict=False)
        )
        if alternates and agrees and len({card[-1] for card in own}) == len(own):
            yield f"w {home}"
    if stock:
        yield "turn"
    elif waste and redeals:
        yield "redeal"


def by_hand(position: Position, rules: str, redealt: int) -> set[str]:
    """The legal moves after ``redealt`` redeals."""
    piles = position.piles()
    if "s" in piles:
        return {*of_german_clock(piles, redeals={"standard": 2, "1": 1}[rules] - redealt)}
    return {*of_grandfathers_clock(piles, wrap=rules == "standard")}


@pytest.mark.parametrize("name", ["grandfathersclock", "germanclock"])
@RANDOM_PLAY
@given(seeds, randoms)
def test_both_agree_in_random_play(name: str, seed: bytes, random: Random) -> None:
    game = GAMES[name]
    rules, redealt = random.choice(game.variants), 0
    position = game.deal(shuffle(game.pack, seed), rules)
    for _ in range(250):
        moves = position.legal_moves()
        assert legal(position) == by_hand(position, rules, redealt)
        if not moves:
            return
        # Mostly home: a column game otherwise moves back and forth for long.
        home = [move for move in moves if move.target[0] == "f"]
        move = random.choice(home if home and random.random() < 0.5 else moves)
        redealt += position.format(move) == "redeal"
        position, _ = position.apply(move)


OF_BOTH = {n: g for n, g in RECORDED.items() if g.game in ("grandfathersclock", "germanclock")}


@pytest.mark.parametrize("game", OF_BOTH.values(), ids=OF_BOTH)
def test_both_agree_in_every_recorded_game(game: Recorded) -> None:
    position, redealt = game.start(), 0
    for text in game.moves:
        assert text in by_hand(position, game.rules, redealt)
        assert legal(position) == by_hand(position, game.rules, redealt)
        redealt += text == "redeal"
        position, _ = position.apply(position.parse(text))
    assert by_hand(position, game.rules, redealt) == set()

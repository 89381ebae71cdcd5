"""Readings of followed positions: equal to the plain reading, in whatever order they are asked."""

from copy import copy
from dataclasses import replace
from random import Random

from hypothesis import given
from tests.rules.support import (
    RANDOM_PLAY,
    board,
    deal_from,
    positions,
    random_game,
    randoms,
    seeds,
    variants,
)

from bigben_rules.bigben import Position
from bigben_rules.game import plain_reading


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_every_position_of_a_game_reads_as_it_does_by_itself(
    seed: bytes, rules: str, random: Random
) -> None:
    position = deal_from(seed, rules).followed()
    assert position.reading() == plain_reading(position)
    for _, _, after, _ in random_game(position, random):
        assert after.reading() == plain_reading(after)
        assert after.blocked == (not after.won and not plain_reading(after).legal)


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_moves_may_be_taken_back_and_earlier_positions_read_again(
    seed: bytes, rules: str, random: Random
) -> None:
    game = [deal_from(seed, rules).followed()]
    for _ in range(30):
        game += [after for _, _, after, _ in random_game(game[-1], random, most=8)]
        assert game[-1].reading() == plain_reading(game[-1])
        if random.random() < 0.5:
            earlier = random.choice(game)
            assert earlier.reading() == plain_reading(earlier)
        del game[random.randrange(len(game)) + 1 :]
        assert game[-1].reading() == plain_reading(game[-1])


@RANDOM_PLAY
@given(positions(), positions())
def test_two_games_that_share_a_board_read_as_if_each_had_its_own(
    position: Position, other: Position
) -> None:
    one = position.followed()
    another = replace(one, **{name: getattr(other, name) for name in FIELDS})
    for each in (one, another, one, copy(another)):
        assert each.reading() == plain_reading(each)


FIELDS = ("rules", "foundations", "fans", "waste", "stock")


@RANDOM_PLAY
@given(positions(), randoms)
def test_a_followed_position_is_the_same_value(position: Position, random: Random) -> None:
    followed = position.followed()
    followed.reading()
    assert followed == position
    assert hash(followed) == hash(position)
    assert (followed.text(), repr(followed)) == (position.text(), repr(position))
    for before, move, after, steps in random_game(position, random, most=5):
        assert before.followed().apply(move) == (after, steps)


def test_a_reading_has_the_moves_in_the_notation_and_the_piles_in_a_line() -> None:
    position = board(fans={3: "KS QH 3C", 7: "KS KH"}, waste="9D 4H").followed()
    moves, piles = position.reading()
    assert [text for text in moves if text[0] in "3w7"] == ["3 f9", "3 1", "w f10"]
    assert moves[-1] == "refill"
    assert piles.startswith("f1:6C f2:7H f3:8S")
    assert " 3:KS,QH,3C " in piles
    assert piles.endswith(" w:9D,4H s:55?")

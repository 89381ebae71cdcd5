"""Readings of a game in play: equal to those of each position by itself."""

from random import Random

from hypothesis import given
from tests.rules.support import (
    RANDOM_PLAY,
    board,
    deal_from,
    random_game,
    randoms,
    seeds,
    variants,
)

from bigben_rules.bigben import BigBen
from bigben_rules.position import Step

GAME = BigBen()


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_every_position_of_a_game_reads_as_it_does_by_itself(
    seed: bytes, rules: str, random: Random
) -> None:
    position, reader = deal_from(seed, rules), GAME.reader(rules)
    assert reader.read(position, []) == position.reading()
    moved: list[Step] = []
    for _, _, after, steps in random_game(position, random):
        moved += steps
        if random.random() < 0.7:  # some moves are read together
            assert reader.read(after, moved) == after.reading()
            moved = []
        assert after.blocked == (not after.won and not after.reading().legal)


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_a_move_that_is_taken_back_is_read_as_it_was(
    seed: bytes, rules: str, random: Random
) -> None:
    position, reader = deal_from(seed, rules), GAME.reader(rules)
    reader.read(position, [])
    for before, _, after, steps in random_game(position, random):
        back = [Step(step.target, step.source, step.card) for step in reversed(steps)]
        assert reader.read(after, steps) == after.reading()
        assert reader.read(before, back) == before.reading()
        assert reader.read(after, [*steps, *back, *steps]) == after.reading()


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_a_reader_may_begin_with_any_position(seed: bytes, rules: str, random: Random) -> None:
    for _, _, after, steps in random_game(deal_from(seed, rules), random):
        assert GAME.reader(rules).read(after, steps) == after.reading()


def test_a_reading_has_the_moves_in_the_notation_and_the_piles_in_a_line() -> None:
    position = board(fans={3: "KS QH 3C", 7: "KS KH"}, waste="9D 4H")
    moves, piles = position.reading()
    assert [text for text in moves if text[0] in "3w7"] == ["3 f9", "3 1", "w f10"]
    assert moves[-1] == "refill"
    assert piles.startswith("f1:6C f2:7H f3:8S")
    assert " 3:KS,QH,3C " in piles
    assert piles.endswith(" w:9D,4H s:55?")

"""Solving Big Ben: every line that is found wins by the rules."""

from random import Random

from hypothesis import given
from tests.rules.support import deal_from, seeds, variants
from tests.support.torture import examples

from bigben_rules import Position
from bigben_rules.bigben import BigBen
from bigben_solver import Solution, solve
from bigben_solver.big_ben.judging import FOUNDATIONS, USUAL
from bigben_solver.big_ben.search import Beam
from bigben_solver.big_ben.table import Table, move_of


def check(position: Position, solution: Solution) -> None:
    """The line wins, if there is one."""
    for move in solution.moves:
        position, _ = position.apply(move)
    assert position.won == (solution.result == "won")


def test_random_deals_are_won() -> None:
    for number in range(5):
        position = deal_from(bytes([number]) * 32)
        solution = solve(position, nodes=100_000)
        assert solution.result == "won"
        check(position, solution)


@examples(8)
@given(seeds, variants)
def test_every_line_wins_by_the_rules(seed: bytes, rules: str) -> None:
    position = deal_from(seed, rules)
    check(position, solve(position, nodes=4000))


def test_the_same_question_has_the_same_answer() -> None:
    position = deal_from(bytes(32))
    assert solve(position, nodes=5000, seed=3) == solve(position, nodes=5000, seed=3)


def test_a_beam_sees_a_win_that_needs_the_other_foundation_first() -> None:
    """This order of the foundations sets cards aside here, but plays bring all home."""
    text = (
        "bigben laps-stuck-foundations AC,KH,3S,2D,3C,3H,6S,2D,9C,10H,JS,8D "
        "3D,8D/AH,10D,3D/-/2H,4H,QD/6H,9D,7D,6D,5D,4D/-/-/JD,4D/-/5C/4C,5H/7S - -"
    )
    position = BigBen.read(text)
    beam = Beam(Table.of(position), USUAL, FOUNDATIONS[::-1], 1, 8, Random(0), 5_000)
    end = beam.run(lambda: False)
    assert end
    check(position, Solution("won", tuple(map(move_of, beam.line(end))), beam.nodes))

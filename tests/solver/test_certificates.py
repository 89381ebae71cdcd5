"""A certificate of a deal is a line that the rules alone can check."""

import doctest

import pytest

from bigben_rules import GAMES, Move, Pile, shuffle
from bigben_rules.position import Position
from bigben_solver import certificates, solve
from bigben_solver.certificates import Certificate, Wrong, moves_of, parse, start, won_by

NUMBER = 3
NODES = 60_000


@pytest.fixture(scope="module")
def line() -> str:
    """The certificate of a deal that the solver wins."""
    moves = solve(start(Certificate("bigben", "open", str(NUMBER), "won")), nodes=NODES).moves
    return str(won_by("bigben", "open", str(NUMBER), moves))


def test_the_example_is_true() -> None:
    assert doctest.testmod(certificates) == (0, 1)


def test_a_winning_line_becomes_a_line_of_text_and_moves_again(line: str) -> None:
    position: Position = GAMES["bigben"].deal(
        shuffle(GAMES["bigben"].pack, NUMBER.to_bytes(32, "big")), "open"
    )
    for move in moves_of(parse(line)):
        position, _ = position.apply(position.parse(move))
    assert position.won
    assert str(parse(line)) == line


def test_a_deal_may_be_named_by_its_seed(line: str) -> None:
    game, rules, _, won, moves = line.split()
    assert moves_of(parse(f"{game} {rules} {NUMBER:064x} {won} {moves}")) == moves_of(parse(line))


@pytest.mark.parametrize("result", ["lost", "unknown"])
def test_other_results_have_the_number_of_nodes(result: str) -> None:
    line = f"bigben book 17 {result} 200000"
    assert parse(line).nodes == 200_000
    assert str(parse(line)) == line


def test_moves_that_do_not_win_are_no_certificate(line: str) -> None:
    with pytest.raises(Wrong, match="cards home"):
        moves_of(parse(line[:-1]))
    with pytest.raises(Wrong, match="cards home"):
        won_by("bigben", "open", str(NUMBER), [])
    with pytest.raises(Wrong, match="not legal"):
        won_by("bigben", "open", str(NUMBER), [Move(Pile("s"), Pile("s"))])


def test_a_place_behind_the_last_legal_move_is_refused(line: str) -> None:
    *_, moves = line.split()
    with pytest.raises(Wrong, match=r"^Move 1 is 'z', and there are \d+ legal moves"):
        moves_of(parse(line.replace(moves, f"z{moves[1:]}")))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "bigben standard 1 won",
        "bigben standard 1 won 0 0",
        "bigben standard 1 maybe 0",
        "bigben standard 1 lost many",
        "bigben standard 1 lost ²",
    ],
)
def test_a_line_that_is_no_certificate_is_refused(line: str) -> None:
    with pytest.raises(Wrong):
        parse(line)


@pytest.mark.parametrize(
    ("game", "rules", "deal"),
    [
        ("whist", "standard", "1"),
        ("bigben", "hard", "1"),
        ("bigben", "survey", "1"),
        ("bigben", "standard", "-1"),
        ("bigben", "standard", "01"),
        ("bigben", "standard", "x" * 64),
        ("bigben", "standard", "9" * 99),
    ],
)
def test_a_deal_that_does_not_exist_is_refused(game: str, rules: str, deal: str) -> None:
    with pytest.raises(Wrong):
        start(Certificate(game, rules, deal, "won", "0"))

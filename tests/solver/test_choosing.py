"""A race plays the first deal of its seed that is certified, and everybody can check that."""

from hashlib import sha256

import pytest

from bigben_rules import GAMES, counted, shuffle
from bigben_solver import choosing
from bigben_solver.choosing import choose, deal_of, shorter, tried

SEED = sha256(b"choosing").digest()


def wins(line: tuple[str, ...], counter: int) -> bool:
    game = GAMES["bigben"]
    position = game.deal(shuffle(game.pack, counted(SEED, counter)), "standard")
    for text in line:
        move = position.parse(text)
        assert position.format(move) == text
        position, _ = position.apply(move)
    return position.won


def test_the_first_deal_that_is_certified_is_chosen() -> None:
    chosen = choose(SEED, "bigben", "standard", nodes=2_000)
    assert chosen is not None
    assert wins(chosen.line, chosen.counter)
    assert chosen.grade == ""
    for before in range(chosen.counter):
        assert tried(SEED, before, "bigben", "standard", nodes=2_000) is None


def test_the_grade_must_be_the_wanted_one(monkeypatch: pytest.MonkeyPatch) -> None:
    grades = {deal_of(SEED, n, "bigben", "standard"): n for n in range(40)}

    def grade(position: object) -> str:
        return "hard" if grades[position] % 5 == 4 else "easy"  # type: ignore[index]  # a Position

    monkeypatch.setattr(choosing, "grade_of", grade)
    first = choose(SEED, "bigben", "standard", grade=choosing.ANY, nodes=2_000)
    hard = choose(SEED, "bigben", "standard", grade="hard", nodes=2_000)
    assert first is not None
    assert hard is not None
    assert first.grade == ("hard" if first.counter % 5 == 4 else "easy")
    assert hard.grade == "hard"
    assert hard.counter % 5 == 4
    assert wins(hard.line, hard.counter)
    assert choose(SEED, "bigben", "standard", grade="hard", nodes=2_000, deals=4) is None


def test_a_shorter_line_still_wins() -> None:
    chosen = choose(SEED, "bigben", "standard", nodes=2_000)
    assert chosen is not None
    line = shorter(SEED, chosen.counter, "bigben", "standard", chosen.line, 1)
    assert wins(line, chosen.counter)
    assert len(line) <= len(chosen.line)


def test_a_solver_that_judges_otherwise_has_another_version() -> None:
    found = [
        tried(SEED, n, "bigben", "standard", grade=choosing.ANY, nodes=2_000) for n in range(6)
    ]
    judged = [(one.counter, one.grade, len(one.line)) for one in found if one]
    assert {choosing.VERSION: judged} == {
        1: [(0, "hard", 152), (1, "hard", 136), (2, "medium", 137)]
    }

"""The measurements of hints and of luck go on after a stop, with deals that are in one set only."""

import sys
from itertools import combinations
from pathlib import Path

import pytest
from research import hints, luck, named_deals
from research.hints import Pair
from research.luck import Game


def test_no_deal_is_in_two_sets() -> None:
    sets = [named for named in vars(named_deals).values() if isinstance(named, range)]
    assert len(sets) == 5
    assert all(not set(one) & set(two) for one, two in combinations(sets, 2))


def test_hints_are_followed_beside_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hints.jsonl"
    file.write_text('["watch", "standard", 2000000, false, 7, 1, 8]\n["watch", "stan')
    monkeypatch.setattr(
        sys, "argv", ["hints", "--games", "watch", "--deals", "2", "--out", f"{file}"]
    )
    monkeypatch.setattr("os.nice", lambda _: 0)
    hints.main()
    known, new = hints.read(file).values()
    assert known == Pair("watch", "standard", 2_000_000, False, 7, 1, 8)
    assert new.hints == new.house
    assert "watch" in capsys.readouterr().out


def test_luck_is_measured_in_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "luck.jsonl"
    file.write_text('[3000000, "beginner", 60, 7000, -500, -500, 0]\n[3000001, "cas')
    monkeypatch.setattr(
        sys, "argv", ["luck", "--games", "2", "--playouts", "1", "--out", f"{file}"]
    )
    monkeypatch.setattr("os.nice", lambda _: 0)
    luck.main()
    known, new = luck.read(file).values()
    assert known == Game(3_000_000, "beginner", 60, 7_000, -500, -500, 0)
    assert (new.deal, new.player) == (3_000_001, "casual")
    assert new.expected + new.skill + new.luck == 100 * new.home
    assert "casual" in capsys.readouterr().out

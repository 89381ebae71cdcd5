"""The calibration of grades goes on after a stop, and its check can fail."""

from pathlib import Path

import pytest
from research import grades
from research.grades import Measured

from bigben_solver.grades import GRADES


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file = tmp_path / "grades.jsonl"
    known = [Measured("standard", deal, 70.0 + deal, 50 + deal) for deal in range(4)]
    lines = [f'["standard", {deal}, {score}, {home}]' for _, deal, score, home in known]
    file.write_text("\n".join(lines) + '\n["standard", 4, 74')
    assert grades.fill(file, "standard", 4, 1) == known
    (fifth,) = grades.fill(file, "standard", 5, 1)[4:]
    assert (fifth.layout, 60 < fifth.score < 95) == (4, True)
    assert grades.fill(file, "standard", 5, 1) == [*known, fifth]


def test_grades_that_do_not_separate_are_seen() -> None:
    alike = [Measured("standard", deal, float(deal), 50 + deal % 7) for deal in range(400)]
    apart = [Measured("standard", deal, float(deal), deal // 10 + deal % 7) for deal in range(400)]
    for measured, separate in ((alike, False), (apart, True)):
        found = grades.groups(measured, grades.limits(measured))
        assert [group.grade for group in found] == list(GRADES)
        assert all(more > 3 for more in grades.separations(found)) is separate


def test_the_thresholds_leave_the_wanted_shares() -> None:
    measured = [Measured("standard", deal, float(deal), 0) for deal in range(100)]
    assert grades.limits(measured) == (15, 40, 70)


def test_thresholds_are_written_into_their_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "thresholds.py"
    table.write_text(grades.THRESHOLDS.read_text())
    before = table.read_text().splitlines()
    monkeypatch.setattr(grades, "THRESHOLDS", table)
    grades.write({"standard": (1.0, 2.0, 3.0)})
    changed = [line for line in table.read_text().splitlines() if line not in before]
    assert changed == ['    "standard": (1.0, 2.0, 3.0),']

"""A run of CI: a test that fails among others and passes alone is told, and holds up nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAKES = """
import pathlib, pytest

@pytest.mark.parametrize("number", range({count}))
def test_flake(number):
    here = pathlib.Path(f"ran-{{number}}")
    if not here.exists():
        here.touch()
        raise AssertionError("the machine is busy")
"""
BUG = """
def test_bug():
    raise AssertionError("wrong every time")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_right.py").write_text("def test_right():\n    pass\n")
    return tmp_path


def run(project: Path) -> subprocess.CompletedProcess[str]:
    """What happens as `.ci/run` calls it, in a project of its own."""
    outside = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    fewer = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin"}
    return subprocess.run(
        [sys.executable, "-m", "tools.pytest_twice", "-q"],
        cwd=project,
        env=outside | fewer | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
    )


def test_tests_that_pass_run_once(project: Path) -> None:
    ran = run(project)
    assert ran.returncode == 0
    assert ran.stdout.count("passed") == 1


def test_a_flake_is_told_with_its_seed_and_holds_up_nothing(project: Path) -> None:
    (project / "test_chance.py").write_text(FLAKES.format(count=1))
    ran = run(project)
    assert ran.returncode == 0
    assert "FLAKY test_chance.py::test_flake[0]\n" in ran.stdout
    assert f"env PYTHONHASHSEED=7 {sys.executable} -m pytest -n 0 'test_chance.py::" in ran.stdout


def test_a_test_that_fails_twice_fails_the_run(project: Path) -> None:
    (project / "test_chance.py").write_text(FLAKES.format(count=1))
    (project / "test_bug.py").write_text(BUG)
    ran = run(project)
    assert ran.returncode == 1
    assert "FLAKY test_chance.py::test_flake[0]\n" in ran.stdout
    assert "FLAKY test_bug.py" not in ran.stdout


@pytest.mark.parametrize(("flakes", "code"), [(8, 0), (9, 1)])
def test_more_than_eight_flakes_fail_the_run(project: Path, flakes: int, code: int) -> None:
    (project / "test_chance.py").write_text(FLAKES.format(count=flakes))
    ran = run(project)
    assert ran.stdout.count("FLAKY ") == flakes
    assert ran.returncode == code


def test_what_is_no_test_that_failed_is_not_run_again(project: Path) -> None:
    (project / "test_broken.py").write_text("import nothing_of_this_name\n")
    ran = run(project)
    assert ran.returncode == 2
    assert "again" not in ran.stdout


def test_so_many_that_it_is_no_chance_are_not_run_again(project: Path) -> None:
    (project / "test_chance.py").write_text(FLAKES.format(count=21))
    ran = run(project)
    assert ran.returncode == 1
    assert "FLAKY" not in ran.stdout

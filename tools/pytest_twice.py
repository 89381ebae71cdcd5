"""Runs pytest, and then once more, alone, each test that failed.

    make test RUNNER=tools.pytest_twice

A test that passes then is a flake: it is printed, and the run passes. That is for CI, where chance
must not hold up finished work. A flake is a bug all the same, to be mended before anything else.
"""

import json
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

MOST_FLAKES: Final = 8
"""More of them fail the run: about one test in a thousand."""
MOST_FAILED: Final = 20
"""If more tests fail, it is not chance."""
TESTS_FAILED: Final = 1
"""The exit code of pytest if all tests ran and some failed."""

CHANCE: Final = ("PYTHONHASHSEED", "TORTURE", "SHUFFLE")
"""The variables that chance follows from."""
LAST_FAILED: Final = Path(".pytest_cache/v/cache/lastfailed")


def main() -> int:
    """The exit code: 0 if every test has passed, at the latest when it ran alone."""
    os.environ.setdefault("PYTHONHASHSEED", str(random.randrange(2**32)))
    LAST_FAILED.unlink(missing_ok=True)
    code = _pytest(sys.argv[1:])
    if code != TESTS_FAILED:
        return code
    failed = list(json.loads(LAST_FAILED.read_text()))
    if len(failed) > MOST_FAILED:
        print(f"{len(failed)} tests failed: too many for chance, so none runs again.")
        return code
    print(f"Running {len(failed)} again, each alone: those that pass now are flakes.", flush=True)
    flakes = [test for test in failed if _pytest(["-q", "-n", "0", test]) == 0]
    for test in flakes:
        print(_report(test))
    if len(flakes) > MOST_FLAKES:
        print(f"{len(flakes)} flakes are more than {MOST_FLAKES}, so the run has failed.")
    return 0 if len(flakes) == len(failed) <= MOST_FLAKES else code


def _pytest(arguments: Sequence[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments]).returncode


def _report(test: str) -> str:
    chance = [f"{name}={os.environ[name]}" for name in CHANCE if os.environ.get(name)]
    return (
        f"FLAKY {test}\n"
        f"  It failed among the others and passed alone. All chance followed {' '.join(chance)}.\n"
        f"  To see it fail, keep the machine busy (stress-ng --cpu 6 --io 2) and repeat:\n"
        f"  {shlex.join(['env', *chance, sys.executable, '-m', 'pytest', '-n', '0', test])}"
    )


if __name__ == "__main__":
    sys.exit(main())

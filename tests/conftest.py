"""Settings for all tests: what runs, in which order, on how many processes."""

import gc
import os
import signal
import sys
import time
import zlib
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

import pytest
from tests.support.torture import CHOSEN

DAY_S: Final = 86_400
LONGEST_S: Final = 60
"""The longest time for a test; on a busy machine some take more than half of it."""
WORKERS_FOR_EACH_CORE: Final = 3
"""Most of the time, a test waits for other processes."""
PART: Final = os.environ.get("PART", "")
"""Of `make torture`: 3/7 runs a seventh of the files."""
SHUFFLE: Final = os.environ.get("SHUFFLE", "")
"""A seed, for an order of the files by chance."""
WAITING: Final = (
    *("chaos", "clusters", "processes", "house", "compatibility", "deploy", "benchmarks"),
    "research",
)
"""The folders whose tests mostly wait, for what was killed or comes back."""
WORKING: Final = (
    "web",
    "discord",
    "matrix",
    "wire",
    "terminal",
    "fairness",
    "solver",
    "end_to_end",
)
"""The folders whose tests keep a core busy for long."""

# Importing all tests makes millions of objects that stay; looking for garbage among them takes as
# long as the imports.
gc.disable()

# Tests start many processes; each would compile all modules again where this is set, which takes
# longer than the rest of its start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A script that runs the tests with `&` ignores SIGINT, and every child process inherits that;
    # some of these are told to end by a Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Processes for ``-n auto``."""
    return WORKERS_FOR_EACH_CORE * min(len(os.sched_getaffinity(0)), 4)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose what `make test` or `make torture` runs, and put the files in order."""
    ranks: Mapping[str, float] = _shuffled(items) if SHUFFLE else _slowest_first(items)
    left_out = [item for item in items if not _runs(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    items[:] = sorted(filter(_runs, items), key=lambda item: ranks[_file(item)])


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _slowest_first(items: Iterable[pytest.Item]) -> dict[str, float]:
    """The slow files, those that wait spread among those that work: together they use the cores.

    Begun last, one of them would end alone.
    """
    folders = {_file(item): _file(item).split("/")[1] for item in items}
    ranks = dict.fromkeys(folders, 1.0)
    for kind in (WAITING, WORKING):
        files = [file for folder in kind for file in folders if folders[file] == folder]
        ranks |= {file: at / len(files) for at, file in enumerate(files)}
    return ranks


def _shuffled(items: Iterable[pytest.Item]) -> dict[str, int]:
    files = sorted({_file(item) for item in items})
    return dict(zip(files, Random(SHUFFLE).sample(range(len(files)), len(files)), strict=True))


def _runs(item: pytest.Item) -> bool:
    if not CHOSEN:
        return item.get_closest_marker("torture") is None
    if not any(item.get_closest_marker(name) for name in ("torture", "longer", "hypothesis")):
        return False
    part, _, parts = PART.partition("/")
    return not parts or zlib.crc32(_file(item).encode()) % int(parts) == int(part) - 1


def pytest_collection_finish() -> None:
    """From now on garbage is collected, but not looked for among what was imported."""
    gc.freeze()
    gc.enable()


def pytest_runtest_setup() -> None:
    """Begin no test just before midnight UTC: today's daily race would close while it is played.

    What midnight does is tested with clocks that the tests set themselves.
    """
    left = DAY_S - time.time() % DAY_S
    if left < LONGEST_S:
        time.sleep(left)

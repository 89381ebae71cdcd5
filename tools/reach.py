"""A pytest plugin: writes which functions of the project each file of tests runs in its process.

python -m pytest -p tools.reach …     writes JSON to build/mutants/reach
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
REACHED: Final = ROOT / "build" / "mutants" / "reach"

_SOURCES: Final = tuple(str(ROOT / folder) for folder in ("rules", "server", "client"))
_reached: dict[str, set[CodeType]] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note each function that is called until the test has been torn down."""
    seen = _reached.setdefault(item.nodeid.partition("::")[0], set())

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def pytest_sessionfinish() -> None:
    """Write ``{file of tests: [[file, first line of the function], …]}``."""
    told = {
        tests: sorted(
            (str(Path(code.co_filename).relative_to(ROOT)), code.co_firstlineno)
            for code in seen
            if code.co_filename.startswith(_SOURCES)
        )
        for tests, seen in _reached.items()
    }
    REACHED.mkdir(parents=True, exist_ok=True)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "all")
    (REACHED / f"{worker}.json").write_text(json.dumps(told))

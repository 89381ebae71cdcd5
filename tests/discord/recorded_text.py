"""Recordings of what Discord receives, to compare with what it would receive now.

Where players are meant to read something else, record again, and read the difference:
``BIGBEN_RECORD=1 .venv/bin/pytest tests/discord -k recorded``.
"""

import json
import os
import re
from typing import Any, Final

from tests.support.paths import ROOT

FOLDER: Final = ROOT / "tests/discord/recorded"
_CHANGING: Final = (
    (re.compile(r"<t:\d+"), "<t:0"),
    (re.compile(r"\b\d{17,}\b"), "ID"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "DATE"),
    (re.compile(r"\b\d{1,2}\.? [A-Z][a-zä]+ 20\d\d\b"), "DAY"),
    (re.compile(r"(?<=bb:go:)(\w+):\w+"), r"\1:LEFT"),
    (re.compile(r"\b(?=\w*\d)[0-9a-f]{16,}\b"), "HEX"),
    (re.compile(r"#link=[\w.-]+|--link [\w.-]+"), "LINK"),
    (re.compile(r"ws://127\.0\.0\.1:\d+"), "SERVER"),
    # Not the first digits of a code: "bb:deal:10:23ABCD".
    (re.compile(r"\b\d+:\d\d(?:\.\d)?(?![\w:])"), "0:00"),
    (re.compile(r"\b[A-Z0-9]{6}(?:-[A-Z0-9]{6})?\b"), "CODE"),
)
"""What differs from run to run: times, days, ids, seeds, codes of races."""


def settled(told: str) -> str:
    """Without what differs from run to run."""
    for pattern, always in _CHANGING:
        told = pattern.sub(always, told)
    return told


def recorded(name: str, now: dict[str, Any]) -> dict[str, Any]:
    """What was recorded under this name; with ``BIGBEN_RECORD`` set, ``now`` is recorded first."""
    # Any: JSON
    file = FOLDER / f"{name}.json"
    if os.environ.get("BIGBEN_RECORD"):
        told = json.dumps(now, ensure_ascii=False, indent=1, sort_keys=True)
        file.write_text(f"{told}\n", encoding="utf-8")
    was: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return was

"""docs/architecture.md leads a reader with a change in mind to files and folders that are there."""

import re

import pytest
from tests.support.paths import ROOT

PARTS = (
    "rules",
    "protocol",
    "client",
    "house",
    "server",
    "bots",
    "terminal",
    "web",
    "docs",
    "tests",
    "tools",
)
TEXT = (ROOT / "docs/architecture.md").read_text()
CHANGES = TEXT[TEXT.index("## Where to change what") :]
NAMED = re.compile(r"`([\w./…-]+(?:\.(?:py|js|toml|md)|/[\w-]+/?))`|\]\(([\w./-]+\.md)\)")
"""A path in backticks, also without its first folders, or a link."""


def named(text: str) -> list[str]:
    return sorted({path or link for path, link in NAMED.findall(text)})


def test_what_is_named_is_there() -> None:
    found = [path for part in PARTS for path in (ROOT / part).rglob("*")]
    there = "\n".join(f"/{path.relative_to(ROOT).as_posix()}" for path in found)

    def is_there(path: str) -> bool:
        name = re.escape(path.rstrip("/")).replace("…", r"\w+")
        return re.search(f"/{name}$", there, re.MULTILINE) is not None

    assert [path for path in named(TEXT) if not is_there(path)] == []


ASKED_FOR = ("period", "variant", "store", "game", "message about a race", "front end")


@pytest.mark.parametrize("change", ASKED_FOR)
def test_the_changes_that_are_asked_for_most_have_a_row(change: str) -> None:
    (row,) = (row for row in CHANGES.splitlines() if re.match(rf"\| [^|]*\b{change} \|", row))
    assert named(row)

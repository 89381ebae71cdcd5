"""The guides: docs/admin.md has every command of ``bigben admin``, and all links lead somewhere."""

import re
from pathlib import Path

import pytest
from tests.support.paths import ROOT

from bigben_server.ops.admin import COMMANDS

PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]
LINK = re.compile(r"\]\((?!https?:)([\w./-]*)(?:#([\w-]+))?\)")


def headings(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    lines = re.findall(r"^#+ (.+)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in lines}


def test_the_list_of_commands_is_complete() -> None:
    page = (ROOT / "docs/admin.md").read_text()
    assert [one.name for one in COMMANDS if f"`{one.name}" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for path, anchor in LINK.findall(page.read_text()):
        target = page.parent / path if path else page
        assert target.exists(), path
        assert not anchor or anchor in headings(target), f"{path}#{anchor}"

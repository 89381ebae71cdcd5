"""The guides: every command of ``bigben admin``, links that lead somewhere, what is installed."""

import re
from pathlib import Path

import pytest
from tests.support.paths import ROOT

from bigben_server.ops.admin import COMMANDS

PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]
PAGES += [*(ROOT / "research").glob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
INSTALLS = re.compile(r"pip install ((?:-\S+ (?:\S+\.txt )?)*)([^\n`#]+)")
SAID = [
    *PAGES,
    ROOT / "Dockerfile",
    *(ROOT / "docs").rglob("*.service"),
    *(ROOT / "terminal").rglob("*.py"),
    *(ROOT / "bots").rglob("*.py"),
    *(ROOT / "server/bigben_server").rglob("*.py"),
]
LINK = re.compile(r"\]\((?!https?:)([\w./-]*)(?:#([\w-]+))?\)")


def headings(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    lines = re.findall(r"^#+ (.+)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in lines}


def test_the_list_of_commands_is_complete() -> None:
    page = (ROOT / "docs/admin.md").read_text()
    assert [one.name for one in COMMANDS if f"`{one.name}" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for path, anchor in LINK.findall(page.read_text()):
        target = page.parent / path if path else page
        assert target.exists(), path
        assert not anchor or anchor in headings(target), f"{path}#{anchor}"


def test_big_ben_is_installed_from_a_checkout_or_a_wheel() -> None:
    """No registry has it, so its name there could be anybody's."""
    found = []
    for file in SAID:
        text = file.read_text()
        # A line of code that ends here goes on with the name of another package.
        installs = [wanted.strip() for _, wanted in INSTALLS.findall(text)]
        found += [(file.name, wanted) for wanted in installs if wanted not in ("", '"', "\\")]
    assert {"operators.md", "discord.md", "Dockerfile", "cli.py"} <= {name for name, _ in found}
    for name, wanted in found:
        ours = re.match(r"""["']?(\.( |$|\[)|\S+\.whl|requirements(-build)?\.txt)""", wanted)
        assert ours, f"{name}: {wanted}"

"""docs/protocol.md as data: its frames and its tables."""

import re
from typing import NamedTuple

from tools.describe_protocol import ROOT

TEXT = (ROOT / "docs" / "protocol.md").read_text()


class Frame(NamedTuple):
    """One frame on the page."""

    from_client: bool
    text: str


def section(title: str) -> str:
    """The text under this heading."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert found, f"the page has no heading {title!r}"
    return found[1]


def blocks(kind: str, text: str = TEXT) -> list[str]:
    """The fenced blocks of this kind."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [block for name, block in fences if name == kind]


def frames(kind: str = "", text: str = TEXT) -> list[Frame]:
    """The frames in the blocks of this kind; indented lines continue a frame."""
    return [
        Frame(frame.startswith(">"), frame[2:])
        for block in blocks(kind, text)
        for frame in re.split(r"^(?=[<>] )", block, flags=re.MULTILINE)[1:]
    ]


def rows(title: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    table = [line for line in section(title).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]

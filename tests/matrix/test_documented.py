"""What docs/matrix.md says of seasons, reactions and settings, against the bot."""

import re
from typing import Final

from tests.support.paths import ROOT

from bigben_chat.messages.signs import is_sign
from bigben_chat.typed.commands import COMMANDS
from bigben_matrix.config import from_environment

GUIDE: Final = (ROOT / "docs" / "matrix.md").read_text()


def rows(heading: str) -> list[tuple[str, str]]:
    """The table with this heading: its first column, and the rest."""
    table = GUIDE.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    return [(first, rest) for first, rest in re.findall(r"^\| (.+?) \| (.+) \|$", table, re.M)]


def test_the_table_has_all_that_can_be_changed_of_a_season() -> None:
    (told,) = (rest for first, rest in rows("command") if first == "`season`")
    changes = {one.name.partition(" ")[2] for one in COMMANDS if one.name.startswith("season ")}
    assert set(re.findall(r"`([\w-]+)`", told)) == changes - {"table"}


def test_every_reaction_of_the_table_is_one_of_the_bots() -> None:
    told = [one for first, _ in rows("reaction")[:-1] for one in first.split()]
    assert len(told) > 10
    assert [one for one in told if not is_sign(one)] == []


def test_the_file_of_settings_has_all_that_the_bot_wants() -> None:
    found = re.search(r"cat > bigben\.env <<END\n(.+?)\n +END", GUIDE, re.DOTALL)
    assert found
    lines = [line.strip().partition("=") for line in found[1].splitlines()]
    given = {name: value for name, _, value in lines}
    given |= {"BIGBEN_ISSUER_MATRIX_KEY": "k" * 64, "BIGBEN_MATRIX_TOKEN": "syt_a"}
    assert not from_environment(given).browsers
    assert from_environment({**given, "BIGBEN_PAGE": "https://bigben.example"}).browsers


def test_no_key_stands_on_a_command_line() -> None:
    assert not re.search(r"(KEY|TOKEN)=\S+ +\S*bigben", GUIDE)
    assert not re.search(r"Bearer [^$]", GUIDE)

"""The help fits the terminal."""

from typing import get_args

import pytest

from bigben_terminal.display.help_text import help_lines
from bigben_terminal.typed_commands import Command


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_too_long_and_explanations_are_in_a_column(width: int) -> None:
    lines = help_lines(width)
    assert max(map(len, lines)) <= min(width, 80)
    entries = [line for line in lines if line.startswith("  ")]
    assert all(line[13:15] == "  " and line[15] != " " for line in entries)


def test_it_names_every_command() -> None:
    text = " ".join(help_lines(80))
    assert [command for command in get_args(Command) if command not in text] == []

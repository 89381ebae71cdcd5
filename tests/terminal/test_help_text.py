"""The help names what can be typed in a game, and fits the terminal."""

from typing import get_args

import pytest
from tests.terminal.support import BIG_BEN, INFO

from bigben_protocol import GameInfo
from bigben_protocol.texts import text
from bigben_terminal.display.help_text import help_lines
from bigben_terminal.typed_commands import Command

EVERY_GAME = pytest.mark.parametrize("game", INFO.values(), ids=INFO)


@EVERY_GAME
@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_too_long_and_explanations_are_in_a_column(game: GameInfo, width: int) -> None:
    lines = help_lines(game, width)
    assert max(map(len, lines)) <= min(width, 80)
    entries = [line for line in lines if line.startswith("  ")]
    assert all(line[13:15] == "  " and line[15] != " " for line in entries)


def test_it_names_every_command() -> None:
    text = " ".join(help_lines(BIG_BEN, 80))
    assert [command for command in get_args(Command) if command not in text] == []


@EVERY_GAME
def test_it_names_every_move_of_the_game(game: GameInfo) -> None:
    lines = help_lines(game, 80)
    for move in (*(typed.example for typed in game.moves), "undo", "resign"):
        assert any(line.startswith(f"  {move:<13}") for line in lines), move


@EVERY_GAME
def test_it_says_what_the_game_is_about(game: GameInfo) -> None:
    said = " ".join(help_lines(game, 80))
    assert said.startswith(f"{text(f'game.{game.name}')}: {text(f'game.{game.name}.goal')}")
    assert ("There is nothing to decide in" in said) is not game.decides

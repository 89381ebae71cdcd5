"""`bigben play --game` as a real process at a pseudo-terminal: every game, from start to end."""

import re
from itertools import count
from pathlib import Path

import pytest
from tests.support.torture import each_kind
from tests.terminal.support import INFO
from tests.terminal.typist import Typist

from bigben_protocol.texts import text

EVERY_GAME = pytest.mark.parametrize("game", each_kind(INFO.keys()))
END = re.compile(r"No moves are left|Well played")
HINTS = re.compile(r"\n((?:home|build|only) [^›]*?)\n(?:you [^\n]*\n)?› ")


def suggested(shown: str) -> str:
    """The first move home that the line below the board suggests, or a turn, or a build."""
    hints = " ".join(HINTS.findall(shown)[-1].split())
    for group in ("home", "(?:or|only)", "build"):
        if found := re.search(rf"\b{group} ([a-z0-9 ]+)", hints):
            return found[1].strip()
    raise AssertionError(f"no move in {hints!r}")


@EVERY_GAME
def test_a_whole_game_is_played_at_a_terminal(server: str, home: Path, game: str) -> None:
    options = ("--practice", "--game", game, "--seed", "07" * 32, "--server", server)
    with Typist("play", *options, home=home, terminal=True) as ada:
        ada.sees(f"{text(f'game.{game}')}, standard rules")
        moves = list[str]()
        for n in count():
            ada.sees(f"move {n} · ")
            shown = ada.sees_like(f"{HINTS.pattern}|{END.pattern}")
            if END.search(shown):
                break
            moves.append(suggested(shown))
            if re.fullmatch(r"\d+ \d+", moves[-1]) and moves.count(moves[-1]) > 2:
                break  # cards that go back and forth
            ada.type(moves[-1])
        ada.type("help")
        ada.sees(text(f"game.{game}.goal").split()[0])
        ada.type("resign")
        ada.sees("over")
        ada.type("q")
        code, shown = ada.ends()
    assert code == 0
    assert "Traceback" not in ada.shown
    # A line that follows a prompt has replaced it.
    lines = [line.removeprefix("› ") for line in ada.plain.split("\n")]
    assert [line for line in lines if len(line) > 80] == []


@EVERY_GAME
def test_words_are_enough_to_play(server: str, home: Path, game: str) -> None:
    options = ("--practice", "--plain", "--game", game, "--seed", "07" * 32, "--server", server)
    with Typist("play", *options, home=home) as ada:
        move = re.search(r"type: ([^,.]+)", ada.sees_like(r"You can type: [^.]+\."))
        assert move
        ada.type(move[1])
        ada.sees_like(r"\d+ home")
        ada.type("moves")
        ada.sees("You can type: ")
        ada.end_of_input()
        assert ada.ends()[0] == 0


@EVERY_GAME
def test_a_narrow_terminal_gets_no_broken_lines(server: str, home: Path, game: str) -> None:
    options = ("--practice", "--game", game, "--server", server)
    with Typist("play", *options, home=home, terminal=True, columns=40) as ada:
        ada.sees("move 0 · ")
        ada.sees_like(HINTS.pattern)
        ada.type("quit")
        assert ada.ends()[0] == 0
    shown = [line for line in ada.plain.split("\n") if not line.startswith(("› ", "bigben"))]
    assert max(map(len, shown)) <= 40


def test_todays_race_of_a_game_and_its_leaderboard(server: str, home: Path) -> None:
    with Typist(
        "play", "--game", "hideandseek", "--server", server, "--name", "Ada", home=home
    ) as ada:
        ada.sees("Hide-and-Seek, standard rules.")
        ada.keys("ready\nturn\nresign\nleaderboard\nq\n")
        code, shown = ada.ends()
    assert code == 0, shown
    board = ("leaderboard", "--game", "hideandseek", "--server", server)
    with Typist(*board, "--plain", home=home) as reader:
        code, shown = reader.ends()
    assert code == 0
    assert "Hide-and-Seek, standard rules: 1 in all" in shown
    assert "1. Ada: 0 of 52 home, gave up" in shown
    with Typist(*board, "--rules", "book", home=home) as reader:
        code, shown = reader.ends()
    assert code == 2
    assert "No rules are called 'book'; there is standard." in shown

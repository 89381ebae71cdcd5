"""`bigben demo` as a real process: it runs its own server and a race, and leaves nothing behind."""

import io
import os
import re
import signal
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text
from tests.terminal.typist import Typist

from bigben_protocol import PlayerId, Standing
from bigben_solver.players import PLAYERS
from bigben_terminal.display.race_bars import RaceBars

NAMES = {player.name for player in PLAYERS["bigben"] if player.key != "master"}


def rows(shown: str) -> list[tuple[int, str, int]]:
    """Place, name and cards home of a table's rows."""
    found = re.findall(r"^ *(\d+)  +(\w+) +(\d+)  ", shown, re.MULTILINE)
    return [(int(place), name, int(home)) for place, name, home in found]


def test_the_house_races_and_the_leaderboard_agrees_with_the_standings(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with Typist("demo", "--pace", "0", home=home) as demo:
        code, shown = demo.ends()
    assert code == 0, shown
    race, standings, board = re.split("How it ended:|The leaderboard,", shown)
    assert {name for _, name, _ in rows(standings)} == NAMES
    assert rows(standings) == rows(board)
    assert [place for place, _, _ in rows(standings)] == sorted(p for p, _, _ in rows(standings))
    assert all(f"\n{name}: " in race for name in NAMES)
    assert not list(tmp_path.glob("bigben-*")), "its data are gone"
    heading = re.search(
        r"players race: Daily race of \d+ \w+ \d{4} · Big Ben, standard rules", race
    )
    assert heading, race
    assert re.search(r"in a browser too:\nhttp://127\.0\.0\.1:\d+/#watch=daily\.", race)
    assert re.search(r"The board of Tock, move \d+\n", race)
    assert "stock " in race, "and its cards"


@pytest.mark.parametrize("game", ["watch", "grandfathersclock"])
def test_the_house_plays_another_game(server: str, home: Path, game: str) -> None:
    options = ("--pace", "0", "--game", game, "--server", server)
    with Typist("demo", *options, home=home) as demo:
        code, shown = demo.ends()
    assert code == 0, shown
    names = {player.name for player in PLAYERS[game] if player.key != "master"}
    assert f"{len(names)} players race: Daily race of " in shown
    _, standings, board = re.split("How it ended:|The leaderboard,", shown)
    assert {name for _, name, _ in rows(standings)} >= names
    assert rows(standings) == rows(board)


def test_a_demo_of_an_unknown_game_is_refused(server: str, home: Path) -> None:
    with Typist("demo", "--game", "daybreak", "--server", server, home=home) as demo:
        code, shown = demo.ends()
    assert code == 2
    assert "'daybreak'" in shown
    assert "Traceback" not in shown


def test_at_a_terminal_there_is_a_bar_for_each_player(home: Path) -> None:
    with Typist("demo", "--pace", "0", home=home, terminal=True) as demo:
        code, shown = demo.ends()
    assert code == 0
    assert all(re.search(rf"{name} +━+", shown) for name in NAMES)
    assert re.search(r"The board of Tock, move \d+", shown)
    assert "The server is stopped." in shown


@pytest.mark.parametrize(("width", "beside"), [(150, True), (80, False)])
def test_on_a_wide_terminal_the_board_is_beside_the_bars(width: int, *, beside: bool) -> None:
    out = io.StringIO()
    console = Console(file=out, width=width, height=40, force_terminal=True, color_system=None)
    with RaceBars(console, 104, lambda: Text("The board")) as bars:
        bars.show([Standing(PlayerId("guest:ada"), "Ada", "playing", home=13)])
    last = [line for line in out.getvalue().splitlines() if "Ada" in line][-1]
    assert ("The board" in last) is beside


def test_the_demo_can_use_a_running_server(server: str, home: Path) -> None:
    with Typist("demo", "--pace", "0", "--server", server, home=home) as demo:
        code, shown = demo.ends()
    assert code == 0
    assert {name for _, name, _ in rows(shown)} >= NAMES
    assert "Starting a server." not in shown
    assert "The board of" not in shown, "whoever looks may want to race there"
    assert "The server is stopped." not in shown


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)]
)
def test_a_demo_that_is_stopped_stops_its_server(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
    code: int,
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with Typist("demo", "--pace", "60", home=home) as demo:
        demo.sees(f"{len(NAMES)} players race: Daily race of ")
        os.kill(demo.pid, number)
        ended, shown = demo.ends()
    assert ended == code
    assert "Traceback" not in shown
    assert not list(tmp_path.glob("bigben-*"))


def test_a_server_that_does_not_start_is_quoted(home: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "full"
    nowhere.mkdir()
    (nowhere / "bigben_server.py").write_text("raise SystemExit('there is no room')\n")
    with Typist("demo", home=home, path=nowhere) as demo:
        code, shown = demo.ends()
    assert code == 2
    assert "bigben demo: the server did not start; it said:\n  there is no room" in shown


def test_a_pace_is_a_number(home: Path) -> None:
    with Typist("demo", "--pace", "quick", home=home) as demo:
        code, shown = demo.ends()
    assert code == 2
    assert "a pace is a number of seconds from 0 to 60" in shown


def test_a_missing_server_gets_a_sentence(home: Path) -> None:
    with Typist("demo", "--server", "ws://127.0.0.1:1", home=home) as demo:
        code, shown = demo.ends()
    assert code == 2
    assert "bigben demo: " in shown
    assert "Traceback" not in shown

"""A host types who of the house plays too."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.server_process import UNHURRIED, serving
from tests.terminal.typist import Typist

SETTINGS = {**UNHURRIED, "BIGBEN_HOUSE": "1", "BIGBEN_HOUSE_PACE": "0"}


@pytest.fixture(scope="module")
def housed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a house."""
    with serving(tmp_path_factory.mktemp("housed"), SETTINGS) as one:
        yield one.url


def test_a_host_adds_house_players_and_races_them(housed: str, tmp_path: Path) -> None:
    with Typist("play", "--create", "--server", housed, "--name", "Ada", home=tmp_path) as ada:
        ada.sees("Type ready when you are")
        ada.type("house")
        ada.sees("master: Ben, the strongest")
        ada.type("house genius")
        ada.sees("The house players are beginner, casual")
        for strength, name in (("beginner", "Pip"), ("casual", "Tick")):
            ada.type(f"house {strength}")
            ada.sees(f"{name} (house)")
        ada.type("house casual")
        ada.sees("Tick (house) has left")
        ada.type("ready")
        ada.sees("move 0 ")
        ada.type("resign")
        ada.sees("Pip (house) [bot]")


def test_where_there_is_no_house_no_room_is_opened_and_the_terminal_says_what_to_do(
    server: str, home: Path
) -> None:
    options = ("--create", "--house", "steady", "--server", server)
    with Typist("play", *options, home=home) as ada:
        code, shown = ada.ends()
    assert code == 2
    assert "this server has no house players: leave out --house" in shown
    assert "Live race" not in shown


def test_a_house_player_with_a_deadline_is_refused_before_a_room_is_opened(home: Path) -> None:
    nowhere = ("--server", "ws://127.0.0.1:9")
    with Typist("play", "--create", "--until", "3d", "--house", "steady", *nowhere, home=home) as a:
        code, shown = a.ends()
    assert code == 2
    assert "leave out --house or --until" in shown

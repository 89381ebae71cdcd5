"""Whose seat it is: players by their names and tokens, as real processes against a real server."""

import stat
from pathlib import Path

from tests.terminal.typist import Typist


def test_the_token_is_for_its_owner_only(server: str, home: Path) -> None:
    with Typist("play", "--server", server, "--name", "Ada", home=home) as ada:
        ada.type("q")
        assert ada.ends()[0] == 0
    folder = home / "bigben" / "tokens"
    assert {stat.S_IMODE(token.stat().st_mode) for token in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_token_of_another_server_is_deleted(server: str, home: Path) -> None:
    with Typist("play", "--server", server, "--name", "Ada", home=home) as ada:
        ada.type("q")
        assert ada.ends()[0] == 0
    kept = list((home / "bigben" / "tokens").iterdir())
    for token in kept:
        token.write_text("no.token.at-all")
    with Typist("play", "--server", server, "--name", "Ada", home=home) as ada:
        ada.type("q")
        assert ada.ends()[0] == 0
    assert all(token.read_text() != "no.token.at-all" for token in kept)


def test_two_names_on_one_machine_are_two_players(server: str, home: Path) -> None:
    with Typist("play", "--create", "--server", server, "--name", "Ada", home=home) as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        with Typist("play", room, "--server", server, "--name", "Bob", home=home) as bob:
            bob.sees("You play as Bob, a new player")
            bob.sees("Here, not ready yet: Ada")
            ada.sees("Bob has joined.")
            bob.type("quit")
            back = bob.ends()[1].split("come back with: ")[1].split()
    assert back == ["bigben", "play", room, "--server", server, "--name", "Bob"]
    with Typist(*back[1:], home=home) as bob:
        assert "a new player on this machine" not in bob.sees("Here, not ready yet: Ada")
    with Typist("play", room, "--server", server, "--name", "  ada", home=home) as ada:
        assert "a new player on this machine" not in ada.sees("Here, not ready yet: Bob")


def test_a_renamed_player_keeps_the_seat(server: str, home: Path) -> None:
    with Typist("play", "--create", "--server", server, "--name", "Ada", home=home) as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
    with Typist("play", room, "--server", server, "--rename", "Ada Lovelace", home=home) as ada:
        assert "a new player on this machine" not in ada.sees("start begins with the ready players")
        ada.type("quit")
        assert ada.ends()[1].rstrip().endswith("--name 'Ada Lovelace'")
    with Typist("play", room, "--server", server, "--name", "Ada Lovelace", home=home) as ada:
        ada.sees("start begins with the ready players")

"""Rooms that cannot go wrong: deadlines, ghosts, what to do about a room that can't be joined."""

import re
from pathlib import Path

import pytest
from tests.terminal.command import bigben_here
from tests.terminal.typist import Typist


def bring_one_home(player: Typist) -> None:
    """Deal until a card fits a foundation, and play it."""
    while not (found := re.search(r"home (\d+ f\d+|w f\d+)", player.sees_like(r"(or|only) \w+"))):
        player.type("deal")
    player.type(found[1])
    player.sees("move ")


def test_each_player_starts_before_the_deadline_and_races_the_ghosts(
    server: str, tmp_path: Path
) -> None:
    until = ("--create", "--until", "3h", "--server", server)
    with Typist("play", *until, "--name", "Ada", home=tmp_path / "a") as ada:
        told = ada.sees("Type ready to see the cards; your clock starts then.")
        assert ", open until " in told
        room = told.split("bigben play ")[1].split()[0]
        ada.type("ready")
        bring_one_home(ada)
        ada.type("resign")
        ada.sees("Your place so far: 1 of 1.")
        with Typist(
            "play", room, "--server", server, "--name", "Bob", home=tmp_path / "b", terminal=True
        ) as bob:
            bob.sees("Type ready")
            bob.type("ready")
            bob.sees("stock 56")
            bob.sees_like(r"you 12 · Ada 1[23] \(ghost\)")
            bob.type("resign")
            bob.sees("Your place so far: ")
            bob.type("share")
            bob.sees(f"Big Ben {room} · 12/104")


def test_a_room_that_can_not_be_joined_says_what_to_do(server: str, tmp_path: Path) -> None:
    with Typist("play", "ABC234", "--server", server, home=tmp_path / "x") as stranger:
        code, told = stranger.ends()
    assert code == 2
    assert "There is no race ABC234; check its name." in told
    assert "Ask for the code again, or open a room of your own: bigben play --create" in told
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path / "a") as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        ada.keys("start\nyes\n")
        ada.sees("move 0 ")
        late = ("play", room, "--server", server, "--name", "Bob")
        with Typist(*late, home=tmp_path / "b") as bob:
            code, told = bob.ends()
        assert code == 2
        assert f"You can watch it: bigben watch {room} --server" in told
        with Typist(*late, home=tmp_path / "b", terminal=True) as bob:
            bob.sees("Type yes to watch it.")
            bob.type("yes")
            bob.sees("You are watching.")
            ada.type("resign")
            bob.sees("Ada: 12 of 104 home, gave up")
            bob.sees("The last board:")
        with Typist(*late, home=tmp_path / "b") as bob:
            bob.sees("The race is over.")
            bob.sees(f"Open a new room with: bigben play --create --server {server}")


def test_a_room_without_spectators_says_so(server: str, tmp_path: Path) -> None:
    arguments = ("--create", "--no-spectate", "--grace", "30s", "--server", server)
    with Typist("play", *arguments, "--name", "Ada", home=tmp_path / "a") as ada:
        told = ada.sees("Type ready when you are")
        assert "nobody may watch" in told
        assert "has 30 seconds to come back" in told
        room = told.split("bigben play ")[1].split()[0]
        with Typist("watch", room, "--server", server, home=tmp_path / "w") as watcher:
            code, told = watcher.ends()
    assert code == 2
    assert told.startswith("bigben watch: ")
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--until", "tonight"], "--until go with --create"),
        (["--create", "--until", "soon"], "a deadline is written like tonight, tomorrow"),
        (["--create", "--until", "8d"], "seven days"),
        (["--archive", "yesterday"], "There is no day 'yesterday'; write it like 2026-11-21."),
        (["--create", "--grace", "2"], "a time is written like 90s"),
    ],
)
def test_wrong_options_end_with_a_sentence(
    server: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    done = bigben_here("play", "--server", server, *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_a_closed_race_is_shown_again_side_by_side(server: str, tmp_path: Path) -> None:
    with Typist(
        "play", "--create", "--server", server, "--name", "Ada", home=tmp_path / "a"
    ) as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        again = ("watch", room, "--replay", "1000", "--server", server)
        with Typist(*again, home=tmp_path / "w") as watcher:
            assert "the race is not over yet" in watcher.ends()[1]
        with Typist("play", room, "--server", server, "--name", "Bob", home=tmp_path / "b") as bob:
            ada.sees("Bob has joined.")
            bob.type("ready")
            ada.type("ready")
            bring_one_home(ada)
            bob.sees("move 0 ")
            ada.type("resign")
            bob.type("resign")
            bob.sees("The race is over:")
    with Typist(*again, home=tmp_path / "w", terminal=True, columns=170) as watcher:
        code, told = watcher.ends()
    assert code == 0
    assert re.search(r"Ada +Bob *\n", told), "two boards fit"
    assert re.search(r"Ada +█+░+ 13\n", told)
    assert re.search(r"Bob +█+░+ 12\n", told)
    with Typist(*again, "--plain", home=tmp_path / "w") as watcher:
        assert re.fullmatch(r"Ada: 13 of 104 home, .*\.\n", watcher.ends()[1])


def test_a_player_continues_where_they_have_a_seat(server: str, tmp_path: Path) -> None:
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path / "a") as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        with Typist("play", room, "--server", server, "--name", "Bob", home=tmp_path / "b") as bob:
            ada.sees("Bob has joined.")
            bob.type("quit")
            bob.ends()
        with Typist("play", "--server", server, home=tmp_path / "b", terminal=True) as bob:
            offer = f"1  Continue {room}: Big Ben, standard rules, with Ada, waiting for its start"
            bob.sees(offer)
            bob.sees("Type a number to continue there, or Enter for today’s race.")
            bob.type("1")
            bob.sees(f"Live race {room}")
            bob.type("quit")
            bob.ends()
        with Typist("play", "--server", server, home=tmp_path / "b") as bob:
            bob.sees(f"Continue with: bigben play {room} --server {server}")
            bob.sees("Daily race of ")


def test_a_rival_who_leaves_is_shown_as_away(server: str, tmp_path: Path) -> None:
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path / "a", terminal=True) as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        join = ("play", room, "--server", server, "--name", "Bob")
        with Typist(*join, home=tmp_path / "b") as bob:
            ada.sees("Bob has joined.")
            bob.type("ready")
            ada.sees("Bob is ready.")
            ada.type("ready")
            ada.sees("move 0 ")
            bob.sees("move 0 ")
            bob.type("quit")
            bob.ends()
        ada.sees("Bob is away.")
        ada.sees("you 12 · Bob 12 (away)")
        with Typist(*join, home=tmp_path / "b") as bob:
            ada.sees("Bob is back.")
            bob.type("quit")
            bob.ends()
        ada.sees("Bob is away.")
        ada.type("resign")
        waited, said = "Bob is away; their game ends at ", "you need not wait for the others"
        ada.sees_like(rf"(?s){waited}.*{said}|{said}.*{waited}")
        ada.type("rematch")
        ada.sees("Live race ")

"""`bigben play` as real processes against a real server, by pipes and at a pseudo-terminal."""

import os
import re
import signal
from pathlib import Path

import pytest
from benchmarks.servers import reserved_port
from tests.support.server_process import serving
from tests.terminal.command import bigben_here
from tests.terminal.typist import Typist


def test_a_script_plays_the_daily_and_the_seat_is_kept(server: str, home: Path) -> None:
    with Typist("play", "--server", server, "--name", "Ada", home=home) as ada:
        ada.sees("Type ready to see the cards")
        ada.type("ready")
        ada.sees("move 0 · 12 of 104 home")
        ada.sees("stock 56")
        ada.type("deal")
        ada.sees("move 1 · 12 of 104 home")
        ada.sees("stock 55")
        ada.type("moves")
        ada.sees_like(r"You can type: .*turn\.")
        ada.end_of_input()
        code, rest = ada.ends()
        assert code == 0
        assert "Your seat is kept; come back with: bigben play daily." in rest
    with Typist("play", "--server", server, "--plain", home=home) as ada:
        ada.sees("12 of 104 cards are home after 1 move.")
        ada.sees("Stock: 55 cards.")
        ada.type("quit")
        assert ada.ends()[0] == 0


def test_a_whole_script_can_arrive_at_once(server: str, home: Path) -> None:
    with Typist("play", "--practice", "--server", server, home=home) as ada:
        ada.keys("turn\nturn\nstandings\nboard\nresign\nstandings\n")
        shown = ada.sees("The deal’s seed: ")
        ada.type("quit")
        code, rest = ada.ends()
    assert code == 0
    shown += rest
    assert [int(n) for n in re.findall(r"stock (\d+)", shown)] == [56, 55, 54, 54]
    assert "Your game is over: 12 of 104 cards are home, gave up." in shown
    assert "Your seat is kept" not in shown


def test_each_mistake_gets_a_sentence(server: str, home: Path) -> None:
    with Typist("play", "--practice", "--seed", "00" * 32, "--server", server, home=home) as ada:
        ada.sees_like(r"or\s+turn")
        for typed, sentence in [
            ("refill", "No fan has a gap; turn a card instead."),
            ("3 3", "Fan 3 can’t be built on itself."),
            ("w fdn", "The waste is empty."),
            ("13 5", "is not a move: write 3 fdn"),
            ("dance", "'dance' is neither a move nor a command"),
            ("res", "Type resign in full to give up."),
            ("undo", "Nothing to undo since the last card was dealt."),
            ("start", "."),
        ]:
            ada.type(typed)
            ada.sees(sentence)
        ada.type("help")
        ada.sees("  3 fdn        The top card of a pile to its foundation")
        ada.type("q")
        code, rest = ada.ends()
    assert code == 0
    assert "Traceback" not in ada.shown + rest


def test_friends_race_in_a_room_and_see_each_others_progress(server: str, tmp_path: Path) -> None:
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path / "a") as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        with Typist("play", room, "--server", server, "--name", "Bob", home=tmp_path / "b") as bob:
            bob.sees("Here, not ready yet: Ada.")
            ada.sees("Bob has joined.")
            bob.type("turn")
            bob.sees("The cards are not dealt yet.")
            bob.type("ready")
            bob.sees("You are ready; the race starts when everybody is. Still missing: Ada.")
            ada.sees("Bob is ready.")
            ada.type("ready")
            ada.sees("move 0 ")
            bob.sees("move 0 ")
            ada.type("turn")
            ada.sees("stock 55")
            bob.type("resign")
            bob.sees("Your game is over: 12 of 104 cards are home, gave up.")
            bob.sees("Your place so far: 1 of 2. Not finished yet: Ada.")
            ada.sees("Bob: 12 of 104 home, gave up")
            ada.type("resign")
            for player in (ada, bob):
                player.sees("The race is over:")
                # Nobody has brought a card home: equal keys share a place.
                player.sees_like(r" 1 +(Ada|Bob) .*\n 1 +(Ada|Bob) .*\n")
            bob.type("rematch")
            bob.sees("Live race ")
            ada.sees("There is a rematch: type rematch")
            ada.type("rematch")
            ada.sees("Here, not ready yet: Bob.")
            bob.sees("Ada has joined.")


def test_a_watcher_sees_the_players_and_no_card_until_the_close(
    server: str, tmp_path: Path
) -> None:
    with Typist(
        "play", "--create", "--server", server, "--name", "Ada", home=tmp_path / "a"
    ) as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        with Typist("watch", room, "--server", server, home=tmp_path / "w") as watcher:
            watcher.sees("You are watching.")
            ada.type("start")
            ada.sees("You race alone: nobody else is ready. Start now? Type yes")
            ada.type("yes")
            ada.sees("move 0 ")
            ada.type("resign")
            watcher.sees("Ada: 12 of 104 home, gave up")
            before = watcher.sees("The race is over:")
            watcher.sees("1. Ada: 12 of 104 home, gave up, 1 move. The last board:")
            watcher.sees("stock 56")
            watcher.type("q")
            code, _ = watcher.ends()
    assert code == 0
    assert not re.search("[♣♦♥♠]", before)
    assert "Your seat is kept" not in watcher.shown


def test_a_host_is_asked_before_a_start_that_leaves_somebody_out(
    server: str, tmp_path: Path
) -> None:
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path / "a") as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        with Typist("play", room, "--server", server, "--name", "Bob", home=tmp_path / "b") as bob:
            ada.sees("Bob has joined.")
            ada.type("start")
            ada.sees("You race alone: nobody else is ready. Left out: Bob. Start now?")
            ada.type("no")
            ada.sees("The race waits.")
            bob.type("start")
            bob.sees("Only the host can start the race for everybody.")
            ada.type("start")
            ada.sees("Start now?")
            ada.type("yes")
            bob.sees("The race has started without you: you were not ready.")
            ada.sees("move 0 ")


def test_on_a_terminal_the_board_is_drawn_and_the_prompt_stays_intact(
    server: str, tmp_path: Path
) -> None:
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path / "a", terminal=True) as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        ada.keys("rea")
        ada.sees("› rea")
        with Typist("play", room, "--server", server, "--name", "Bob", home=tmp_path / "b") as bob:
            # The sentence about Bob appears above the half-typed line, which is then printed again.
            ada.sees("Bob has joined.\n")
            ada.sees("› rea")
            bob.type("ready")
            ada.sees("Bob is ready.")
            ada.type("dy")
            ada.sees("› ready\n")
            ada.sees("stock 56")
            ada.sees("you 12 · Bob 12")
            ada.keys("tirm\x7f\x7f\x7furn\r")
            ada.sees("› turn\n")
            ada.sees("stock 55")
            ada.sees("waste [")
            assert "\x1b[31m" in ada.shown or "\x1b[1;31m" in ada.shown, "hearts are red"
            ada.type("quit")
            code, rest = ada.ends()
    assert code == 0
    assert f"come back with: bigben play {room} --server {server} --name Ada" in rest


def test_a_narrow_terminal_gets_a_list_and_no_broken_words(server: str, home: Path) -> None:
    with Typist(
        "play", "--practice", "--server", server, home=home, terminal=True, columns=40
    ) as ada:
        ada.sees("stock 56 · waste ··")
        ada.type("help")
        ada.sees("q for quit.")
        ada.type("resign")
        ada.type("standings")
        assert "12 of 104 home, gave up" in " ".join(ada.sees_like(r"1\s+move\.").split()), (
            "words, no table"
        )
        ada.type("quit")
        code, _ = ada.ends()
    assert code == 0
    typed = ("\u203a ", "bigben play")
    shown = [line for line in ada.plain.split("\n") if not line.startswith(typed)]
    assert max(map(len, shown)) <= 40


@pytest.mark.parametrize("leave", ["\x03", "\x04", "SIGINT"])
def test_a_terminal_is_as_before_when_it_is_left(server: str, home: Path, leave: str) -> None:
    with Typist("play", "--server", server, home=home, terminal=True) as ada:
        ada.sees("Type ready")
        ada.sees("› ")
        if leave == "SIGINT":
            os.kill(ada.pid, signal.SIGINT)
        else:
            ada.keys(leave)
        code, rest = ada.ends()
    assert code == (0 if leave == "\x04" else 130)
    assert "Your seat is kept" in rest
    assert "Traceback" not in rest


def test_letters_and_no_colours_on_request(server: str, home: Path) -> None:
    with Typist("play", "--practice", "--ascii", "--server", server, home=home) as ada:
        ada.type("q")
        code, shown = ada.ends()
    assert code == 0
    assert "stock 56" in shown
    assert ada.shown.isascii()
    assert "\x1b" not in ada.shown


def test_a_player_who_is_no_longer_ready_is_told_so(server: str, home: Path) -> None:
    with Typist("play", "--create", "--server", server, "--name", "Ada", home=home) as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        with Typist("play", room, "--server", server, "--name", "Bob", home=home):
            ada.sees("Bob has joined.")
            ada.type("ready")
            ada.sees("You are ready")
            ada.type("unready")
            ada.sees("You are no longer ready.")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ABC123"], "race"),
        (["ABCDEF", "--create"], "a new game has no code yet; leave it out"),
        (["--seed", "00"], "only practice takes a seed"),
        (["--practice", "--seed", "00"], "64 hex digits"),
        (["--rules", "nosuch"], "'nosuch'"),
        (["--name", "\x1b[2J"], "A name has no control"),
        (["--name", "x" * 10_000], "A name has at most 32 letters"),
        (["--game", "Daybreak"], "No game is called 'daybreak'; the games are bigben, "),
        (
            ["--practice", "--game", "daybreak"],
            "No game is called 'daybreak'; the games are bigben, ",
        ),
        (["--game", "x" * 100], "argument --game: a name has at most 32 letters, digits, - and _"),
        (["--rules", "x" * 100], "argument --rules: a name has at most 32 letters"),
        (["--game", "a.b"], "argument --game: a name has at most 32 letters"),
        (
            ["--create", "--game", "watch", "--rules", "book"],
            "No rules are called 'book'; there is standard.",
        ),
        (["ABC234", "--game", "watch"], "a room has its game and rules already"),
    ],
)
def test_a_start_that_fails_ends_with_a_sentence(
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


def test_a_missing_server_gets_a_sentence_too(home: Path) -> None:
    with Typist("play", "--server", "ws://127.0.0.1:1", home=home) as ada:
        code, shown = ada.ends()
    assert code == 2
    assert shown.startswith("bigben play: ")
    assert "Traceback" not in shown


def test_the_leaderboard_shows_players_who_have_finished(server: str, home: Path) -> None:
    with Typist("play", "daily.open", "--server", server, "--name", "Ada", home=home) as ada:
        ada.keys("ready\nresign\nq\n")
        assert ada.ends()[0] == 0
    board = ("leaderboard", "--rules", "open", "--server", server)
    with Typist(*board, home=home) as reader:
        code, shown = reader.ends()
    assert code == 0
    assert re.search(r"1\s+Ada\s+12\s+gave up", shown)
    with Typist(*board, "--plain", home=home) as reader:
        assert "1. Ada: 12 of 104 home, gave up" in reader.ends()[1]
    with Typist(*board, "--date", "2020-02-30", home=home) as reader:
        code, shown = reader.ends()
    assert code == 2
    assert "2020-02-30" in shown


def test_a_player_continues_when_a_killed_server_is_back(tmp_path: Path, home: Path) -> None:
    with (
        reserved_port() as port,
        serving(tmp_path, port=port) as server,
        Typist("play", "--server", server.url, "--name", "Ada", home=home) as ada,
    ):
        ada.sees("Type ready")
        ada.type("ready")
        ada.sees("stock 56")
        server.end(signal.SIGKILL)
        ada.sees("The connection is lost; trying again.")
        # Typed while the server is down, and played once when it is back.
        ada.type("turn")
        with serving(tmp_path, port=port):
            ada.sees("Connected again.")
            ada.sees("stock 55")
            ada.type("turn")
            ada.sees("stock 54")
            ada.type("q")
            assert ada.ends()[0] == 0


def test_practice_has_the_best_move_and_a_race_has_not(server: str, home: Path) -> None:
    with Typist("play", "--practice", "--seed", "5e" * 32, "--server", server, home=home) as ada:
        ada.sees_like(r"or\s+turn")
        ada.type("hint")
        ada.sees_like(r"Best: (\d+ f?\d+|turn)\. ((Play|Build) \w+ of \w+|Turn a card)")
        ada.type("quit")
        assert ada.ends()[0] == 0
    with Typist("play", "--practice", "--game", "clock", "--server", server, home=home) as ada:
        ada.sees_like(r"\bturn\b")
        ada.type("hint")
        ada.sees("There is nothing to decide in this game, so it has no hints.")
        ada.type("quit")
        assert ada.ends()[0] == 0
    with Typist("play", "--server", server, "--name", "Ada", home=home) as ada:
        ada.sees("Type ready to see the cards")
        ada.type("ready")
        ada.sees("move 0 · 12 of 104 home")
        ada.type("hint")
        ada.type("quit")
        rest = ada.ends()[1]
        assert "Best: " not in ada.shown + rest

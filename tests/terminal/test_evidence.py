"""The terminal shows and keeps the evidence, and shows the verdict."""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from tests.fairness.lying import LIES, honest, lying
from tests.fairness.test_kept import MOVES, another_time
from tests.fairness.witnessed import daily, live
from tests.terminal.typist import Typist

from bigben_client import Finding, check
from bigben_protocol.sentence import sentence
from bigben_terminal.local_files import seen_races
from bigben_terminal.local_files.evidence import verdict

HONEST: Final = "honest"
SAID: Final = {
    "another server seed": "The revealed server seed does not match the commitment.",
    "nonces dropped": "The server does not say what became of every nonce.",
    "nonces changed": "A nonce was replaced: it does not fit its hash.",
    "nonces never mixed": "The server does not say what became of every nonce.",
    "hashes changed": "A nonce was replaced: its hash is not the one that was fixed.",
    "a seat more": "The seats are not those with which the countdown began.",
    "a friend's nonce": "A nonce was replaced: its hash is not the one that was fixed.",
    "a nonce dropped": "Your nonce",
    "a house nonce": "A house player has a nonce",
    "another own hash": "The countdown had another hash at your seat than yours",
    "a chosen deal": "The server chose deal 16 of the seed; this race asked for no choice.",
    "a graded deal": "The server chose deal 0 of the seed; this race asked for no choice.",
    "dealt again": "The cards were dealt again, under the number 7 instead of 0.",
    "another order": "The order of the cards is not the one that the seed gives.",
    "another move": "Your move 1 was 'turn'; the record says '3 f9'. (This also happens",
    "another time": "Your move 2 came at ",
    "another begin": "The start was at ",
    "another start": "The start was at ",
    "other rules": "The rules of the race are no longer those",
    "other cards": "The cards that you saw after move 0 are not those that were dealt.",
}
LOUD: Final = "THIS RACE IS NOT WHAT WAS PROMISED."


@pytest.fixture(scope="module")
def screens(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The screens of the racers of one live race, each of whom is told another lie."""
    with ExitStack() as stack:
        relays = {
            name: stack.enter_context(lying(server, lie)).url for name, (lie, _) in LIES.items()
        }
        relays[HONEST] = stack.enter_context(lying(server, lambda: honest)).url
        home = tmp_path_factory.mktemp("homes")
        create = ("play", "--create", "--server", relays[HONEST], "--name", "Host")
        host = stack.enter_context(Typist(*create, home=home / HONEST))
        racers = {HONEST: host}
        room = host.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        for i, name in enumerate(LIES):
            arguments = ("play", room, "--server", relays[name], "--name", f"R{i}")
            racers[name] = stack.enter_context(Typist(*arguments, home=home / str(i)))
        for name in LIES:
            racers[name].sees("Type ready")
        for racer in racers.values():
            racer.type("ready")
        for racer in racers.values():
            racer.sees("move 0 ")
            racer.keys("turn\nresign\n")
        for racer in racers.values():
            racer.sees("The race is over:")
            racer.sees_like(r"agree\.|operator of this server\.")
        yield {name: racer.shown for name, racer in racers.items()}


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_server_is_reported(screens: dict[str, str], lie: str) -> None:
    assert LOUD in screens[lie]
    assert SAID[lie] in screens[lie]
    assert "Do not trust its result." in screens[lie]


def test_an_honest_race_ends_with_one_plain_sentence(screens: dict[str, str]) -> None:
    assert LOUD not in screens[HONEST]
    assert (
        "The deal matches its commitment; your nonce, your 2 moves and their times agree."
    ) in screens[HONEST]


def test_the_commitment_is_shown_before_the_start_and_kept(server: str, tmp_path: Path) -> None:
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path) as ada:
        shown = ada.sees("(the server can’t change the shuffle any more; fairness says more).")
        short = shown.split("Sealed deal: ")[1].split("...")[0]
        ada.type("ready")
        nonce = ada.sees_like(r"mixed into the shuffle: \w+\.\.\.").split(": ")[-1].rstrip(".")
        ada.type("start")
        ada.sees("Type yes")
        ada.type("yes")
        ada.sees("move 0 ")
        ada.type("fairness")
        ada.sees(f"commitment to the shuffle (SHA-256): {short}")
        ada.sees(f"Your random number (nonce): {nonce}")
        ada.sees("This race is not over")
        ada.type("turn")
        ada.sees("stock 55")
        ada.type("quit")
        assert ada.ends()[0] == 0
    [file] = (tmp_path / "bigben" / "kept").glob("*/*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = json.loads(file.read_text())
    assert kept["commitment"].startswith(short)
    assert kept["nonce"].startswith(nonce)
    assert [move[1] for move in kept["moves"]] == ["turn"]
    with Typist("play", kept["race"], "--server", server, home=tmp_path) as ada:
        ada.sees("stock 55")
        ada.type("resign")
        ada.sees("your nonce, your 2 moves and their times agree.")
        ada.type("fairness")
        ada.sees("holds: The order of the cards is the one that the seed gives.")


def test_a_daily_mentions_no_nonce() -> None:
    race = daily(*MOVES)
    assert verdict(race.kept, check(*race)) == [
        "The deal matches its commitment; your 4 moves and their times agree."
    ]


def test_a_contradiction_is_shown_with_what_to_do() -> None:
    race = another_time(live(*MOVES))
    loud, finding, next_step = verdict(race.kept, check(*race))
    assert loud.startswith(LOUD)
    assert finding.startswith("- Your move 1 came at ")
    assert "bigben receipt K7QPXM" in next_step


def test_a_player_who_was_away_learns_what_was_not_kept() -> None:
    race = live(*MOVES)
    away = race._replace(kept=replace(race.kept, moves=()))
    lines = verdict(away.kept, check(*away))
    assert lines[0] == (
        "The evidence kept here matches how the race ended. Some points could not be checked:"
    )
    assert lines[1].startswith("- 4 of your 4 moves were not kept here")


def test_a_race_without_a_reveal_is_not_called_fair() -> None:
    untold = Finding("server seed", None, sentence("fair.no_order"))
    heading, line = verdict(live().kept, [untold])
    assert heading.startswith("Whether this race was fair could not be checked.")
    assert line == "- The server did not send the order of the cards."


def test_the_oldest_files_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen_races, "MOST_FILES", 3)
    for i in range(5):
        file = seen_races.save(f"ws://{i % 2}", f"race {i}", "guest:ada", str(i), tmp_path)
        _age(file, seconds=100 - i)
    assert seen_races.load_all(tmp_path) == ["2", "3", "4"]
    assert seen_races.load("ws://0", tmp_path) == ["2", "4"]


def test_a_file_of_another_version_is_skipped(server: str, tmp_path: Path) -> None:
    (tmp_path / "bigben").mkdir()
    seen_races.save(server, "daily", "guest:ada", "{", tmp_path / "bigben" / "kept")
    with Typist("play", "--practice", "--server", server, home=tmp_path) as ada:
        ada.sees_like(r"or\s+turn")
        ada.type("q")
        assert ada.ends()[0] == 0


def _age(file: Path, *, seconds: int) -> None:
    """Make the file look this old."""
    ns = file.stat().st_mtime_ns - seconds * 10**9
    os.utime(file, ns=(ns, ns))

"""The terminal speaks the language of its player, and every sentence that it names is there."""

import re
from pathlib import Path

import pytest
from tests.terminal.typist import Typist

import bigben_terminal
from bigben_protocol import texts
from bigben_protocol.sentence import sentence
from bigben_terminal.language import choose, in_words, language, listing, plain, say

PACKAGE = Path(bigben_terminal.__file__).parent


def test_every_sentence_of_the_table_is_named_and_every_named_one_is_there() -> None:
    source = "\n".join(file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py"))
    table = {*texts.of("terminal", "en")}
    named = set(re.findall(r'say\(\s*"([a-z_.]+)"', source))
    assert named <= table
    quoted = set(re.findall(r"""["']([\w.]+)["']""", source))
    # Some keys are put together: f"state.{…}".
    begun = {*re.findall(r"""["'](\w+)\.\w*\{""", source), "can"}
    own = table - {*texts.of("shared", "en")}
    assert [key for key in own - quoted if key.partition(".")[0] not in begun] == []


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT"}, "de"),
        ({"LANG": "tlh"}, "en"),
    ],
)
def test_the_language_is_that_of_the_locale(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], code: str
) -> None:
    choose("")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language() == code


def test_lists_and_counts_are_those_of_the_language() -> None:
    assert listing(["Ada"]) == "Ada"
    assert listing(["Ada", "Bob", "Cy"]) == "Ada, Bob and Cy"
    choose("de")
    assert listing(["Ada", "Bob", "Cy"]) == "Ada, Bob und Cy"
    assert say("moves", count=2) == "2 Züge"
    assert in_words([sentence("fair.other_time", n=3, ms=10, other=20)]) == (
        "Dein Zug 3 kam nach 10 ms; im Protokoll stehen 20 ms."
    )
    assert in_words([sentence("empty.stock")]) == "Der Talon ist leer."
    assert plain("You may not play here.") == "Du darfst hier nicht spielen."


def test_a_german_player_reads_german(server: str, home: Path) -> None:
    arguments = ("--practice", "--seed", "00" * 32, "--plain", "--lang", "de")
    with Typist("play", *arguments, "--server", server, home=home) as ada:
        ada.sees("12 von 104 Karten sind daheim (nach 0 Zügen).")
        ada.sees("Talon: 56 Karten.")
        ada.type("w fdn")
        ada.sees("Die Ablage ist leer.")
        ada.type("tanz")
        ada.sees("'tanz' ist weder ein Zug noch ein Befehl")
        ada.type("quit")
        assert ada.ends()[0] == 0


@pytest.mark.parametrize("command", [("play",), ("receipt", "K7QPXM")])
def test_a_german_player_reads_in_german_that_no_server_is_there(
    home: Path, command: tuple[str, ...]
) -> None:
    where = ("--server", "ws://127.0.0.1:1", "--lang", "de")
    with Typist(*command, *where, home=home) as ada:
        ada.sees("Der Server ws://127.0.0.1:1 ist nicht zu erreichen. Dort läuft kein Server.")
        assert ada.ends()[0] == 2

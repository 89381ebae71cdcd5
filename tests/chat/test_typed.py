"""What can be typed on a platform of plain text: the table, and how lines are read."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st
from tests.chat.text_platform import written
from tests.support.paths import ROOT

from bigben_chat.platform import Sorry
from bigben_chat.texts import languages, say_in
from bigben_chat.typed.command import Command, Option
from bigben_chat.typed.commands import COMMANDS
from bigben_chat.typed.reading import read
from bigben_discord.commands import GROUP
from bigben_server.rooms.descriptions import games

GAMES: Final = games().games
ENGLISH: Final = say_in("en")
WITHOUT: Final[Mapping[str, set[str]]] = {
    "settings": {"reminder", "role"},  # text has no roles
}
"""Options of Discord's that can't be typed, and why."""
MORE: Final = {
    *("ready", "unready", "start", "house"),  # buttons and the menu of a room
    "language",  # Discord says what users speak
}
"""Commands that Discord does not need, and why."""
MORE_OPTIONS: Final = {"help": {"command"}}  # Discord shows the options itself


def understood(line: str) -> tuple[str, dict[str, object]]:
    asked = read(line, ENGLISH, GAMES)
    return asked.command.name, dict(asked.values)


def refused(line: str, language: str = "en") -> str:
    with pytest.raises(Sorry) as sorry:
        read(line, say_in(language), GAMES)
    return written(sorry.value.text)


def test_whatever_discord_has_can_be_typed() -> None:
    found = {
        command.qualified_name.removeprefix("bigben "): {
            option.display_name for option in command.parameters
        }
        for command in GROUP.walk_commands()
        if isinstance(command, app_commands.Command)
    }
    typed = {command.name: {option.name for option in command.options} for command in COMMANDS}
    assert typed.keys() - found.keys() == MORE
    for name, options in found.items():
        expected = (options - WITHOUT.get(name, set())) | MORE_OPTIONS.get(name, set())
        assert typed[name] == expected, name


@pytest.mark.parametrize("language", languages())
def test_every_command_and_option_is_described(language: str) -> None:
    for command in COMMANDS:
        for key in (command.key, *(option.key for option in command.options)):
            assert say_in(language)(key)


@pytest.mark.parametrize("language", languages())
def test_every_command_that_a_text_names_can_be_typed(language: str) -> None:
    said = " ".join(str(text) for text in languages()[language].texts.values())
    named = {*re.findall("<do>(.+?)</do>", said)} - {"settings reminder:True"}  # text has no roles
    assert {"daily", "season new", "settings channel:"} <= named
    for line in named:
        try:
            read(line, ENGLISH, GAMES)
        except Sorry as sorry:  # the text tells the reader to add something
            if "something is missing" not in written(sorry.text):
                raise


def test_the_guide_has_every_command_and_its_examples_are_understood() -> None:
    guide = (ROOT / "docs" / "matrix.md").read_text()
    commands = guide.partition("## Commands")[2].partition("\n## ")[0]
    rows = " ".join(re.findall(r"^\| (`[^|]+) \|", commands, re.MULTILINE))
    assert {*re.findall(r"`([^`]+)`", rows)} == {one.name.split()[0] for one in COMMANDS}
    for line in re.findall(r"`!(?:bigben|bb) ([^`]+)`", guide):
        understood(line)  # or raises Sorry


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        ("", "help", {}),
        ("?", "help", {}),
        ("DAILY", "daily", {}),
        ("dai grandfather's clock", "daily", {"game": "grandfathersclock"}),
        ("daily Großvaters Uhr no", "daily", {"game": "grandfathersclock", "rules": "no"}),
        ("daily hide and seek", "daily", {"game": "hideandseek"}),
        ("race game:“Big Ben” rules=open", "race", {"game": "bigben", "rules": "open"}),
        ("race game: watch", "race", {"game": "watch"}),
        (
            "race 30 hard tonight watch house:casual undo",
            "race",
            {
                "game": "watch",
                "minutes": 30,
                "grade": "hard",
                "deadline": "tonight",
                "house": "casual",
                "undo": True,
            },
        ),
        ("race opponent Ada Lovelace watch", "race", {"opponent": "Ada Lovelace", "game": "watch"}),
        ("race @ada:example.org", "race", {"opponent": "@ada:example.org"}),
        ("race undo:nein winnable", "race", {"undo": False, "winnable": True}),
        ("join https://b.example/#room=AB", "join", {"code": "https://b.example/#room=AB"}),
        ("3 fdn", "move", {"from": "3", "to": "fdn"}),
        ("3fdn race:K7QPXM", "move", {"from": "3fdn", "race": "K7QPXM"}),
        ("W F9", "move", {"from": "W", "to": "F9"}),
        ("turn", "move", {"from": "turn"}),
        ("move from:12 to:4", "move", {"from": "12", "to": "4"}),
        ("swap 7 2", "move", {"from": "swap", "to": "7 2"}),
        ("board text two no", "board", {"look": "text", "colours": "two", "race": "no"}),
        ("board hints off", "board", {"hints": False}),
        ("settings channel", "settings", {"channel": "here"}),
        ("cheer that was close!", "cheer", {"cheer": "close"}),
        ("cheer gut gespielt", "cheer", {"cheer": "well"}),
        (
            "leaderboard month rating here",
            "leaderboard",
            {"scope": "monthly", "by": "rating", "group": "here"},
        ),
        ("stats Ada Lovelace", "stats", {"player": "Ada Lovelace"}),
        (
            "settings here 8:15 Europe/Berlin language:deutsch",
            "settings",
            {"channel": "here", "time": "8:15", "timezone": "Europe/Berlin", "language": "de"},
        ),
        ("season", "season table", {}),
        ("season tab K7QPXM2A", "season table", {"season": "K7QPXM2A"}),
        (
            "season new Big Ben Cup weeks:6 opens:fri 18:00 verified",
            "season new",
            {"name": "Big Ben Cup", "weeks": 6, "opens": "fri 18:00", "verified": True},
        ),
        (
            "season week 3 2026-10-09 18:00 watch closes:2026-10-12 18:00",
            "season week",
            {
                "week": 3,
                "opens": "2026-10-09 18:00",
                "game": "watch",
                "closes": "2026-10-12 18:00",
            },
        ),
        (
            "season take-out 3 Ada she had seen the cards",
            "season take-out",
            {"week": 3, "player": "Ada", "reason": "she had seen the cards"},
        ),
        (
            "season organiser Ada Lovelace no-more",
            "season organiser",
            {"user": "Ada Lovelace", "no-more": True},
        ),
        ("season end", "season end", {}),
        ("help race", "help", {"command": "race"}),
        ("help watch", "help", {"game": "watch"}),
    ],
)
def test_a_line_is_read_freely(line: str, name: str, values: dict[str, object]) -> None:
    assert understood(line) == (name, values)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("e", "I don’t know “e”. !help lists what you can type."),
        ("leaderbord", "I don’t know “leaderbord”. Did you mean !leaderboard?"),
        ("re", "“re” may be !ready, !redeal, !refill, !rematch. Type one letter more."),
        ("res", "Type !resign in full: it can’t be taken back."),
        ("forget", "Type !forget-me in full: it can’t be taken back."),
        ("season del", "Type !season delete in full: it can’t be taken back."),
        ("season tabel", "I don’t know “season tabel”. Did you mean !season table?"),
        ("link now", "!link stands alone, without “now”."),
        ("race minutes:0", "minutes is a number from 1 to 1440."),
        ("race undo:perhaps", "undo is yes or no."),
        ("language klingon", "language is one of these: de, en, usual."),
        (
            "cheer",
            "After !cheer cheer something is missing: "
            "What to call: luck, well, wow, close, thanks.",
        ),
        ("board look:loud", "look is one of these: picture, text."),
        (
            "race game:",
            "After !race game something is missing: Which game; without it, the usual one here.",
        ),
        ("move " + "9" * 13, "That is too long."),
        ("x" * 2000, "That is too long."),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_answered_with_what_to_type(line: str, told: str) -> None:
    assert refused(line) == told


def test_sentences_about_what_was_typed_come_in_the_users_language() -> None:
    assert refused("leaderbord", "de") == "„leaderbord“ kenne ich nicht. Meinst du !leaderboard?"


SCRAPS: Final = """
    0 9 : = " “ ” ' @ / - _ \\ ¹ ٣ race season new game: game= undo house move 3 fdn fri 18:00 no
"""
HOSTILE: Final = st.text(max_size=80) | st.lists(
    st.sampled_from([*SCRAPS.split(), "\n", "\N{ZERO WIDTH SPACE}"]), max_size=12
).map(" ".join)


@given(HOSTILE)
def test_no_line_raises_anything_but_sorry(line: str) -> None:
    for language in languages():
        with suppress(Sorry):
            asked = read(line, say_in(language), GAMES)
            assert asked.values.keys() <= {option.name for option in asked.command.options}


def values(option: Option) -> st.SearchStrategy[str | int | bool]:
    """Whatever an option may be given."""
    match option.kind:
        case "yes":
            return st.booleans()
        case "number":
            return st.integers(option.least, option.most)
        case "choice":
            return st.sampled_from([choice.value for choice in option.choices])
        case "game":
            return st.sampled_from([game.name for game in GAMES])
        case "rules":
            return st.sampled_from(["standard", "book", "laps-always-foundations"])
        case "moment":
            return st.sampled_from(["fri 18:00", "2026-10-09 18:00"])
        case _:
            return st.sampled_from(
                ["K7QPXM", "2026-10-09", "08:00", "a b", "week 3:", "Europe/Berlin"]
            )


@st.composite
def typed(draw: st.DrawFn) -> tuple[Command, dict[str, str | int | bool]]:
    command = draw(st.sampled_from(COMMANDS))
    given = {
        option.name: draw(values(option))
        for option in draw(st.permutations(command.options))
        if option.required or draw(st.booleans())
    }
    return command, given


@given(typed())
def test_options_written_with_their_names_are_read_as_they_were_meant(
    asked: tuple[Command, dict[str, str | int | bool]],
) -> None:
    command, given = asked
    line = " ".join([command.name, *(f'{name}:"{value}"' for name, value in given.items())])
    assert understood(line) == (command.name, given)

"""A club's season in the terminal: what is shown of it, and its making against a real server."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console
from tests.terminal.test_friends import shown

from bigben_protocol import (
    Alike,
    AlikeChoice,
    AlikePair,
    Changed,
    Plan,
    PlayerId,
    Season,
    SeasonRow,
    SeasonWeek,
    WeekResult,
)
from bigben_protocol.seasons import NameOrganiser, TakeOut, VoidWeek
from bigben_terminal.display import season_text
from bigben_terminal.display.faces import Faces
from bigben_terminal.language import choose

ANN, BOB, CY = (PlayerId(f"guest:{name}") for name in ("ann", "bob", "cy"))
WEEK = 7 * 86_400_000


def week(number: int, *places: tuple[PlayerId, int], out: str = "") -> SeasonWeek:
    results = [WeekResult(player, place, 100 * place, "won") for player, place in places]
    taken = [WeekResult(CY, 0, 0, "blocked", out=out)] if out else []
    at = (number - 1) * WEEK
    race = f"week.K7QPXM2A.{number}"
    return SeasonWeek(number, at, at + 1, "closed", race, results=(*results, *taken))


SEASON = Season(
    "K7QPXM2A",
    "the-aces",
    "The Aces",
    Plan("Sunday Club", "2026-10-02", weeks=3, counted=1),
    "over",
    (
        week(1, (ANN, 1), (BOB, 2), out="Played twice."),
        week(2, (BOB, 1), (ANN, 2)),
        replace(week(3, (BOB, 1), (ANN, 2)), phase="void", void="The server was away."),
    ),
    (
        SeasonRow(ANN, "Ann", 1, 1_200, (1_200, 833, -1), (2,), moved=-1),
        SeasonRow(BOB, "Bob\x1b[2J", 1, 1_200, (1_000, 1_200, -1), (1,), moved=2),
        SeasonRow(CY, "Cy", 0, 0, (-1, -1, -1)),
    ),
    scale="place",
)


def table(season: Season = SEASON, *, plain: bool = False, ascii_wanted: bool = False) -> str:
    told = StringIO()
    faces = Faces(ascii=ascii_wanted)
    console = Console(file=told, width=100, color_system=None)
    console.print(season_text.table(season, ANN, faces, plain=plain))
    return told.getvalue()


def test_a_table_has_points_by_week_and_results_that_do_not_count_in_brackets() -> None:
    found = [line.split() for line in table().splitlines() if "Ann" in line or "Bob" in line]
    assert found == [
        ["1", "▼1", "Ann", "12", "12", "(8.33)", "-"],
        ["1", "▲2", "Bob?[2J", "12", "(10)", "12", "-"],
    ]
    assert "v1" in table(ascii_wanted=True)
    assert table(ascii_wanted=True).isascii()


def test_a_row_in_words_says_the_same() -> None:
    assert table(plain=True).splitlines()[0] == "1. Ann: 12 points. By week: 12, (8.33), -."


def test_a_season_of_nobody_says_so() -> None:
    assert table(replace(SEASON, rows=())).startswith("Nobody yet.")


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_needs_words_is_said_in_each_language(language: str) -> None:
    choose(language)
    told = [*season_text.head(SEASON, 3 * WEEK, "·", ""), *season_text.notes(SEASON)]
    assert told[0] == "Sunday Club · The Aces"
    assert any("Played twice." in line and "Cy" in line for line in told)
    assert any("The server was away." in line for line in told)
    assert any("K7QPXM2A" in line for line in told)


def test_an_open_week_says_how_to_play_it() -> None:
    playing = replace(SEASON, phase="running", weeks=(replace(SEASON.weeks[0], phase="open"),))
    told = [*season_text.head(playing, 0, "·", " --name Ann")]
    assert told[-1] == "Play it: bigben play week.K7QPXM2A.1 --name Ann"


def test_changes_say_who_changed_what_and_why() -> None:
    made = (
        Changed(0, "Ann", TakeOut(1, CY, "Played twice."), "Cy"),
        Changed(0, "Ann", VoidWeek(3, "The server was away.")),
        Changed(0, "Ann", NameOrganiser(BOB, no_more=True), "Bob"),
    )
    told = [line.partition(": ")[2] for line in season_text.changes(replace(SEASON, changes=made))]
    assert told == [
        "Ann took the result of Cy out of week 1: Played twice.",
        "Ann voided week 3: The server was away.",
        "Bob is no organiser any more, by Ann.",
    ]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_report_on_attempts_that_are_alike_accuses_nobody(language: str) -> None:
    choose(language)
    choice = AlikeChoice(2, BOB, 17, "3 f9")
    pairs = (
        AlikePair((ANN, BOB), ("Ann", "Bob"), (1, 2), score=180, choices=(choice,)),
        AlikePair((CY, PlayerId("")), ("Cy", ""), (1,), "foreseen", 110, explained_by=7),
    )
    report = Alike("K7QPXM2A", 1, 1, pairs, compared=780, one_in=10_000)
    told = [*season_text.alike(report)]
    assert "780" in told[0]
    assert any(word in told[0] for word in ("proves nothing", "beweist nichts"))
    assert all(word in told[1] for word in ("Ann", "Bob", "1, 2", "180"))
    assert all(word in told[2] for word in ("Bob", "17", "3 f9"))
    assert all(word in told[3] for word in ("Cy", "7", "110"))
    assert len([*season_text.alike(replace(report, pairs=()))]) == 1


def test_two_players_are_compared_by_the_weeks_that_count() -> None:
    told = season_text.against(SEASON, BOB, ANN)
    assert told == "By weeks, Bob?[2J against Ann: 1 ahead, 1 behind, 0 level."


def test_a_season_is_made_shown_changed_and_deleted(server: str, home: Path) -> None:
    who = ("--server", server, "--name", "Ann")
    first = datetime.now(UTC) + timedelta(days=10)

    def season(*words: str) -> tuple[int, str]:
        return shown("season", *words, *who, home=home)

    assert season()[1].startswith("Your clubs have no season.")
    shown("groups", "make", "The Club", *who, home=home)
    plan = ("--first-day", f"{first:%Y-%m-%d}", "--weeks", "3", "--zone", "Europe/Berlin")
    code, told = season("new", "the club", "Sunday Club", *plan)
    assert code == 0, told
    assert told.startswith("Sunday Club · The Club\n")
    named = told.split("Its id, for others: ")[1].strip()
    assert named in season()[1]

    code, told = season("change", named, "--weeks", "5", "--called", "Monday Club")
    assert told.startswith("Monday Club"), told
    found = json.loads(season(named, "--json")[1])
    assert (len(found["weeks"]), found["plan"]["counted"]) == (5, 3)
    assert next(csv.reader([season(named, "--csv")[1]]))[:2] == ["week", "race"]
    later = datetime.fromtimestamp(found["weeks"][1]["opens_at"] / 1000, UTC) + timedelta(hours=1)
    code, told = season("week", named, "2", "--from", f"{later.isoformat()}")
    assert code == 0, told
    code, told = season("void", named, "3", "Nobody has time.")
    assert "Week 3: void. Nobody has time." in told
    told = season(named, "--changes")[1]
    assert [line.partition(": ")[2] for line in told.splitlines()][-1] == (
        "Ann voided week 3: Nobody has time."
    )
    assert season("wind", named, "2") == (
        2,
        f"bigben season: wind {named} 2 is nothing that a season knows: bigben season --help\n",
    )
    assert season("delete", named, "--yes") == (0, "The season is deleted.\n")
    assert season(named)[0] == 2

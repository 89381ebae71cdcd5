"""A season's results as CSV."""

import csv

import pytest

from bigben_protocol import Plan, PlayerId, Season, SeasonRow, SeasonWeek, WeekResult
from bigben_protocol.sheet import season_csv

ANN, BOB, CY = (PlayerId(f"guest:{name}") for name in ("ann", "bob", "cy"))


def season(*weeks: SeasonWeek, name: str = "Ann") -> Season:
    rows = (
        SeasonRow(ANN, name, 1, 1_200, (1_200, 833), (2,)),
        SeasonRow(BOB, "Bob", 2, 833, (833, -1)),
    )
    plan = Plan("Sunday Club", "2026-10-02", weeks=2)
    return Season("K7QPXM2A", "aces", "The Aces", plan, "running", weeks, rows)


def week(number: int, *results: WeekResult, void: str = "") -> SeasonWeek:
    race = f"week.K7QPXM2A.{number}"
    return SeasonWeek(number, 0, 1, "void" if void else "closed", race, void=void, results=results)


def read(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(text.splitlines())]


def test_each_result_has_a_line_that_says_whether_it_counts() -> None:
    first = week(
        1,
        WeekResult(ANN, 1, 1_200, "won", 104, 372_400),
        WeekResult(BOB, 2, 833, "blocked", 87, 90_005),
        WeekResult(CY, 0, 0, "blocked", 80, 1, "Played twice."),
    )
    lines = read(season_csv(season(first, week(2, WeekResult(ANN, 1, 833, "won", 104, 1)))))
    assert [(one["week"], one["name"], one["points"], one["counts"]) for one in lines] == [
        ("1", "Ann", "12.00", "yes"),
        ("1", "Bob", "8.33", "yes"),
        ("1", "", "0.00", "no"),
        ("2", "Ann", "8.33", "no"),
    ]
    assert lines[1]["seconds"] == "90.005"
    assert (lines[2]["player"], lines[2]["out"]) == (CY, "Played twice.")


def test_a_void_week_says_why_in_each_line() -> None:
    (line,) = read(season_csv(season(week(1, WeekResult(BOB, 1, 1_200, "won"), void="Too easy."))))
    assert (line["counts"], line["out"]) == ("no", "Too easy.")


@pytest.mark.parametrize("name", ["=1+1", "+A1", "-2", "@SUM(A1)", "  =A1", "＝A1", "\t=A1"])
def test_a_name_that_is_a_formula_stays_text(name: str) -> None:
    (line,) = read(season_csv(season(week(1, WeekResult(ANN, 1, 1_200, "won")), name=name)))
    assert line["name"] == f"'{name}"


def test_names_with_commas_quotes_and_lines_come_back_as_they_were() -> None:
    name = 'Ann, "the\nAce"'
    text = season_csv(season(week(1, WeekResult(ANN, 1, 1_200, "won")), name=name))
    assert [*csv.reader(text.splitlines(keepends=True))][1][6] == name

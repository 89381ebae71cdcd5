"""Pages of boards as the terminal prints them."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from tests.terminal.support import INFO
from tests.terminal.typist import Typist

from bigben_protocol import Leaderboard, PlayerId, Ranked, Standing
from bigben_terminal.display.faces import Faces
from bigben_terminal.subcommands.leaderboard import show_page

ADA, BOB, CARL = (PlayerId(f"guest:{name}") for name in ("ada", "bob", "carl"))
POINTS = "weekly.2026-W47.bigben.standard.points"
RATING = "all-time.bigben.standard.rating@rating-friends"


def printed(page: Leaderboard, me: PlayerId = ADA, *, plain: bool = False) -> list[str]:
    """The lines, without the spaces at their ends."""
    console = Console(file=io.StringIO(), width=80)
    show_page(console, page, me, INFO["bigben"], Faces(ascii=True), plain=plain)
    file = console.file
    assert isinstance(file, io.StringIO)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_points_are_in_a_tidy_table() -> None:
    rows = (
        Ranked(ADA, "Ada", 1, points=250),
        Ranked(BOB, "Bob", 1, points=250),
        Ranked(CARL, "Carl", 3, points=7),
    )
    assert printed(Leaderboard(POINTS, 3, ranked=rows)) == [
        "Week 47 of 2026 | Big Ben, standard rules | by points: 3 in all",
        "+---+--------+--------+",
        "|   | player | points |",
        "+---+--------+--------+",
        "| 1 | Ada    |    250 |",
        "| 1 | Bob    |    250 |",
        "| 3 | Carl   |      7 |",
        "+---+--------+--------+",
    ]


def test_a_provisional_rating_is_marked() -> None:
    page = Leaderboard(RATING, 1, ranked=(Ranked(ADA, "Ada", 1, rating=1612, provisional=True),))
    assert "| 1 | Ada    |  1612? |" in printed(page)
    assert printed(page, plain=True)[1] == "1. Ada: rated 1612, provisional."


def test_the_players_own_row_comes_below_a_page_without_it() -> None:
    mine = Ranked(CARL, "Carl", 30, points=7)
    page = Leaderboard(POINTS, 30, ranked=(Ranked(ADA, "Ada", 1, points=8),), my_rank=mine)
    assert printed(page, CARL, plain=True)[1:] == [
        "1. Ada: 8 points.",
        "30. Carl: 7 points.",
        "More: --start 1",
    ]
    standing = Standing(CARL, "Carl", "won", 100, 104, 61_000, 61_000, 30)
    page = Leaderboard("daily.2026-11-21.bigben.standard", 30, start=40, mine=standing)
    assert printed(page, CARL, plain=True)[1:] == [
        "There is no row 41; the last one is 30.",
        "30. Carl: all home, 1:01.0, 100 moves.",
    ]


def test_an_empty_board_says_so() -> None:
    assert " ".join(printed(Leaderboard(POINTS, 0))[1:]) == (
        "Nobody is on this leaderboard yet. A day counts when it is over, at 24:00 UTC."
    )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--period", "weekly", "--date", "2026-W99"], "There is no such date: '2026-W99'."),
        (["--group", "nobody"], "There is no group 'nobody'"),
        (["--period", "yearly"], "invalid choice: 'yearly'"),
    ],
)
def test_an_unknown_board_gets_a_sentence(
    server: str, home: Path, options: list[str], text: str
) -> None:
    with Typist("leaderboard", "--server", server, *options, home=home) as reader:
        code, shown = reader.ends()
    assert code == 2
    assert text in " ".join(shown.split())
    assert "Traceback" not in shown


def test_longer_boards_of_a_real_server(server: str, home: Path) -> None:
    options = ("--period", "all-time", "--by", "rating", "--around", "--rules", "book")
    with Typist("leaderboard", "--server", server, *options, home=home) as reader:
        code, shown = reader.ends()
    assert code == 0
    assert "All time · Big Ben, rules of the book · by rating: 0 in all" in shown
    assert "Nobody is on this leaderboard yet." in shown

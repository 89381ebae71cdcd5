"""A daily whose deal was chosen: its grade before the close, par and the line after it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.fairness.races import BOB
from tests.support.graded_days import Graded, serving_graded
from tests.terminal.typist import Typist

from bigben_client import Client
from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Player
from bigben_terminal.local_files import tokens


class Days(NamedTuple):
    """A server after a daily that Ada won and Bob gave up."""

    graded: Graded
    yesterday: RaceId
    ada: Path
    """The state folder of the winner."""

    def bigben(self, *arguments: str, home: Path) -> Typist:
        return Typist(*arguments, "--server", self.graded.server.url, home=home)


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Days]:
    with serving_graded(tmp_path_factory.mktemp("graded")) as graded:
        home = tmp_path_factory.mktemp("ada")
        ada = Player(asyncio.run(_signed_in(graded.server.url, home)), "Ada")
        yield Days(graded, graded.close_yesterday(ada, BOB), home)
        assert graded.server.complaints() == []


async def _signed_in(url: str, home: Path) -> PlayerId:
    async with Client(url, name="Ada") as client:
        tokens.save(url, client.token, client.name, where=home / "bigben" / "tokens")
        return client.player


def test_the_heading_has_the_grade_before_the_close_and_par_is_secret(
    days: Days, home: Path
) -> None:
    for daily, rules in (("daily", "standard rules"), ("daily.book", "hard")):
        with days.bigben("play", daily, "--plain", home=home) as cy:
            assert f"{rules}." in cy.sees("Type ready")
            cy.type("q")
            assert cy.ends()[0] == 0
            assert "Best known win" not in cy.plain


def test_the_winner_of_a_closed_daily_reads_par_beside_their_own_moves(days: Days) -> None:
    par, moves = days.graded.par, days.graded.moves
    with days.bigben("watch", days.yesterday, "--plain", home=days.ada) as ada:
        ada.sees(f"Best known win: {par} moves; you needed {moves}.")
        ada.type("q")
        assert ada.ends()[0] == 0
        assert ada.plain.count("Best known win") == 1


def test_all_others_read_par_of_a_closed_daily_alone(days: Days, home: Path) -> None:
    with days.bigben("watch", days.yesterday, "--plain", home=home) as cy:
        cy.sees(f"Best known win: {days.graded.par} moves.")
        cy.type("q")
        assert cy.ends()[0] == 0
        assert "you needed" not in cy.plain


def test_the_line_that_wins_is_replayed_beside_the_games(days: Days, home: Path) -> None:
    with days.bigben("watch", days.yesterday, "--replay", "--plain", home=home) as cy:
        code, told = cy.ends()
        assert code == 0
        assert "a line that wins" in told
        assert "104" in told

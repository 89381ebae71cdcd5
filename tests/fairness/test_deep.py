"""`bigben verify --deep`: whether a room played the first deal of its seed that passes."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

import pytest
from tests.fairness.forging import sealed, write
from tests.fairness.races import ADA, BOB, RACES, Racing
from tests.support.times import NOON

from bigben_protocol import FIRST_DEAL, Chosen, Create, Grade, Join, Move, RaceId, Ready
from bigben_server.race import choosing, lobby
from bigben_server.race.state import Race
from bigben_server.thinking.deals import chosen_deal
from bigben_solver.choosing import tried
from bigben_terminal.cli import main
from bigben_terminal.receipts.deep import check_choice
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Altered, Receipt, read

Choice = Callable[[bytes], Chosen | None]


def room(choice: Choice, **wanted: Any) -> Receipt:  # Any: the fields of Create
    """The receipt of a live room for which a server chose so, by the mixed seed."""
    events = lobby.created(Create(limit_ms=60_000, **wanted), ADA, NOON, bytes)
    racing = Racing(Race(RaceId("K7QPXM"), events), NOON)
    for number, player in enumerate((ADA, BOB), start=1):
        racing.say(player, Join(racing.race.id))
        racing.say(player, Ready(racing.race.id, f"{number:02x}" * 32))
    race = racing.race
    race.write(choosing.dealt(choice(race.mixed_seed) or FIRST_DEAL, NOON))
    racing.now = race.starts_at
    for player in (ADA, BOB):
        racing.say(player, Move(race.id, 1, "resign"))
    return read(write(racing.close()))


def first(seed: bytes, grade: Grade = "") -> Chosen | None:
    found = chosen_deal(seed, "bigben", "standard", grade, step_s=inf)
    return found if isinstance(found, Chosen) else None


def second(seed: bytes) -> Chosen:
    """What a server would do that looks for a deal that it likes better."""
    deals = (tried(seed, n, "bigben", "standard") for n in count())
    _, found = (next(deal for deal in deals if deal) for _ in range(2))
    return Chosen(found.counter, "", found.line)


@cache
def honest() -> Receipt:
    return room(first, winnable=True)


def told(receipt: Receipt) -> str:
    list(check(receipt))
    return check_choice(receipt, lambda done, most: None)


def test_the_first_deal_that_passes_holds() -> None:
    receipt = honest()
    assert "wanted: winnable" in list(check(receipt))
    assert told(receipt) == f"choice: deal {receipt.deal} is the first that passes"


def test_a_later_deal_holds_on_the_surface_and_not_in_the_depth() -> None:
    receipt = room(second, winnable=True)
    with pytest.raises(Altered, match="passes already"):
        told(receipt)


def test_of_a_deal_that_was_not_found_in_time_it_says_which_it_was() -> None:
    receipt = room(lambda _: None, winnable=True)
    assert "wanted: winnable, and no such deal was found in time" in list(check(receipt))
    assert told(receipt).startswith("choice: not made in time; deal ")


def test_a_race_that_asks_for_nothing_has_no_choice_to_check() -> None:
    assert told(RACES["short_live"]()).startswith("choice: none")


@pytest.mark.parametrize(
    ("alter", "reason"),
    [
        (lambda receipt: replace(receipt, wanted="simple"), 'wanted is "simple"'),
        (lambda receipt: replace(receipt, wanted="hard"), 'the room asked for "hard"'),
        (lambda receipt: replace(receipt, certificate=(), grade="easy"), "without a certificate"),
    ],
)
def test_a_wish_that_does_not_fit_the_deal_is_seen(
    alter: Callable[[Receipt], Receipt], reason: str
) -> None:
    with pytest.raises(Altered, match=reason):
        list(check(read(write(sealed(alter(honest()))))))


def test_nobody_asks_for_the_deal_of_a_daily() -> None:
    with pytest.raises(Altered, match="nobody asks"):
        list(check(sealed(replace(RACES["short_daily"](), wanted="hard"))))


def test_a_hard_deal_is_chosen_raced_and_verified_in_depth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    receipt = room(lambda seed: first(seed, "hard"), grade="hard")
    assert receipt.grade == receipt.wanted == "hard"
    (tmp_path / "race.json").write_text(write(receipt))
    assert main(["verify", "--deep", str(tmp_path / "race.json")]) == 0
    said = capsys.readouterr().out
    assert f"choice: deal {receipt.deal} is the first that passes" in said

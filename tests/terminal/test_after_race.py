"""Bringing the last cards home, last boards, ghosts, statistics, and times as players type them."""

import argparse
import doctest
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from tests.rules.recorded import BIG_BEN as RECORDED
from tests.rules.recorded import GAMES as ALL_RECORDED
from tests.terminal.support import BIG_BEN, INFO, played, view_of
from tests.terminal.test_race_text import ADA, BOB, room, seat
from tests.terminal.typist import Typist

from bigben_protocol import (
    HeadToHead,
    Pile,
    PlayerId,
    Profile,
    RaceId,
    Record,
    Rules,
    Standings,
    Step,
    Streak,
    Tally,
    Week,
)
from bigben_terminal import after_race, ghosts, times
from bigben_terminal.after_race import views_of
from bigben_terminal.display import profile, race_text
from bigben_terminal.display.faces import Faces
from bigben_terminal.display.position_text import can_do
from bigben_terminal.display.profile import profile_lines
from bigben_terminal.finishing import next_home

WON = RECORDED["won_standard"]


def moves_left(count: int) -> list[str]:
    """The moves of a recorded win but for the last ``count``."""
    return WON.moves[: len(WON.moves) - count]


def test_the_last_cards_come_home_one_by_one() -> None:
    position = played(WON.start(), moves_left(3))
    assert not position.won
    for _ in range(3):
        position = played(position, [next_home(BIG_BEN, Rules(), view_of(position))])
    assert position.won
    assert next_home(BIG_BEN, Rules(), view_of(position)) == ""


def test_a_game_with_a_choice_is_not_finished_for_the_player() -> None:
    assert next_home(BIG_BEN, Rules(), view_of(WON.start())) == ""


@pytest.mark.parametrize("name", ["grandfathersclock_won_standard", "germanclock_won_standard"])
def test_other_games_are_finished_too(name: str) -> None:
    game = ALL_RECORDED[name]
    position = played(game.start(), game.moves[:-1])
    rules = Rules(game=game.game, rules=game.rules)
    assert next_home(INFO[game.game], rules, view_of(position))


def test_a_player_types_finish(server: str, home: Path) -> None:
    arguments = ("--practice", "--seed", WON.seed, "--plain")
    with Typist("play", *arguments, "--server", server, home=home) as ada:
        ada.type("finish")
        ada.sees("There is still something to decide")
        ada.keys("".join(f"{move}\n" for move in moves_left(3)))
        ada.sees("type finish to play them all.")
        ada.type("finish")
        told = ada.sees("All 104 cards are home")
        assert told.count(" home") >= 3, "each is a move of its own"
        ada.type("share")
        ada.sees("Big Ben")
        ada.sees("104/104")
        ada.sees("■■■■■■■■■■■■")
        ada.type("q")
        assert ada.ends()[0] == 0


def test_every_card_that_can_move_is_listed_with_its_move() -> None:
    told = can_do(BIG_BEN, view_of(WON.start()))
    assert any("goes home, on the" in line for line in told)
    assert told[-1].startswith("You can also type: ")


def test_a_player_asks_what_can_be_done_and_why_not(server: str, home: Path) -> None:
    arguments = ("--practice", "--seed", WON.seed)
    with Typist("play", *arguments, "--server", server, home=home, terminal=True) as ada:
        ada.sees("stock 56")
        ada.type("hint")
        ada.sees_like(r"\d+ f\d+: .* goes home, on the .* of foundation \d+\.")
        ada.type("why 3")
        ada.sees_like(r"why 3\n(.*\n)*.*\.\n")
        ada.type("why w")
        ada.sees("There is no card here.")
        ada.type("why")
        ada.sees("Which card?")
        ada.type("share copy")
        ada.sees("clipboard")
        assert "\x1b]52;c;" in ada.shown
        ada.type("q")
        assert ada.ends()[0] == 0


def test_the_boards_of_a_record_are_what_its_moves_leave() -> None:
    slots = tuple(slot for slot in BIG_BEN.slots if slot.pile in ("3", "f1", "s"))
    game = msgspec.structs.replace(BIG_BEN, slots=slots)
    piles = {"3": Pile(("6C", "7C")), "f1": Pile(("6C",)), "s": Pile((), 2)}
    record = Record(
        RaceId("K7QPXM"),
        seat(ADA, "resigned", 13),
        (),
        ((10, "3 fdn"), (20, "turn")),
        piles=piles,
        steps=((Step("3", "f1", "7C"),), (Step("s", "3", "KD"),)),
    )
    first, _, view = views_of(record, game)
    assert (first.home, view.home, view.ms) == (1, 2, 20)
    assert (view.n, view.piles["3"].up, view.piles["f1"].up) == (2, ("6C", "KD"), ("6C", "7C"))
    assert view.piles["s"].down == 1


def test_rivals_who_are_away_are_shown() -> None:
    here, away = seat(BOB, "playing", 20), seat(BOB, "playing", 20, away=True)
    assert race_text.of_progress({BOB: here}, [away], ADA, 104) == (["Bob is away."], [])
    assert race_text.of_progress({BOB: away}, [here], ADA, 104) == (["Bob is back."], [])
    assert race_text.status([away], ADA, Faces()) == "Bob 20 (away)"
    assert race_text.lobby(room(seat(ADA), seat(BOB, away=True)), ADA) == [
        "Here, not ready yet: Bob (away)."
    ]
    ending = seat(BOB, "playing", 20, away=True, ends_at=1_795_305_600_000)
    ((told,), _) = race_text.of_progress({BOB: away}, [ending], ADA, 104)
    assert told.startswith("All others have finished. Bob is away; their game ends at ")


def test_a_guest_reads_who_invites_and_who_is_ready() -> None:
    seats = (seat(ADA), seat(BOB), seat(PlayerId("guest:cy"), "ready"))
    assert race_text.lobby(room(*seats), BOB) == [
        "Ada invites you to this race.",
        "Here and ready: Cy.",
        "Here, not ready yet: Ada.",
    ]
    assert race_text.lobby(room(*seats, kind="deadline", phase="running"), BOB) == [
        "Ada invites you to this race."
    ]


def test_ghosts_are_where_they_were_at_the_players_time() -> None:
    seats = [seat(ADA, "playing", 14), seat(BOB, "won", 104)]
    assert race_text.status(seats, ADA, Faces(), ghosts={BOB: 20}) == "you 14 · Bob 20 (ghost)"


def test_a_finisher_reads_the_place_so_far() -> None:
    rows = (seat(ADA, "blocked", 40, place=1), seat(BOB, "playing", 20, place=2))
    standings = Standings(RaceId("K7QPXM"), rows, players=2)
    now = room(*rows, phase="running")
    assert race_text.place_so_far(standings, now, ADA) == [
        "Your place so far: 1 of 2. Not finished yet: Bob."
    ]


def test_a_host_reads_who_is_left_out() -> None:
    assert race_text.before_start(room(seat(ADA)), ADA).startswith("You race alone")
    some = room(seat(ADA), seat(BOB, "ready"), seat(PlayerId("guest:cy")))
    assert race_text.before_start(some, ADA).startswith("The race starts without Cy, ")


PROFILE = Profile(
    ADA,
    "Ada",
    (
        Tally("bigben", "standard", 12, 3, 271_240, days_played=Streak(5, 9)),
    ),
    HeadToHead(BOB, "Bob", 4, 2, 1),
    weeks=(Week("2026-W45", 4, 1, 200), Week("2026-W47", 8, 2, 400)),
)  # fmt: skip


def test_statistics_are_a_page_with_a_plot() -> None:
    assert profile_lines(PROFILE, Faces(ascii=True), plain=False) == [
        "Ada",
        "Big Ben, standard rules: 12 played, 3 won (25 %). Fastest win 4:31.2. "
        "Days in a row: 5 now, 9 at best.",
        "Cards home by week",
        "2026-W45  #################### 200",
        "2026-W46   0",
        "2026-W47  ######################################## 400",
        "Against Bob: ahead 4, behind 2, level 1.",
    ]


def test_statistics_have_no_picture_in_words() -> None:
    told = profile_lines(PROFILE, Faces(), plain=True)
    assert "Week 2026-W47: 400 cards home in 8 races; 2 won." in told
    assert not any("█" in line for line in told)


@pytest.mark.parametrize("text", ["soon", "3 days", "", "2026-13-01", "9999999d"])
def test_a_deadline_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"(deadline|time) is written like"):
        times.deadline(text, datetime(2026, 11, 22, tzinfo=UTC))


def test_the_examples_in_the_docstrings_hold() -> None:
    for module in (after_race, ghosts, times, profile):
        assert doctest.testmod(module).attempted
        assert not doctest.testmod(module).failed

"""`bigben solve` finds winning lines, with only the rules and the solver installed."""

import inspect
import json
import time

from tests.rules.support import deal_from, play
from tests.terminal.command import bigben_here, complaint, lines

from bigben_terminal.subcommands.solve import SearchClock

SEED = bytes(32).hex()


def test_a_deal_is_won_by_the_line_that_is_printed() -> None:
    done = bigben_here("solve", "--json", "--seed", SEED)
    assert done.returncode == 0, done.stderr
    [found] = lines(done.stdout)
    assert list(found) == ["result", "moves", "seconds"]
    assert found["result"] == "won"
    assert play(deal_from(bytes(32)), *found["moves"]).won


def test_a_recorded_game_is_solved_from_where_it_is() -> None:
    moves = ["turn", "turn"]
    stdin = json.dumps({"seed": SEED, "moves": moves}).encode()
    [found] = lines(bigben_here("solve", "--json", "-", stdin=stdin).stdout)
    assert found["result"] == "won"
    assert play(deal_from(bytes(32)), *moves, *found["moves"]).won


def test_the_result_is_said_in_words() -> None:
    first, *rest = bigben_here("solve", "--seed", SEED).stdout.splitlines()
    assert first.startswith("won in ")
    assert rest[0].startswith("   1  ")


def test_a_search_without_time_says_unknown() -> None:
    [found] = lines(bigben_here("solve", "--json", "--seed", SEED, "--budget", "1e-9").stdout)
    assert (found["result"], found["moves"]) == ("unknown", [])


def test_the_budget_is_time_that_passes_and_not_time_of_the_processor() -> None:
    passed = iter([100.0, 129.9, 130.0, 131.5])
    clock = SearchClock(30, shows=False, now=lambda: next(passed))
    assert (clock.over(), clock.over()) == (False, True)
    assert clock.finish() == 31.5


def test_the_search_stops_by_a_clock_that_goes_on_while_it_waits() -> None:
    default = inspect.signature(SearchClock.__init__).parameters["now"].default
    assert default is time.monotonic


def test_what_cannot_be_solved_is_said() -> None:
    assert complaint("solve") == "bigben solve: give either --seed or FILE"
    assert complaint("solve", "--seed", SEED, "--game", "watch") == (
        "bigben solve: there is no solver for watch; "
        "there are solvers for bigben and grandfathersclock"
    )
    assert "64 hex digits" in complaint("solve", "--seed", "12")
    stdin = json.dumps({"seed": SEED, "moves": ["1 f1"]}).encode()
    assert complaint("solve", "-", stdin=stdin).startswith("bigben solve: move 1, 1 f1, is illegal")
    assert "--seed" in complaint("solve", "-", "--game", "clock", stdin=stdin)

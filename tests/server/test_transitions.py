"""The tables of the state machine: complete, or not imported; and never left by any play."""

import re
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final, get_args

import pytest
from tests.server.stage import ADA, BOB, CARL, NONCE, Stage, daily, live, practice
from tests.support.times import HOUR

from bigben_protocol import (
    GetRecord,
    GetStandings,
    Join,
    Leave,
    Move,
    Phase,
    Ready,
    Resume,
    Start,
    Unready,
    Watch,
)
from bigben_server.race import transitions
from bigben_server.race.events import RoomEvent
from bigben_server.race.game import Seat
from bigben_server.race.state import Race
from bigben_server.race.transitions import OVER, PHASES, SEATS, RaceMessage

SOURCE: Final = Path(transitions.__file__).read_text(encoding="utf-8")
ROWS: Final = [line for line in SOURCE.splitlines() if re.match(r"    [\w.\"]+: +[(\"s]", line)]
"""The lines of the tables."""
CELLS: Final = [row for row in ROWS if ": sentence(" not in row]


def imported(source: str) -> None:
    exec(compile(source, "transitions.py", "exec"), ModuleType("changed").__dict__)


def test_the_tables_are_all_here() -> None:
    imported(SOURCE)
    rows = len(get_args(transitions.RoomTrigger)) + len(get_args(transitions.SeatTrigger))
    assert len(CELLS) == rows + len(get_args(RaceMessage))
    assert len(ROWS) == len(CELLS) + len(get_args(Phase))


@pytest.mark.parametrize("row", ROWS)
def test_without_any_one_row_the_module_is_not_imported(row: str) -> None:
    with pytest.raises((ValueError, AssertionError), match="missing or unknown"):
        imported(SOURCE.replace(f"{row}\n", "", 1))


@pytest.mark.parametrize("row", CELLS)
def test_without_any_one_cell_the_module_is_not_imported(row: str) -> None:
    key, cells = row.split("(", 1)
    shorter = f"{key}({cells.split(',', 1)[1]}"
    with pytest.raises(ValueError, match=r"zip\(\) argument"):
        imported(SOURCE.replace(row, shorter, 1))


def test_every_event_of_a_room_is_a_trigger() -> None:
    tags = {event.__struct_config__.tag for event in get_args(RoomEvent)}
    assert tags == set(get_args(transitions.RoomTrigger))


def test_an_impossible_trigger_raises_a_clear_error() -> None:
    for phase in get_args(Phase):
        with pytest.raises(AssertionError, match="can't be opened"):
            transitions.phase_after(phase, "opened")
    for state in OVER:
        with pytest.raises(AssertionError, match="can't come"):
            transitions.state_after(state, "move")


# Random play

RACES: Final = (
    lambda: live(ADA, BOB, limit_ms=HOUR),
    lambda: live(ADA, undo=True, limit_ms=HOUR),
    lambda: daily(ADA, BOB),
    practice,
)


def anything(stage: Stage, chance: Random) -> RaceMessage:
    race, ref = stage.race.id, 1
    seat = stage.race.seats.get(ADA.id)
    legal = seat.play.legal if seat and seat.play else ()
    n = (seat.status.moves if seat else 0) + chance.choice((1, 1, 1, 1, 0, 2))
    some = (*legal[:2], *legal, "undo", *(["resign"] if chance.random() < 0.1 else []), "deal")
    moves = [Move(race, n, chance.choice(some)) for _ in range(12)]
    others: list[RaceMessage] = [Join(race, ref), Watch(race, ref), Leave(race, ref)]
    others += [Ready(race, NONCE, ref), Ready(race, NONCE, ref), Unready(race, ref)]
    others += [Start(race, ref), Resume(race, 0, ref), Resume(race, 3, ref)]
    others += [GetStandings(race, ref), GetRecord(race, ref=ref)]
    return chance.choice([*moves, *others])


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Every change of a seat's state and of a race's phase, as they are made."""
    steps: set[tuple[str, str]] = set()

    # Any: whatever is set.
    def set_status(seat: Seat, name: str, value: Any) -> None:
        if name == "status" and hasattr(seat, name):
            steps.add((seat.status.state, value.state))
        object.__setattr__(seat, name, value)

    def set_phase(race: Race, name: str, value: Any) -> None:
        if name == "_phase" and hasattr(race, name):
            steps.add((getattr(race, name), value))
        object.__setattr__(race, name, value)

    monkeypatch.setattr(Seat, "__setattr__", set_status)
    monkeypatch.setattr(Race, "__setattr__", set_phase)
    return steps


def test_random_play_makes_no_transition_that_the_tables_lack(steps: set[tuple[str, str]]) -> None:
    chance = Random(1)
    for number in range(40):
        stage = RACES[number % len(RACES)]()
        for _ in range(100):
            if chance.random() < 0.2:
                stage.wait(chance.choice((0, 10, 1_000, 3_000, HOUR // 4)))
            else:
                stage.say(chance.choice((ADA, ADA, ADA, BOB, CARL)), anything(stage, chance))
    changes = {(was, now) for was, now in steps if was != now}
    known = {(was, now) for (_, was), now in [*PHASES.items(), *SEATS.items()] if now}
    assert changes <= known
    assert changes >= {
        *(("open", "countdown"), ("open", "cancelled"), ("countdown", "closed")),
        *(("joined", "ready"), ("ready", "joined"), ("ready", "playing"), ("joined", "playing")),
        *(("playing", "resigned"), ("playing", "timed out")),
    }, "the play comes about"

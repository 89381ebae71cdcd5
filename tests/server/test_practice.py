"""Practice: alone, any seed, undo, no time but a day."""

from typing import Final

import pytest
from tests.rules.recorded import GAMES
from tests.server.stage import ADA, BOB, ROOM, SECOND, any_move, only, only_refusal, practice
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Diff,
    GetRecord,
    GetStandings,
    Join,
    Leave,
    Move,
    Ready,
    Record,
    Resume,
    Reveal,
    Room,
    Snapshot,
)
from bigben_server.leaderboards.recorder import finishes_of
from bigben_server.race.transitions import RaceMessage

WON = GAMES["won_standard"]
STRANGERS: Final = ("seat", "This practice belongs to another player; begin your own.")


def test_practice_begins_when_its_player_is_ready() -> None:
    stage = practice()
    assert stage.heard(ADA, Snapshot) == []
    assert only(stage.wait(SECOND).ready(ADA), Snapshot).begun_at == NOON + SECOND


def test_practice_has_the_requested_seed() -> None:
    stage = practice(seed=WON.seed)
    stage.ready(ADA)
    stage.move(ADA, *WON.moves)
    stage.wait(0)
    assert stage.standing(ADA).state == "won"
    assert stage.heard(ADA, Room)[-1].phase == "closed"
    assert stage.heard(ADA, Reveal)[0].seed == WON.seed


def test_moves_can_be_taken_back_in_practice() -> None:
    stage = practice()
    snapshot = only(stage.ready(ADA), Snapshot)
    move = next((move for move in snapshot.legal if " " in move), "")
    assert only(stage.move(ADA, move), Diff).can_undo
    assert only(stage.move(ADA, "undo"), Diff).digest == snapshot.digest


def test_the_end_of_a_game_says_when_its_last_card_came_home() -> None:
    stage = practice(seed=WON.seed)
    stage.ready(ADA)
    last_home, cards = 0, 12
    for move in WON.moves:
        told = only(stage.wait(SECOND).move(ADA, move), Diff)
        assert told.home_ms == 0, "no player needs it before"
        if last_home and told.home == cards:
            break
        if told.home > cards:
            last_home, cards = told.ms, told.home
    ended = only(stage.wait(SECOND).move(ADA, "resign"), Diff)
    assert ended.home_ms == last_home < ended.ms
    stage.say(ADA, Resume(stage.race.id))
    assert stage.heard(ADA, Snapshot)[-1].home_ms == ended.home_ms


def test_nobody_else_takes_part_in_practice() -> None:
    stage = practice()
    assert only_refusal(stage.join(BOB)) == STRANGERS
    assert only_refusal(stage.watch(BOB)) == ("phase", "This race has no watch command.")
    stage.ready(ADA)
    ask = GetRecord(stage.race.id, ADA.id)
    assert only_refusal(stage.say(BOB, ask)) == STRANGERS
    only(stage.say(ADA, ask), Record)


STRANGERS_ASKS: Final = (
    *(Join(ROOM), Leave(ROOM), Ready(ROOM), Move(ROOM, 1, "deal"), Move(ROOM, 0, "deal")),
    *(Resume(ROOM, 0), Resume(ROOM, 1), GetStandings(ROOM), GetStandings(ROOM, only=(ADA.id,))),
    *(GetRecord(ROOM), GetRecord(ROOM, ADA.id)),
)


@pytest.mark.parametrize("message", STRANGERS_ASKS, ids=repr)
def test_a_stranger_learns_nothing_of_somebodys_practice(message: RaceMessage) -> None:
    stage = practice()
    stage.ready(ADA)
    assert only_refusal(stage.say(BOB, message)) == STRANGERS
    stage.move(ADA, "resign")
    stage.wait(0)
    assert stage.race.phase(stage.now) == "closed"
    assert only_refusal(stage.say(BOB, message)) == STRANGERS
    assert len(stage.told[BOB.id]) == 2, "and nothing is told besides"


def test_there_is_no_countdown_in_practice() -> None:
    stage = practice()
    assert only_refusal(stage.start(ADA)) == ("phase", "This race has no start command.")
    assert only_refusal(stage.unready(ADA)) == ("phase", "This race has no unready command.")


def test_practice_ends_after_a_day() -> None:
    stage = practice()
    first = only(stage.ready(ADA), Snapshot)
    stage.wait(DAY - 1)
    only(stage.move(ADA, any_move([first])), Diff)
    stage.wait(1)
    assert stage.standing(ADA).state == "timed out"
    assert stage.race.phase(stage.now) == "closed"


def test_practice_that_was_never_begun_ends_after_a_day() -> None:
    stage = practice()
    stage.now += DAY
    assert only_refusal(stage.ready(ADA)) == ("phase", "The time for this race is over.")
    assert stage.wait(0).race.phase(stage.now) == "closed"


def test_practice_is_on_no_board() -> None:
    stage = practice()
    stage.ready(ADA)
    stage.move(ADA, "resign")
    assert finishes_of(stage.race, stage.race.seats.values()) == []

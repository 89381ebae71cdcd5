"""Undo: back to the last stock action and never beyond, and a move like the others."""

from tests.rules.recorded import GAMES
from tests.server.stage import ADA, SECOND, only, practice, racing, refused

from bigben_protocol import Diff, RaceId, Snapshot, View
from bigben_rules import GAMES as PATIENCES
from bigben_rules import Position
from bigben_server.play import Play

WON = GAMES["won_standard"]
BIG_BEN = PATIENCES["bigben"]


def play_of(position: Position, *, undo: bool) -> Play:
    return Play(RaceId("K7QPXM"), position, 0, undo=undo)


def test_a_race_has_no_undo_unless_it_was_opened_so() -> None:
    stage = racing(ADA)
    assert not stage.heard(ADA, Snapshot)[0].can_undo
    assert refused(stage.move(ADA, "undo")) == ("illegal", "This race has no undo.")


def test_a_race_may_be_opened_with_undo() -> None:
    stage = racing(ADA, undo=True)
    move = next((move for move in stage.heard(ADA, Snapshot)[0].legal if " " in move), "")
    assert only(stage.move(ADA, move), Diff).can_undo
    assert only(stage.move(ADA, "undo"), Diff).n == 2


def test_undo_goes_back_to_the_last_card_from_the_stock_and_no_further() -> None:
    stage = practice(seed=WON.seed)
    view = View.of(only(stage.ready(ADA), Snapshot))
    views = [view]
    for move in ("turn", "turn", "7 f7", "refill", "9 7", "9 f5", "9 f5"):
        views.append(views[-1].after(only(stage.move(ADA, move), Diff)))
    for expected in (views[6], views[5], views[4]):
        assert views[-1].can_undo
        diff = only(stage.move(ADA, " Undo"), Diff)
        assert diff.move == "undo"
        assert diff.digest == expected.digest
        assert diff.legal == expected.legal
        assert diff.home == expected.home
        views.append(views[-1].after(diff))
    assert not views[-1].can_undo
    assert refused(stage.move(ADA, "undo")) == (
        "illegal",
        "Nothing to undo since the last card was dealt.",
    )
    assert stage.standing(ADA).moves == 10, "an undo counts"


def test_undo_brings_back_the_time_of_the_last_card_home() -> None:
    stage = practice(seed=WON.seed)
    stage.ready(ADA)
    stage.wait(SECOND).move(ADA, "turn", "turn", "7 f7")
    stage.wait(SECOND).move(ADA, "refill", "9 7")
    stage.wait(SECOND).move(ADA, "9 f5")
    assert (stage.standing(ADA).home_ms, stage.standing(ADA).home) == (3 * SECOND, 14)
    stage.wait(SECOND).move(ADA, "undo")
    standing = stage.standing(ADA)
    assert (standing.home_ms, standing.home, standing.ms) == (SECOND, 13, 4 * SECOND)


def test_nothing_can_be_undone_before_the_first_move() -> None:
    stage = practice()
    assert not only(stage.ready(ADA), Snapshot).can_undo
    assert refused(stage.move(ADA, "undo"))[0] == "illegal"


STUCK = BIG_BEN.read(GAMES["blocked_standard"].last)


def test_who_is_stuck_but_may_undo_plays_on() -> None:
    blocked = GAMES["blocked_standard"]
    stage = practice(seed=blocked.seed)
    stage.ready(ADA)
    diff = only(stage.move(ADA, *blocked.moves), Diff)
    assert blocked.moves[-1] not in ("refill", "turn")
    assert (diff.state, diff.legal, diff.can_undo) == ("playing", (), True)
    diff = only(stage.move(ADA, "undo"), Diff)
    assert blocked.moves[-1] in diff.legal
    stage.move(ADA, blocked.moves[-1])
    assert stage.restart().standing(ADA).state == "playing"
    assert only(stage.move(ADA, "resign"), Diff).state == "resigned"


def test_who_is_stuck_after_the_last_card_of_the_stock_is_blocked() -> None:
    assert play_of(STUCK, undo=True).state == "blocked"
    assert play_of(STUCK, undo=False).state == "blocked"


def test_a_win_cannot_be_undone() -> None:
    stage = practice(seed=WON.seed)
    stage.ready(ADA)
    diff = only(stage.move(ADA, *WON.moves), Diff)
    assert (diff.state, diff.can_undo) == ("won", False)

"""Moves as messages: their numbers, sending one again, and what is refused in which words."""

import pytest
from tests.rules.recorded import GAMES
from tests.server.stage import (
    ADA,
    BOB,
    DORA,
    SECOND,
    Stage,
    any_move,
    daily,
    only,
    only_refusal,
    practice,
    racing,
)
from tests.support.times import HOUR

from bigben_protocol import (
    CODECS,
    Diff,
    Gap,
    GetRecord,
    Record,
    Refused,
    Reveal,
    Room,
    ServerMessage,
    Snapshot,
    Standings,
    View,
)
from bigben_server.race import events
from bigben_server.race.game import MOST_MOVES
from bigben_server.race.views import DIFFS_WORTH_A_SNAPSHOT

WON = GAMES["won_standard"]


def winning() -> Stage:
    """A daily whose deal is that of the recorded win; Ada has seen the cards."""
    stage = daily(ADA, BOB, seed=WON.seed)
    stage.ready(ADA)
    return stage


def frames(messages: list[ServerMessage]) -> list[bytes]:
    return [codec.encode(message) for codec in CODECS.values() for message in messages]


# Numbers


def test_moves_are_numbered_from_one() -> None:
    stage = winning()
    assert only_refusal(stage.send(ADA, 0, WON.moves[0])) == ("gap", "Moves are numbered from 1.")
    assert only_refusal(stage.send(ADA, 2, WON.moves[0])) == ("gap", "Your next move is number 1.")
    assert only(stage.send(ADA, 1, WON.moves[0]), Diff).n == 1
    assert only_refusal(stage.send(ADA, 3, WON.moves[2])) == ("gap", "Your next move is number 2.")


def test_a_refusal_names_the_number_of_the_move() -> None:
    (told,) = winning().send(ADA, 5, "turn")
    assert isinstance(told, Refused)
    assert told.ref == 5


def test_a_refused_move_does_not_use_up_its_number() -> None:
    stage = winning()
    only(stage.send(ADA, 1, "12 fdn"), Refused)
    assert only(stage.send(ADA, 1, WON.moves[0]), Diff).n == 1


def test_a_view_follows_the_diffs_to_the_end() -> None:
    stage = winning()
    view = View.of(stage.heard(ADA, Snapshot)[0])
    for move in WON.moves:
        view = view.after(only(stage.move(ADA, move), Diff))
    assert (view.state, view.home, view.legal) == ("won", 104, ())
    assert View.of(only(stage.resume(ADA, 0), Snapshot)) == view


# Sent again


def test_any_move_sent_again_gets_its_original_diff_byte_for_byte() -> None:
    stage = winning()
    first = [only(stage.wait(SECOND).move(ADA, move), Diff) for move in WON.moves]
    logged = list(stage.seat_logs[ADA.id])
    for n, (move, diff) in enumerate(zip(WON.moves, first, strict=True), start=1):
        assert frames(stage.wait(SECOND).send(ADA, n, move)) == frames([diff])
    assert stage.seat_logs[ADA.id] == logged


def test_another_process_gives_the_same_diff_again() -> None:
    stage = winning()
    stage.wait(SECOND).move(ADA, *WON.moves[:19])
    diff = only(stage.wait(SECOND).move(ADA, WON.moves[19]), Diff)
    assert frames(stage.restart().wait(SECOND).send(ADA, 20, WON.moves[19])) == frames([diff])


def test_a_move_sent_again_in_other_words_is_the_same_move() -> None:
    stage = winning()
    dealt, played = "refill", "3 f9"
    for n, move in enumerate(WON.moves[:9], start=1):
        stage.send(ADA, n, move)
    assert (WON.moves[3], WON.moves[8]) == (dealt, played)
    assert only(stage.send(ADA, 4, "  DEAL "), Diff).move == dealt
    assert only(stage.send(ADA, 9, "3  Foundation"), Diff).move == played


@pytest.mark.parametrize("text", ["turn", "2 f5", "undo", "resign", "nonsense", "", "timeout"])
def test_another_move_under_a_number_that_is_taken_is_a_conflict(text: str) -> None:
    stage = winning()
    stage.move(ADA, *WON.moves[:4])
    assert only_refusal(stage.send(ADA, 4, text)) == (
        "conflict",
        "You already played a different move 4.",
    )


def test_the_last_move_is_answered_again_when_the_race_is_closed() -> None:
    """The answer may have been lost with the connection, and the move closed the race."""
    stage = racing(ADA)
    diff = only(stage.wait(SECOND).move(ADA, "resign"), Diff)
    stage.wait(0)
    assert stage.race.phase(stage.now) == "closed"
    assert stage.send(ADA, 1, "resign") == [diff]
    assert stage.restart().send(ADA, 1, "resign") == [diff]
    assert only_refusal(stage.send(ADA, 2, "turn")) == (
        "phase",
        "The race is over; everybody can see its cards and moves.",
    )


def test_a_move_that_came_after_the_time_out_is_too_late_and_no_conflict() -> None:
    stage = racing(ADA, BOB, limit_ms=HOUR)
    move = any_move(stage.heard(ADA, Snapshot))
    stage.wait(HOUR)
    assert only_refusal(stage.send(ADA, 1, move)) == ("phase", "The time for this race is over.")


# Illegal and unreadable


def test_an_illegal_move_is_refused_in_words_about_cards_that_the_player_sees() -> None:
    stage = winning()
    code, text = only_refusal(stage.move(ADA, "7 f9"))
    assert (code, text) == ("illegal", "The foundation at 9 wants 3C, not KS.")
    assert stage.race.seats[ADA.id].status == events.SeatStatus(
        "playing", home=12, begun_at=stage.now
    )


@pytest.mark.parametrize(
    "text",
    ["", " ", "x", "begin", "timeout", "13 fdn", "s 3", "f9 3", "3", "\x00", "３ fdn", "3 3"],
)
def test_text_that_is_not_a_move_is_refused_with_the_notation(text: str) -> None:
    stage = winning()
    code, sentence = only_refusal(stage.move(ADA, text))
    assert code == "notation"
    assert sentence.endswith(".")


def test_a_spectator_has_no_moves() -> None:
    stage = racing(ADA)
    stage.watch(DORA)
    assert only_refusal(stage.send(DORA, 1, "deal"))[0] == "seat"


def test_nothing_is_played_before_the_start() -> None:
    stage = daily(ADA)
    assert only_refusal(stage.send(ADA, 1, "deal"))[0] == "phase"


def test_nothing_is_played_after_the_end_of_ones_game() -> None:
    stage = winning()
    stage.move(ADA, *WON.moves)
    for move in ("turn", "undo", "resign"):
        assert only_refusal(stage.move(ADA, move)) == ("illegal", "Your game is over.")


def test_a_game_is_not_endless() -> None:
    stage = practice(seed=WON.seed)
    stage.ready(ADA)
    stage.move(ADA, *["7 f7", "undo"] * (MOST_MOVES // 2))
    code, text = only_refusal(stage.move(ADA, "turn"))
    assert (code, text) == ("limit", "A game has at most 2000 moves; you can resign.")
    assert only(stage.send(ADA, MOST_MOVES, "undo"), Diff).n == MOST_MOVES
    assert only(stage.move(ADA, "resign"), Diff).state == "resigned"


# Coming back


@pytest.mark.parametrize("missed", range(DIFFS_WORTH_A_SNAPSHOT + 1))
def test_a_player_who_missed_a_few_moves_receives_them(missed: int) -> None:
    stage = winning()
    diffs = [only(stage.wait(1).move(ADA, move), Diff) for move in WON.moves[:30]]
    room, *rest = stage.resume(ADA, 30 - missed)
    assert isinstance(room, Room)
    assert rest == diffs[30 - missed :]
    room, *rest = stage.restart().resume(ADA, 30 - missed)
    assert rest == diffs[30 - missed :]


@pytest.mark.parametrize("since", [0, 1, 21, 31, 2**31])
def test_a_player_who_missed_more_or_claims_too_much_gets_a_snapshot(since: int) -> None:
    stage = winning()
    stage.move(ADA, *WON.moves[:30])
    room, snapshot = stage.resume(ADA, since)
    assert isinstance(room, Room)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.n == 30


def test_a_player_who_returns_after_the_end_of_their_game_learns_how_it_ended() -> None:
    stage = winning()
    stage.move(ADA, *WON.moves)
    told = stage.resume(ADA, len(WON.moves) - 1)
    assert [type(message) for message in told] == [Room, Diff]
    stage.wait(24 * HOUR)
    told = stage.resume(ADA, len(WON.moves) - 1)
    assert [type(message) for message in told] == [Room, Diff, Standings, Reveal]


def test_a_player_who_returns_in_the_countdown_gets_no_cards_yet() -> None:
    stage = racing(ADA)
    stage.wait(-SECOND)
    assert [type(message) for message in stage.resume(ADA, 0)] == [Room]


def test_a_diff_out_of_order_shows_the_client_a_gap() -> None:
    stage = winning()
    view = View.of(stage.heard(ADA, Snapshot)[0])
    stage.move(ADA, WON.moves[0])
    later = only(stage.move(ADA, WON.moves[1]), Diff)
    with pytest.raises(Gap):
        view.after(later)


# Records


def test_ones_own_record_has_every_move_and_no_card_to_come() -> None:
    stage = winning()
    stage.wait(SECOND).move(ADA, *WON.moves[:3])
    record = only(stage.say(ADA, GetRecord(stage.race.id, ref=4)), Record)
    assert record.moves == tuple((SECOND, move) for move in WON.moves[:3])
    assert (record.order, record.ref) == ((), 4)
    assert record.piles == only(stage.heard(ADA, Snapshot), Snapshot).piles
    assert record.steps == tuple(diff.steps for diff in stage.heard(ADA, Diff))


def test_a_record_shows_a_game_without_knowledge_of_the_rules() -> None:
    stage = winning()
    snapshot = stage.heard(ADA, Snapshot)[0]
    diffs = [only(stage.move(ADA, move), Diff) for move in WON.moves]
    record = only(stage.say(ADA, GetRecord(stage.race.id)), Record)
    assert record.piles == snapshot.piles
    assert record.steps == tuple(diff.steps for diff in diffs)
    assert len(record.steps) == len(record.moves)


def test_the_record_of_an_unknown_player_is_refused() -> None:
    stage = winning()
    ask = GetRecord(stage.race.id, "guest:nobody")
    assert only_refusal(stage.say(ADA, ask)) == ("seat", "There is no such seat in this race.")


def test_the_record_of_a_timed_out_seat_says_so() -> None:
    stage = racing(ADA, limit_ms=HOUR)
    stage.wait(HOUR)
    record = only(stage.say(DORA, GetRecord(stage.race.id, ADA.id)), Record)
    assert record.moves == ((HOUR, "timeout"),)
    assert len(record.order) == 92

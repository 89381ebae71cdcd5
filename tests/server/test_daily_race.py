"""The daily race: each on their own clock, once, until midnight UTC."""

from tests.rules.recorded import GAMES
from tests.server.stage import ADA, BOB, CARL, DORA, SECOND, any_move, daily, only, only_refusal
from tests.support.times import DAY, MIDNIGHT, NOON

from bigben_protocol import (
    CERTIFICATE,
    Diff,
    GetRecord,
    GetStandings,
    Progress,
    Record,
    Reveal,
    Room,
    Snapshot,
    Standings,
)

WON = GAMES["won_standard"]
BLOCKED = GAMES["blocked_standard"]


def test_a_daily_is_open_from_midnight_to_midnight() -> None:
    room = daily(ADA).heard(ADA, Room)[0]
    assert (room.opened_at, room.closes_at) == (MIDNIGHT, MIDNIGHT + DAY)
    assert room.phase == "running"


def test_a_daily_has_no_host() -> None:
    assert daily(ADA, BOB).heard(BOB, Room)[-1].host == ""


def test_a_player_who_has_joined_sees_no_card_and_has_no_clock() -> None:
    stage = daily(ADA)
    assert stage.heard(ADA, Snapshot) == []
    assert stage.standing(ADA).state == "joined"
    assert only_refusal(stage.move(ADA, "deal")) == (
        "phase",
        "Your clock has not started; have the cards shown first.",
    )
    assert only_refusal(stage.send(ADA, 0, "deal"))[0] == "phase"


def test_the_clock_runs_from_the_first_sight_of_the_cards() -> None:
    stage = daily(ADA, BOB)
    snapshot = only(stage.wait(5 * SECOND).ready(ADA), Snapshot)
    assert (snapshot.begun_at, snapshot.ms) == (NOON + 5 * SECOND, 0)
    stage.wait(9 * SECOND).ready(BOB)
    stage.wait(400).move(BOB, any_move([snapshot]))
    stage.move(ADA, any_move([snapshot]))
    assert stage.standing(BOB).ms == 400
    assert stage.standing(ADA).ms == 9 * SECOND + 400


def test_all_have_the_same_cards() -> None:
    stage = daily(ADA, BOB)
    stage.ready(ADA)
    stage.wait(SECOND).ready(BOB)
    (adas,), (bobs,) = stage.heard(ADA, Snapshot), stage.heard(BOB, Snapshot)
    assert (adas.piles, adas.digest) == (bobs.piles, bobs.digest)


def test_there_is_one_attempt() -> None:
    stage = daily(ADA)
    stage.ready(ADA)
    stage.wait(SECOND).move(ADA, "resign")
    for again in (stage.ready(ADA), stage.join(ADA), stage.resume(ADA, 0)):
        assert only(again, Snapshot).state == "resigned"
    for move in ("deal", "3 fdn", "12 1", "resign"):
        assert only_refusal(stage.move(ADA, move)) == ("illegal", "Your game is over.")


def test_ready_again_shows_the_same_game_and_does_not_wind_the_clock_back() -> None:
    stage = daily(ADA)
    first = only(stage.ready(ADA), Snapshot)
    again = only(stage.wait(SECOND).ready(ADA), Snapshot)
    assert again == first
    stage.leave(ADA)
    stage.wait(SECOND).join(ADA)
    assert stage.heard(ADA, Snapshot)[-1] == first
    stage.move(ADA, any_move([first]))
    assert stage.standing(ADA).ms == 2 * SECOND


def test_others_learn_that_a_player_has_begun() -> None:
    stage = daily(ADA, BOB)
    stage.ready(ADA)
    assert stage.heard(BOB, Progress)[-1].seats[0].state == "playing"
    assert stage.heard(BOB, Snapshot) == []


def test_a_win_is_placed_by_its_time() -> None:
    stage = daily(ADA, BOB, CARL, seed=WON.seed)
    stage.ready(ADA, BOB, CARL)
    stage.wait(60 * SECOND).move(BOB, *WON.moves)
    stage.wait(SECOND).move(ADA, *WON.moves)
    stage.move(CARL, *WON.moves[:-1])
    assert stage.standing(BOB).state == stage.standing(ADA).state == "won"
    assert stage.standing(BOB).home_ms == stage.standing(BOB).ms == 60 * SECOND
    assert stage.place(BOB, ADA, CARL) == [1, 2, 3]


def test_a_winner_learns_the_deal_and_the_others_moves_when_the_day_is_over() -> None:
    stage = daily(ADA, BOB, seed=WON.seed)
    stage.ready(ADA, BOB)
    stage.move(BOB, WON.moves[0])
    stage.move(ADA, *WON.moves)
    ask = GetRecord(stage.race.id, BOB.id)
    early = ("phase", "You can see the moves of others when the race is over.")
    assert only_refusal(stage.say(ADA, ask)) == early
    assert stage.heard(ADA, Reveal) == []
    stage.at(MIDNIGHT + DAY)
    assert stage.heard(ADA, Reveal)[-1].seed == WON.seed
    record = only(stage.say(ADA, ask), Record)
    assert record.moves[0] == (0, WON.moves[0])
    assert list(record.order) == WON.order


def test_a_second_account_that_gives_up_at_once_learns_nothing_for_the_first() -> None:
    stage = daily(ADA, BOB)
    stage.ready(BOB)
    told = stage.move(BOB, "resign")
    for again in (stage.watch(BOB), stage.join(BOB), stage.resume(BOB, 1), stage.resume(BOB, 0)):
        told += again
    record = only(stage.say(BOB, GetRecord(stage.race.id)), Record)
    assert not any(isinstance(message, Reveal) for message in told)
    assert record.order == ()
    assert record.piles == only(stage.ready(ADA), Snapshot).piles, "no more than Ada sees"


def test_the_game_of_a_blocked_player_is_over() -> None:
    stage = daily(ADA, seed=BLOCKED.seed)
    stage.ready(ADA)
    told = stage.move(ADA, *BLOCKED.moves)
    assert only(told, Diff).state == "blocked"
    assert only(told, Diff).legal == ()


def test_a_daily_whose_racers_are_all_done_stays_open_for_others() -> None:
    stage = daily(ADA)
    stage.ready(ADA)
    stage.move(ADA, "resign")
    assert stage.wait(SECOND).race.phase(stage.now) == "running"
    stage.join(BOB)
    only(stage.ready(BOB), Snapshot)


def test_at_midnight_running_games_time_out_and_everything_is_revealed() -> None:
    stage = daily(ADA, BOB, CARL, now=MIDNIGHT + DAY - 10 * SECOND)
    stage.watch(DORA)
    stage.ready(ADA)
    stage.wait(4 * SECOND).ready(BOB)
    stage.move(BOB, any_move(stage.heard(BOB, Snapshot)))
    stage.wait(6 * SECOND)
    assert stage.race.phase(stage.now) == "closed"
    assert (stage.standing(ADA).state, stage.standing(ADA).ms) == ("timed out", 10 * SECOND)
    assert (stage.standing(BOB).state, stage.standing(BOB).ms) == ("timed out", 6 * SECOND)
    assert {row.player for row in stage.final()} == {ADA.id, BOB.id}, "Carl saw no card"
    for player in (ADA, BOB, CARL, DORA):
        assert len(stage.heard(player, Reveal)) == 1


def test_nothing_begins_after_midnight_even_before_the_race_is_closed() -> None:
    stage = daily(ADA)
    stage.now = MIDNIGHT + DAY
    over = ("phase", "The time for this race is over.")
    assert only_refusal(stage.ready(ADA)) == over
    assert only_refusal(stage.join(BOB)) == over
    stage.at(stage.now)
    assert only_refusal(stage.ready(ADA))[0] == "phase"


def test_a_move_on_the_stroke_of_midnight_is_too_late() -> None:
    stage = daily(ADA)
    first = only(stage.ready(ADA), Snapshot)
    stage.now = MIDNIGHT + DAY - 1
    only(stage.move(ADA, any_move([first])), Diff)
    stage.now += 1
    assert only_refusal(stage.move(ADA, "resign")) == ("phase", "The time for this race is over.")


def test_a_daily_that_nobody_plays_closes_without_rows() -> None:
    stage = daily(ADA)
    stage.at(MIDNIGHT + DAY)
    assert stage.final() == ()


def test_standings_before_the_end_are_not_final() -> None:
    stage = daily(ADA, BOB)
    stage.ready(ADA)
    standings = only(stage.say(BOB, GetStandings(stage.race.id, 7)), Standings)
    assert (standings.final, standings.ref, len(standings.rows)) == (False, 7, 1)


def test_par_and_the_line_that_wins_are_shown_to_all_when_the_day_is_over() -> None:
    stage = daily(ADA, seed=WON.seed, certificate=WON.moves)
    ask = GetRecord(stage.race.id, CERTIFICATE)
    assert only_refusal(stage.say(BOB, ask))[0] == "phase"
    assert {room.par for room in stage.heard(ADA, Room)} == {0}
    stage.at(MIDNIGHT + DAY)
    assert stage.heard(ADA, Room)[-1].par == len(WON.moves)
    record = only(stage.say(BOB, ask), Record)
    assert [move for _, move in record.moves] == list(WON.moves)
    assert (record.standing.player, record.standing.state) == (CERTIFICATE, "won")
    assert len(record.steps) == len(WON.moves)
    assert record.piles


def test_without_a_certificate_there_is_no_par_and_no_line() -> None:
    stage = daily(ADA).at(MIDNIGHT + DAY)
    assert stage.heard(ADA, Room)[-1].par == 0
    refused = only_refusal(stage.say(ADA, GetRecord(stage.race.id, CERTIFICATE)))
    assert refused == ("seat", "No win of this deal is known.")

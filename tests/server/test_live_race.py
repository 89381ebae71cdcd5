"""A live race from the room to the rematch, with time as a number."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    DORA,
    SECOND,
    any_move,
    live,
    only,
    only_refusal,
    racing,
)
from tests.support.times import DAY, HOUR, NOON

from bigben_protocol import (
    Diff,
    GetRecord,
    Left,
    PlayerId,
    Progress,
    Record,
    Reveal,
    Room,
    Snapshot,
    Standings,
)
from bigben_rules import commitment
from bigben_server.race import timers
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.deciding import MOST_SEATS
from bigben_server.race.events import Player


def names(room: Room) -> list[str]:
    return [seat.name for seat in room.seats]


def states(room: Room) -> list[str]:
    return [seat.state for seat in room.seats]


# The room


def test_all_see_the_players_in_the_order_of_joining() -> None:
    stage = live(ADA, BOB)
    stage.join(CARL)
    assert names(stage.heard(ADA, Room)[-1]) == ["Ada", "Bob", "Carl"]
    assert names(stage.heard(CARL, Room)[-1]) == ["Ada", "Bob", "Carl"]


def test_joining_again_returns_to_the_same_seat() -> None:
    stage = live(ADA, BOB)
    assert names(only(stage.join(ADA)[:1], Room)) == ["Ada", "Bob"]
    assert stage.race.event_count == 3


def test_a_seat_takes_the_name_that_its_player_has_by_now() -> None:
    stage = racing(ADA, BOB)
    stage.join(ADA._replace(name="Lovelace"))
    assert names(stage.heard(BOB, Room)[-1]) == ["Lovelace", "Bob"]
    assert stage.standing(ADA).name == "Lovelace"
    events = stage.race.event_count
    stage.join(ADA._replace(name="Lovelace"))
    assert stage.race.event_count == events


def test_a_closed_race_keeps_its_names() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, "resign")
    stage.move(BOB, "resign")
    stage.wait(0)
    assert names(only(stage.join(ADA._replace(name="Lovelace"))[:1], Room)) == ["Ada", "Bob"]


def test_a_room_has_seats_for_a_hundred() -> None:
    crowd = [Player(PlayerId(f"guest:{i}"), f"Guest {i}") for i in range(1, MOST_SEATS)]
    stage = live(ADA, *crowd)
    assert only_refusal(stage.join(BOB)) == ("limit", "The room is full: 100 seats are taken.")
    only(stage.join(ADA), Room)
    stage.leave(crowd[0])
    only(stage.join(BOB)[:1], Room)


def test_a_spectator_has_no_seat() -> None:
    stage = live(ADA)
    assert names(only(stage.watch(DORA), Room)) == ["Ada"]
    assert only_refusal(stage.ready(DORA)) == (
        "seat",
        "You have no seat in this race; join it first.",
    )
    assert only_refusal(stage.unready(DORA))[0] == "seat"


def test_ready_can_be_taken_back() -> None:
    stage = live(ADA, BOB)
    stage.ready(ADA)
    assert states(stage.heard(BOB, Room)[-1]) == ["ready", "joined"]
    stage.unready(ADA)
    assert states(stage.heard(BOB, Room)[-1]) == ["joined", "joined"]


def test_a_player_who_leaves_before_the_start_gives_up_the_seat() -> None:
    stage = live(ADA, BOB)
    assert only(stage.leave(BOB), Left).ref == 1
    assert names(stage.heard(ADA, Room)[-1]) == ["Ada"]
    assert names(stage.heard(BOB, Room)[-1]) == ["Ada", "Bob"], "who left hears no more"


def test_when_the_host_leaves_the_next_in_seat_order_is_host() -> None:
    stage = live(ADA, BOB, CARL)
    stage.leave(ADA)
    assert stage.heard(CARL, Room)[-1].host == BOB.id
    stage.ready(CARL)
    assert only_refusal(stage.start(CARL)) == (
        "seat",
        "Only the host can start the race for everybody.",
    )
    assert only(stage.start(BOB)[:1], Room).phase == "countdown"


def test_the_maker_is_host_again_after_coming_back() -> None:
    stage = live(ADA, BOB)
    stage.leave(ADA)
    stage.join(ADA)
    assert stage.race.host == ADA.id
    assert names(stage.heard(BOB, Room)[-1]) == ["Bob", "Ada"]


def test_when_everybody_has_left_the_room_is_cancelled() -> None:
    stage = live(ADA, BOB)
    stage.watch(DORA)
    stage.leave(ADA)
    stage.leave(BOB)
    assert stage.heard(DORA, Room)[-1].phase == "cancelled"
    assert only_refusal(stage.ready(ADA))[0] == "phase"
    assert stage.wait(2 * DAY).race.phase(stage.now) == "cancelled"


def test_the_race_starts_if_the_player_for_whom_all_waited_leaves() -> None:
    stage = live(ADA, BOB, CARL)
    stage.ready(ADA, BOB)
    stage.leave(CARL)
    room = stage.heard(ADA, Room)[-1]
    assert (room.phase, names(room)) == ("countdown", ["Ada", "Bob"])


def test_a_room_that_nobody_starts_is_cancelled_after_a_day() -> None:
    stage = live(ADA, BOB)
    stage.ready(ADA)
    assert timers.next_at(stage.race, stage.now) == NOON + DAY
    assert stage.at(NOON + DAY - 1).race.phase(stage.now) == "open"
    assert stage.at(NOON + DAY).race.phase(stage.now) == "cancelled"
    assert stage.heard(BOB, Room)[-1].phase == "cancelled"
    assert stage.heard(BOB, Reveal) == []
    assert timers.next_at(stage.race, stage.now) == 0


def test_ready_again_with_another_nonce_is_refused_and_the_first_one_counts() -> None:
    stage = live(ADA, BOB)
    stage.ready(ADA, nonce="aa" * 32)
    conflict = (
        "conflict",
        "You are already ready with another nonce; send unready first to change the nonce.",
    )
    for other in ("bb" * 32, ""):
        assert only_refusal(stage.ready(ADA, nonce=other)) == conflict
    assert only(stage.ready(ADA, nonce="aa" * 32), Room).seats[0].state == "ready"
    stage.unready(ADA)
    stage.ready(ADA, nonce="bb" * 32)
    stage.ready(BOB, nonce="")
    fixed = ("conflict", "The race uses the nonce that you first sent with ready.")
    for wait in (0, COUNTDOWN_MS):
        stage.wait(wait)
        assert only_refusal(stage.ready(ADA, nonce="aa" * 32)) == fixed
        only(stage.ready(ADA, nonce="bb" * 32), Room)
    assert stage.race.nonces == ("bb" * 32, "")


# The start


def test_when_all_are_ready_the_countdown_begins_and_all_start_at_once() -> None:
    stage = live(ADA, BOB)
    stage.ready(ADA)
    assert stage.heard(ADA, Room)[-1].phase == "open"
    stage.wait(5 * SECOND).ready(BOB)
    for player in (ADA, BOB):
        room = stage.heard(player, Room)[-1]
        assert (room.phase, room.starts_at) == ("countdown", NOON + 5 * SECOND + COUNTDOWN_MS)
    stage.wait(COUNTDOWN_MS - 1)
    assert stage.heard(ADA, Snapshot) == []
    stage.wait(1)
    (adas,) = stage.heard(ADA, Snapshot)
    (bobs,) = stage.heard(BOB, Snapshot)
    assert adas == bobs
    assert adas.begun_at == NOON + 5 * SECOND + COUNTDOWN_MS
    assert stage.heard(ADA, Room)[-1].phase == "running"


def test_a_lone_ready_starts_nothing_but_the_host_may_race_alone() -> None:
    stage = live(ADA)
    assert only_refusal(stage.start(ADA)) == ("phase", "Nobody is ready yet; get ready first.")
    stage.ready(ADA)
    stage.ready(ADA)
    assert stage.heard(ADA, Room)[-1].phase == "open"
    assert only(stage.start(ADA)[:1], Room).phase == "countdown"
    assert only(stage.start(ADA)[:1], Room).phase == "countdown", "sent again, it changes nothing"
    assert names(stage.heard(ADA, Room)[-1]) == ["Ada"]
    stage.wait(COUNTDOWN_MS)
    assert len(stage.heard(ADA, Snapshot)) == 1


def test_nothing_starts_when_the_others_leave_and_one_ready_player_remains() -> None:
    stage = live(ADA, BOB, CARL)
    stage.ready(BOB)
    stage.leave(ADA)
    stage.leave(CARL)
    assert stage.heard(BOB, Room)[-1].phase == "open"
    stage.join(CARL)
    assert stage.heard(BOB, Room)[-1].phase == "open"
    stage.ready(CARL)
    assert stage.heard(BOB, Room)[-1].phase == "countdown"


_PLAYERS = st.sampled_from((ADA, BOB, CARL))
_REQUESTS = st.sampled_from(("join", "leave", "ready", "unready"))


@given(st.lists(st.tuples(_PLAYERS, _REQUESTS), max_size=20))
def test_without_the_host_two_seats_that_are_all_ready_start_a_race_and_nothing_else_does(
    said: list[tuple[Player, str]],
) -> None:
    stage = live(ADA)
    stage.watch(DORA)
    for player, what in said:
        seats = stage.race.seats
        if what == "ready":
            stage.ready(player)
        elif what == "unready":
            stage.unready(player)
        else:
            (stage.join if what == "join" else stage.leave)(player)
        room = stage.heard(DORA, Room)[-1]
        if room.phase != "open":
            assert room.phase == "cancelled" if not seats else len(room.seats) > 1
            return
        assert len(room.seats) == 1 or {"joined"} <= {*states(room)}


def test_the_host_starts_with_those_who_are_ready() -> None:
    stage = live(ADA, BOB, CARL)
    stage.ready(BOB)
    assert names(only(stage.start(ADA)[:1], Room)) == ["Bob"]
    stage.wait(COUNTDOWN_MS)
    assert len(stage.heard(BOB, Snapshot)) == 1
    assert stage.heard(ADA, Snapshot) == stage.heard(CARL, Snapshot) == []
    assert only_refusal(stage.join(CARL))[0] == "phase"


def test_the_host_cannot_start_while_nobody_is_ready() -> None:
    assert only_refusal(live(ADA, BOB).start(ADA)) == (
        "phase",
        "Nobody is ready yet; get ready first.",
    )


def test_no_seat_is_taken_or_given_up_in_the_countdown() -> None:
    stage = live(ADA, BOB)
    stage.ready(ADA, BOB)
    code, text = only_refusal(stage.join(CARL))
    assert (code, text) == ("phase", "The race has started without you; you can watch it.")
    stage.leave(BOB)
    assert names(stage.heard(ADA, Room)[-1]) == ["Ada", "Bob"]
    assert only_refusal(stage.unready(ADA))[1].startswith("The countdown is running")


def test_the_deal_is_made_of_the_servers_seed_and_the_nonces_in_seat_order() -> None:
    stage = live(ADA, BOB, CARL)
    stage.leave(ADA)
    stage.join(ADA)
    stage.ready(ADA, nonce="aa" * 32)
    stage.ready(CARL, nonce="cc" * 32)
    stage.ready(BOB, nonce="bb" * 32)
    seed = bytes(range(32))
    mixed = seed + b"\xbb" * 32 + b"\xcc" * 32 + b"\xaa" * 32
    assert stage.race.seed == sha256(mixed).digest()
    assert stage.heard(ADA, Room)[0].commitment == commitment(seed)


def test_a_nonce_more_makes_another_deal() -> None:
    one, other = live(ADA, BOB), live(ADA, BOB)
    one.ready(ADA, BOB)
    other.ready(ADA, BOB, nonce="f" * 64)
    assert one.race.order != other.race.order


# The race


def test_a_move_is_answered_and_rivals_learn_only_how_far_the_player_is() -> None:
    stage = racing(ADA, BOB)
    move = any_move(stage.heard(ADA, Snapshot))
    stage.wait(700)
    diff = only(stage.move(ADA, move), Diff)
    assert (diff.n, diff.move, diff.ms) == (1, move, 700)
    assert stage.heard(BOB, Diff) == []
    assert stage.heard(BOB, Progress)[-1].seats == (stage.standing(ADA),)


def test_a_player_who_resigns_learns_the_deal_when_the_race_is_closed() -> None:
    stage = racing(ADA, BOB)
    told = stage.wait(SECOND).move(ADA, "resign")
    assert only(told, Diff).state == "resigned"
    assert stage.standing(ADA).ms == SECOND
    stage.watch(ADA)
    stage.watch(DORA)
    assert stage.heard(ADA, Reveal) + stage.heard(DORA, Reveal) == []
    stage.move(BOB, "resign")
    stage.wait(0)
    for player in (ADA, BOB, DORA):
        (reveal,) = stage.heard(player, Reveal)
        assert reveal.server_seed == bytes(range(32)).hex()


def test_a_player_who_resigns_can_not_see_a_rivals_moves() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, "resign")
    stage.move(BOB, any_move(stage.heard(BOB, Snapshot)))
    ask = GetRecord(stage.race.id, BOB.id)
    early = ("phase", "You can see the moves of others when the race is over.")
    assert only_refusal(stage.say(ADA, ask)) == early
    stage.move(BOB, "resign")
    stage.wait(0)
    assert len(only(stage.say(ADA, ask), Record).moves) == 2


def test_the_own_record_can_be_had_in_mid_game_as_far_as_its_player_has_seen() -> None:
    stage = live(ADA, BOB)
    ask = GetRecord(stage.race.id)
    stage.ready(ADA, BOB)
    countdown = only(stage.say(ADA, ask), Record)
    assert (countdown.piles, countdown.steps, countdown.order) == ({}, (), ())
    stage.wait(COUNTDOWN_MS)
    (first,) = stage.heard(ADA, Snapshot)
    diff = only(stage.move(ADA, any_move([first])), Diff)
    record = only(stage.say(ADA, ask), Record)
    assert (record.piles, record.steps, record.order) == (first.piles, (diff.steps,), ())
    stage.move(ADA, "resign")
    assert only(stage.say(ADA, ask), Record).order == ()


def test_the_race_is_closed_when_every_seat_is_over() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, "resign")
    assert stage.wait(SECOND).race.phase(stage.now) == "running"
    stage.move(BOB, "resign")
    assert stage.wait(0).race.phase(stage.now) == "closed"
    assert [row.place for row in stage.final()] == [1, 1]
    assert len(stage.heard(BOB, Reveal)) == 1
    assert stage.heard(BOB, Room)[-1].phase == "closed"


def test_a_player_who_never_returns_is_timed_out_at_the_limit() -> None:
    stage = racing(ADA, BOB, limit_ms=HOUR)
    stage.move(BOB, "resign")
    start = NOON + COUNTDOWN_MS
    assert timers.next_at(stage.race, stage.now) == start + HOUR
    assert stage.at(start + HOUR - 1).race.phase(stage.now) == "running"
    assert stage.at(start + HOUR).race.phase(stage.now) == "closed"
    assert stage.standing(ADA).state == "timed out"
    assert (stage.standing(ADA).ms, stage.standing(ADA).moves) == (HOUR, 1)
    assert {row.state for row in stage.final()} == {"timed out", "resigned"}


def test_nothing_is_played_from_the_limit_on() -> None:
    stage = racing(ADA, BOB, limit_ms=HOUR)
    move = any_move(stage.heard(ADA, Snapshot))
    stage.now += HOUR
    assert only_refusal(stage.move(ADA, move)) == ("phase", "The time for this race is over.")


def test_no_limit_means_a_day() -> None:
    assert racing(ADA, limit_ms=0).race.closes_at == NOON + COUNTDOWN_MS + DAY


def test_leaving_a_running_race_only_stops_its_updates() -> None:
    stage = racing(ADA, BOB)
    stage.leave(BOB)
    heard = len(stage.told[BOB.id])
    stage.move(ADA, any_move(stage.heard(ADA, Snapshot)))
    assert len(stage.told[BOB.id]) == heard
    only(stage.join(BOB), Snapshot)
    stage.move(BOB, any_move(stage.heard(BOB, Snapshot)))
    assert stage.standing(BOB).moves == 1


def test_a_late_comer_to_a_closed_race_sees_all_of_it() -> None:
    stage = racing(ADA)
    stage.move(ADA, "resign")
    stage.wait(0)
    room, standings, reveal = stage.join(DORA)
    assert isinstance(room, Room)
    assert names(room) == ["Ada"]
    assert isinstance(standings, Standings)
    assert standings.final
    assert isinstance(reveal, Reveal)


def test_ready_and_start_sent_again_are_answered_and_change_nothing() -> None:
    stage = live(ADA, BOB)
    stage.ready(ADA, BOB)
    log = list(stage.room_log)
    for wait in (0, COUNTDOWN_MS):
        stage.wait(wait)
        for told in (stage.ready(BOB), stage.start(ADA)):
            assert isinstance(told[0], Room)
    assert stage.room_log == log


def test_a_player_without_a_seat_cannot_be_ready() -> None:
    assert only_refusal(racing(ADA).ready(DORA))[0] == "seat"

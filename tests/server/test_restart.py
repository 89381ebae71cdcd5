"""A race is the fold of its logs: whoever reads them holds the same race, at any moment."""

from collections.abc import Callable
from typing import Final, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    DORA,
    Stage,
    any_move,
    daily,
    everything_of,
    live,
    practice,
    racing,
)
from tests.support.times import DAY, HOUR, NOON
from tests.support.torture import examples

from bigben_protocol import CODECS, Diff, GetRecord, GetStandings, Snapshot
from bigben_server.race.events import Player
from bigben_server.race.state import Race

STARTS: Final[dict[str, Callable[[], Stage]]] = {
    "room": lambda: live(ADA, BOB),
    "race": lambda: racing(ADA, BOB, CARL, limit_ms=2 * HOUR),
    "race with undo": lambda: racing(ADA, BOB, undo=True),
    "daily": lambda: daily(ADA, BOB),
    "daily by the book": lambda: daily(ADA, rules="book"),
    "practice": practice,
}
WHAT: Final = (
    *("join", "watch", "leave", "ready", "unready", "start"),
    *("resume", "record", "standings", "again", "say", "play"),
)
TEXTS: Final = ("deal", "turn", "undo", "undo", "3 5", "12 fdn", "nonsense", "resign")


class Act(NamedTuple):
    """Something somebody does, a while after what was done before."""

    who: Player
    what: str
    number: int
    ms: int


acts = st.lists(
    st.builds(
        Act,
        st.sampled_from((ADA, ADA, ADA, BOB, BOB, CARL, DORA)),
        st.sampled_from((*WHAT, "ready", "play", "play", "play", "play", "play")),
        st.integers(0, 40),
        # Clocks are also set back.
        st.sampled_from((*(0, 1, 1, 20, 700, 3_000, 3_000, 60_000) * 3, HOUR, DAY, -1, -5_000)),
    ),
    min_size=15,
    max_size=60,
)


def perform(stage: Stage, act: Act) -> None:
    """Let it be done."""
    who, number, race = act.who, act.number, stage.race.id
    stage.wait(act.ms)
    match act.what:
        case "join":
            stage.join(who)
        case "watch":
            stage.watch(who)
        case "leave":
            stage.leave(who)
        case "ready":
            stage.ready(who, nonce=f"{number:064x}")
        case "unready":
            stage.unready(who)
        case "start":
            stage.start(who)
        case "resume":
            stage.resume(who, number)
        case "record":
            stage.say(who, GetRecord(race, (who, ADA, BOB)[number % 3].id))
        case "standings":
            stage.say(who, GetStandings(race))
        case "again":
            stage.send(who, number, any_text(stage, who, number))
        case "say":
            if who.id in stage.race.seats:
                stage.move(who, TEXTS[number % len(TEXTS)])
        case _:
            for _ in range(number):
                if who.id in stage.race.seats:
                    stage.move(who, any_text(stage, who, number))
    stage.wait(0)


def any_text(stage: Stage, who: Player, number: int) -> str:
    """A move that is legal for all that this player knows."""
    shown = [m for m in stage.told.get(who.id, []) if isinstance(m, Snapshot | Diff) and m.legal]
    if not shown:
        return "deal"
    legal = shown[-1].legal
    assert legal
    return legal[number % len(legal)] if number % 4 else any_move(shown)


def read_whole(stage: Stage) -> Race:
    """The race as another process reads it, with every seat's log."""
    race = stage.read()
    for player, seat in race.seats.items():
        if seat.status.begun_at:
            race.remember(player, stage.seat_logs.get(player, []))
    return race


@examples(40)
@given(st.sampled_from(list(STARTS)), acts)
def test_folding_the_logs_gives_the_same_race(start: str, acts: list[Act]) -> None:
    stage = STARTS[start]()
    for act in acts:
        perform(stage, act)
    for player, seat in stage.race.seats.items():
        if seat.status.begun_at and seat.play is None:
            stage.race.remember(player, stage.seat_logs.get(player, []))
    assert everything_of(read_whole(stage), stage.now) == everything_of(stage.race, stage.now)


@examples(40)
@given(st.sampled_from(list(STARTS)), acts)
def test_nobody_notices_when_another_process_takes_over(start: str, acts: list[Act]) -> None:
    stays, moves_on = STARTS[start](), STARTS[start]()
    for act in acts:
        perform(stays, act)
        perform(moves_on.restart(), act)
    assert moves_on.told == stays.told
    for player, told in stays.told.items():
        for codec in CODECS.values():
            again = [codec.encode(message) for message in moves_on.told[player]]
            assert again == [codec.encode(message) for message in told]


def test_a_seat_that_is_timed_out_while_its_log_is_read_stays_so() -> None:
    """The time out is decided here and not yet in the log that is just being read."""
    stage = racing(ADA, limit_ms=HOUR)
    stage.move(ADA, any_move(stage.heard(ADA, Snapshot)))
    stage.restart()
    seat = stage.race.seats[ADA.id]
    assert seat.play is None
    stage.race.stop(seat)
    stage.race.remember(ADA.id, stage.seat_logs[ADA.id])
    assert (seat.status.state, seat.status.moves, seat.status.ms) == ("timed out", 2, HOUR)
    play = stage.race.seats[ADA.id].play
    assert play is not None
    assert play.over


def test_an_old_update_about_a_seat_changes_nothing() -> None:
    stage = racing(ADA, BOB)
    old = stage.race.seats[ADA.id].status
    stage.move(ADA, any_move(stage.heard(ADA, Snapshot)))
    stage.race.take_moved()
    stage.race.take_status(ADA.id, old)
    stage.race.take_status(ADA.id, stage.race.seats[ADA.id].status)
    assert stage.race.take_moved() == {}
    assert stage.standing(ADA).moves == 1


def test_an_update_about_moves_made_elsewhere_drops_a_play_that_lags_behind() -> None:
    here, elsewhere = racing(ADA, BOB), racing(ADA, BOB)
    elsewhere.move(ADA, any_move(elsewhere.heard(ADA, Snapshot)))
    here.race.take_status(ADA.id, elsewhere.statuses[ADA.id])
    assert here.standing(ADA) == elsewhere.standing(ADA)
    assert here.race.seats[ADA.id].play is None
    assert list(here.race.take_moved()) == [ADA.id]


def test_a_room_that_is_read_late_closes_at_once() -> None:
    stage = racing(ADA, BOB, limit_ms=HOUR)
    stage.restart().at(NOON + DAY)
    assert stage.race.phase(stage.now) == "closed"
    assert {row.state for row in stage.final()} == {"timed out"}

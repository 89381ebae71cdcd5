"""The state table, all of it: every message in every phase of every kind of race."""

from typing import Final, get_args

import pytest
from tests.server.stage import (
    ADA,
    BOB,
    DORA,
    NONCE,
    Stage,
    any_move,
    daily,
    deadline,
    live,
    practice,
    racing,
)
from tests.support.times import DAY

from bigben_protocol import (
    AddHouse,
    Cheer,
    Cheers,
    Diff,
    Explain,
    GetCurves,
    GetRecord,
    GetStandings,
    Join,
    Kind,
    Leave,
    Left,
    Move,
    Phase,
    Ready,
    Record,
    Refused,
    RemoveHouse,
    Resume,
    Room,
    SendNonce,
    Standings,
    Start,
    Unready,
    Watch,
    texts,
)
from bigben_server.race import transitions
from bigben_server.race.transitions import RaceMessage


def opened() -> Stage:
    return live(ADA, BOB)


def half_ready() -> Stage:
    stage = live(ADA, BOB)
    stage.ready(BOB)
    return stage


def counting() -> Stage:
    stage = live(ADA, BOB)
    stage.ready(ADA, BOB)
    return stage


def closed(stage: Stage) -> Stage:
    stage.ready(ADA)
    return stage.wait(2 * DAY)


def begun(stage: Stage) -> Stage:
    stage.ready(ADA)
    return stage


STAGES: Final[dict[tuple[Kind, Phase], Stage]] = {
    ("live", "open"): half_ready(),
    ("live", "countdown"): counting(),
    ("live", "running"): racing(ADA, BOB),
    ("live", "closed"): racing(ADA, BOB).wait(DAY),
    ("live", "cancelled"): opened().wait(DAY),
    ("daily", "running"): begun(daily(ADA, BOB)),
    ("daily", "closed"): closed(daily(ADA, BOB)),
    ("practice", "running"): begun(practice()),
    ("practice", "closed"): closed(practice()),
    ("deadline", "running"): begun(deadline(ADA, BOB)),
    ("deadline", "closed"): closed(deadline(ADA, BOB)),
}
"""Every phase that each kind of race has, with Ada in a seat of it."""

HAS_BEGUN: Final[set[tuple[Kind, Phase]]] = {("live", "countdown"), ("live", "running")}
"""Where Ready and Start are answered once more, to one who has not heard the first answer."""

OWN_CLOCKS: Final[set[tuple[Kind, Phase]]] = {
    *(("daily", "running"), ("practice", "running"), ("deadline", "running"))
}

TAKEN: Final[dict[type[RaceMessage], set[tuple[Kind, Phase]]]] = {
    Join: set(STAGES),
    Watch: {pair for pair in STAGES if pair[0] != "practice"},
    Leave: set(STAGES),
    Resume: set(STAGES),
    GetStandings: set(STAGES),
    GetRecord: set(STAGES),
    Ready: {*HAS_BEGUN, ("live", "open"), *OWN_CLOCKS},
    Unready: {("live", "open")},
    AddHouse: {("live", "open")},
    RemoveHouse: {("live", "open")},
    Start: {*HAS_BEGUN, ("live", "open")},
    Move: {("live", "running"), *OWN_CLOCKS},
    Cheer: {pair for pair in STAGES if pair[0] in ("live", "deadline") and pair[1] != "cancelled"},
}
"""Where a message from one who has a seat does something; everywhere else it is refused."""

ANSWER: Final[dict[type[RaceMessage], type]] = {
    Join: Room,
    Watch: Room,
    Leave: Left,
    Ready: Room,
    Unready: Room,
    AddHouse: Room,
    RemoveHouse: Room,
    Start: Room,
    Move: Diff,
    Resume: Room,
    GetStandings: Standings,
    GetRecord: Record,
    Cheer: Cheers,
}


def copy_of(stage: Stage) -> Stage:
    """The same race, for one test alone."""
    copy = Stage(stage.race.id, stage.room_log, stage.now)
    copy.seat_logs = {player: list(log) for player, log in stage.seat_logs.items()}
    copy.statuses = dict(stage.statuses)
    copy.subscribers = set(stage.subscribers)
    copy.told = {player: list(told) for player, told in stage.told.items()}
    return copy.restart()


def message_to(stage: Stage, kind: type[RaceMessage]) -> RaceMessage:
    if kind is Ready:
        return Ready(stage.race.id, NONCE, ref=1)  # the same as before, where they are ready
    if kind in (AddHouse, RemoveHouse):
        return kind(stage.race.id, "steady", ref=1)
    if kind is Cheer:
        return Cheer(stage.race.id, "well", ref=1)
    if kind is not Move:
        return kind(stage.race.id, ref=1)  # type: ignore[call-arg] # all but Move have a ref
    seat = stage.race.seats[ADA.id]
    sees_cards = seat.status.state == "playing" and seat.status.begun_at <= stage.now
    legal = any_move(stage.told[ADA.id]) if sees_cards else "deal"
    return Move(stage.race.id, seat.status.moves + 1, legal)


EVERY_PAIR = [(message, *where) for message in ANSWER for where in STAGES]


def test_the_table_below_misses_no_message() -> None:
    assert set(ANSWER) == set(TAKEN) == set(get_args(RaceMessage)) - {GetCurves, Explain, SendNonce}


@pytest.mark.parametrize(("kind", "phase"), STAGES)
def test_the_stages_stand_where_they_say(kind: Kind, phase: Phase) -> None:
    stage = copy_of(STAGES[kind, phase])
    assert (stage.race.opened.kind, stage.race.phase(stage.now)) == (kind, phase)


@pytest.mark.parametrize(("message", "kind", "phase"), EVERY_PAIR)
def test_every_message_does_something_or_is_refused_with_a_reason(
    message: type[RaceMessage], kind: Kind, phase: Phase
) -> None:
    stage = copy_of(STAGES[kind, phase])
    first, *_ = stage.say(ADA, message_to(stage, message))
    if (kind, phase) in TAKEN[message]:
        assert isinstance(first, ANSWER[message])
        assert getattr(first, "ref", 1) == 1
    else:
        assert isinstance(first, Refused)
        assert (first.code, first.ref > 0, first.race) == ("phase", True, stage.race.id)
        assert first.text[0].isupper()
        assert first.text.endswith(".")


@pytest.mark.parametrize(("message", "kind", "phase"), EVERY_PAIR)
def test_a_stranger_never_does_more_than_a_racer(
    message: type[RaceMessage], kind: Kind, phase: Phase
) -> None:
    stage = copy_of(STAGES[kind, phase])
    first, *_ = stage.say(DORA, message_to(stage, message))
    needs_a_seat = message in (Ready, Unready, Start, Move, GetRecord, AddHouse, RemoveHouse)
    if needs_a_seat or (kind, phase) not in TAKEN[message]:
        assert isinstance(first, Refused)
    seated = DORA.id in stage.race.seats
    joinable = {("live", "open"), ("daily", "running"), ("deadline", "running")}
    assert seated == (message is Join and (kind, phase) in joinable)


@pytest.mark.parametrize("phase", get_args(Phase))
def test_every_phase_has_its_reason(phase: Phase) -> None:
    assert texts.said(transitions.REASONS[phase]).endswith(".")

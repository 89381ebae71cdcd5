"""Rooms that ask for a winnable deal, or one of a grade: their countdown waits for it."""

from hashlib import sha256
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    NONCE,
    ROOM,
    SECOND,
    Stage,
    any_move,
    everything_of,
    live,
    only,
    only_refusal,
)
from tests.support.times import DAY, NOON
from tests.support.torture import examples

from bigben_protocol import (
    CODECS,
    FIRST_DEAL,
    JSON,
    Chosen,
    Create,
    Diff,
    GetRecord,
    Record,
    Resume,
    Reveal,
    Room,
    Rules,
    Snapshot,
)
from bigben_rules import GAMES, counted, shuffle
from bigben_server.race import choosing, lobby, timers
from bigben_server.race.choosing import CHOOSING_MS, COUNTDOWN_MS
from bigben_server.race.events import VERSION, Dealt, Opened, Refusal, Searched, version_of

HARD: Final = Chosen(3, "hard", ("turn", "3 fdn"))
SEED: Final = bytes(range(32))
"""The server's seed of a room on the stage."""


def choosing_room(**wanted: object) -> Stage:
    """Ada and Bob are ready, and the server looks for a hard deal."""
    stage = live(ADA, BOB, **({"grade": "hard"} | wanted))
    stage.ready(ADA, BOB)
    return stage


def room_of(stage: Stage) -> Room:
    return only(stage.watch(CARL), Room)


def test_nobody_sees_a_card_before_the_deal_is_chosen() -> None:
    stage = choosing_room()
    assert timers.due_at(stage.race, stage.now) == NOON + CHOOSING_MS
    stage.wait(CHOOSING_MS - 1)
    for player in (ADA, BOB):
        stage.resume(player, 0)
        stage.say(player, GetRecord(ROOM))
        assert stage.heard(player, Snapshot) == []
        assert all(not record.piles for record in stage.heard(player, Record))
        room = stage.heard(player, Room)[-1]
        assert (room.phase, room.choosing, room.starts_at) == ("countdown", True, 0)
        assert {seat.state for seat in room.seats} == {"ready"}


def test_a_chosen_deal_is_shown_after_the_countdown_that_follows() -> None:
    stage = choosing_room().wait(5 * SECOND).deal(HARD)
    starts_at = NOON + 5 * SECOND + COUNTDOWN_MS
    room = stage.heard(BOB, Room)[-1]
    assert (room.choosing, room.certified, room.grade) == (False, True, "hard")
    assert (room.starts_at, room.closes_at) == (starts_at, starts_at + room.rules.limit_ms)
    assert stage.heard(BOB, Snapshot) == []
    stage.wait(COUNTDOWN_MS)
    snapshot = stage.heard(BOB, Snapshot)[-1]
    mixed = sha256(SEED + bytes.fromhex(NONCE) * 2).digest()
    order = shuffle(GAMES["bigben"].pack, counted(mixed, 3))
    dealt = GAMES["bigben"].deal(order, "standard")
    assert {name: pile.up for name, pile in snapshot.piles.items()} == {
        name: up for name, (up, _) in dealt.piles().items()
    }
    assert (snapshot.begun_at, stage.race.seed) == (starts_at, counted(mixed, 3))


def test_all_of_it_is_revealed_at_the_close_and_nothing_before() -> None:
    stage = choosing_room().deal(HARD).wait(COUNTDOWN_MS)
    stage.watch(CARL)
    stage.move(ADA, "resign")
    sent = [message for told in stage.told.values() for message in told]
    assert not any(b"3 fdn" in CODECS[JSON].encode(m) for m in sent if isinstance(m, Room))
    stage.move(BOB, "resign")
    stage.wait(0)
    reveal = stage.heard(CARL, Reveal)[-1]
    assert reveal.chosen == HARD
    assert reveal.seed == counted(sha256(SEED + bytes.fromhex(NONCE) * 2).digest(), 3).hex()


def test_after_fifteen_seconds_the_first_deal_is_played_and_not_graded() -> None:
    stage = choosing_room().wait(CHOOSING_MS)
    room = stage.heard(ADA, Room)[-1]
    assert (room.choosing, room.certified, room.grade) == (False, False, "")
    assert room.starts_at == NOON + CHOOSING_MS + COUNTDOWN_MS
    stage.wait(COUNTDOWN_MS)
    assert stage.heard(ADA, Snapshot)
    assert stage.race.chosen == FIRST_DEAL
    assert [event for event in stage.room_log if isinstance(event, Dealt)] == [
        Dealt(FIRST_DEAL, NOON + CHOOSING_MS + COUNTDOWN_MS, NOON + CHOOSING_MS)
    ]


def test_a_countdown_waits_on_while_deals_are_ruled_out() -> None:
    stage = choosing_room().wait(14 * SECOND).rule_out(3)
    stage.wait(14 * SECOND).rule_out(7)
    room = room_of(stage)
    assert (room.choosing, room.starts_at) == (True, 0)
    assert stage.race.searched.deals == 7
    stage.wait(CHOOSING_MS - 1)
    assert room_of(stage).choosing
    stage.wait(1)
    assert not room_of(stage).choosing
    assert stage.race.chosen == FIRST_DEAL


def test_what_is_ruled_out_stays_so_whoever_writes_later() -> None:
    stage = choosing_room().rule_out(7).rule_out(3)
    assert stage.race.searched.deals == 7
    stage.restart()
    assert (stage.race.searched.deals, stage.race.searches) == (7, 2)


def test_a_deal_is_chosen_once() -> None:
    stage = choosing_room().deal(HARD)
    with pytest.raises(AssertionError):
        stage.deal(HARD)
    with pytest.raises(AssertionError):
        live(ADA, BOB).deal(HARD)


def test_a_wish_for_any_winnable_deal_does_not_tell_its_grade() -> None:
    stage = choosing_room(grade="", winnable=True).deal(HARD)
    room = room_of(stage)
    assert (room.certified, room.grade, room.rules.winnable) == (True, "", True)


def test_the_rematch_asks_for_the_same() -> None:
    stage = choosing_room().deal(HARD).wait(COUNTDOWN_MS)
    stage.move(ADA, "resign")
    stage.move(BOB, "resign")
    assert stage.race.opened.rules == Rules(limit_ms=3_600_000, winnable=True, grade="hard"), (
        "a rematch takes its rules from here"
    )


@examples(25)
@given(
    st.integers(0, CHOOSING_MS + COUNTDOWN_MS + SECOND),
    st.booleans(),
    st.booleans(),
    st.lists(st.integers(1, 199), max_size=3),
)
def test_another_process_knows_the_race_by_its_log_alone(
    ms: int, found: bool, early: bool, ruled_out: list[int]
) -> None:
    stage = choosing_room()
    for deals in ruled_out:
        stage.rule_out(deals)
    if found and early:
        stage.deal(HARD)
    stage.wait(ms)
    if found and stage.race.choosing_until:
        stage.deal(HARD)
    before = everything_of(stage.race, stage.now)
    stage.restart()
    for player in (ADA, BOB):
        stage.say(player, Resume(ROOM, 0, 1))
    assert everything_of(stage.race, stage.now) == before
    stage.wait(CHOOSING_MS).wait(COUNTDOWN_MS)
    assert stage.race.phase(stage.now) == "running"
    (dealt,) = [event for event in stage.room_log if isinstance(event, Dealt)]
    assert stage.race.chosen == dealt.chosen
    only(stage.move(ADA, any_move(stage.heard(ADA, Snapshot))), Diff)


def test_statuses_that_are_newer_than_the_deal_are_torn() -> None:
    stage = choosing_room()
    race = stage.read()
    assert not race.lacks_events
    stage.deal(HARD).wait(COUNTDOWN_MS)
    stage.move(ADA, stage.heard(ADA, Snapshot)[-1].legal[0])
    race.take_status(ADA.id, stage.statuses[ADA.id])
    assert race.lacks_events


# What may be asked for


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"grade": "simple"}, "No grade is called 'simple'; the grades are easy, medium, hard"),
        ({"grade": "HARD"}, "No grade is called 'HARD'"),
        ({"grade": "hard\x00"}, "No grade is called"),
        ({"grade": " "}, "No grade is called"),
        ({"grade": "<b>"}, "No grade is called '<b>'"),
        ({"grade": "hard", "game": "watch"}, "Only deals of bigben and grandfathersclock can be"),
        ({"winnable": True, "game": "clock"}, "Only deals of bigben and grandfathersclock can be"),
        ({"grade": "hard", "game": "grandfathersclock"}, "Only deals of bigben have grades"),
        ({"winnable": True, "practice": True, "seed": "00" * 32}, "These cards are chosen already"),
        (
            {"grade": "easy", "practice": True, "daily": "daily.2026-11-20.bigben.book"},
            "These card",
        ),
    ],
)
def test_a_wish_that_can_not_be_granted_is_refused(wanted: dict[str, object], why: str) -> None:
    create = Create(**wanted)  # type: ignore[arg-type] # the fields of Create, as they come
    with pytest.raises(Refusal) as refused:
        lobby.created(create, ADA, NOON, bytes)
    assert str(refused.value).startswith(why)


@given(st.text(max_size=32))
def test_no_text_is_a_grade_but_the_four(grade: str) -> None:
    grades = ("easy", "medium", "hard", "fiendish")
    if not grade or grade in grades:
        assert choosing.asked(Create(grade=grade)) == (bool(grade), grade)
    else:
        with pytest.raises(Refusal, match="No grade is called"):
            choosing.asked(Create(grade=grade))


@pytest.mark.parametrize("rules", ["standard", "book", "open"])
def test_every_rule_set_of_big_ben_takes_a_grade(rules: str) -> None:
    opened, _ = lobby.created(Create("bigben", rules, grade="easy"), ADA, NOON, bytes)
    assert isinstance(opened, Opened)
    assert (opened.rules.winnable, opened.rules.grade) == (True, "easy")


def test_only_rooms_that_nobody_mixes_nonces_into_are_opened_with_their_deal() -> None:
    assert not choosing.opens_with_deal(Create(grade="easy"))
    assert not choosing.opens_with_deal(Create(practice=True))
    assert choosing.opens_with_deal(Create(winnable=True, practice=True))
    assert choosing.opens_with_deal(Create(grade="easy", deadline_at=NOON + DAY))


def test_older_servers_are_never_given_such_a_room() -> None:
    opened, _ = lobby.created(Create(winnable=True), ADA, NOON, bytes)
    assert version_of(opened) == version_of(Dealt(FIRST_DEAL, NOON, NOON)) == 3
    assert version_of(Searched(1, NOON, NOON)) == 4 < VERSION
    assert version_of(lobby.created(Create(), ADA, NOON, bytes)[0]) == 1


def test_a_player_who_is_ready_can_not_go_back_while_the_deal_is_chosen() -> None:
    stage = choosing_room()
    code, _ = only_refusal(stage.unready(ADA))
    assert code == "phase"
    only(stage.leave(ADA), object)  # they stop following, and the seat stays
    assert ADA.id in stage.race.seats

"""What lies under the keys: names that stay together, and text that reads back."""

from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigben_protocol import PlayerId, RaceId, Rules, State
from bigben_server.race.events import (
    BEGIN,
    NOTHING,
    Append,
    Cancelled,
    Closed,
    Counted,
    Entry,
    Joined,
    Left,
    Opened,
    Readied,
    RematchOpened,
    RoomAppend,
    RoomEvent,
    SeatAppend,
    SeatStatus,
    Unreadied,
    Voided,
    log_of,
)
from bigben_server.storage.entries import (
    RawLog,
    entry_of,
    read_entries,
    read_events,
    read_status,
    status_in,
    write_status,
)
from bigben_server.storage.keys import Keys, race_of

ADA = PlayerId("guest:ada")
RACES = [RaceId("K7QPXM"), RaceId("daily.2026-11-21.bigben.laps-no_gaps-foundations")]
EVENTS: list[RoomEvent] = [
    Opened("live", Rules(undo=True), "ab" * 32, 5, host=ADA),
    Opened("daily", Rules(), "ab" * 32, 5, closes_at=9),
    Joined(ADA, 'Zoë "<b>" {}', 6),
    Left(ADA, 7),
    Readied(ADA, "cd" * 32, 8),
    Unreadied(ADA, 9),
    Counted(3010, 10),
    RematchOpened(RACES[0], 11),
    Closed(12),
    Cancelled(13),
    Voided(14, "a card was there twice"),
]
numbers = st.integers(0, 2**53)
statuses = st.builds(SeatStatus, st.sampled_from(get_args(State)), *[numbers] * 5)
moves = st.sampled_from(["3 fdn", "w f12", "refill", "turn", "undo", "resign", "timeout"])
entries = st.builds(Entry, st.integers(1, 2**31), numbers, moves)


def stored(*appends: Sequence[Append]) -> RawLog:
    """A log with an entry for each of these, as Redis gives it back."""
    entries = ([word.encode() for word in entry_of(list(one))] for one in appends)
    return [(number, words) for number, *words in entries]


@pytest.mark.parametrize("race", RACES)
def test_everything_of_a_race_is_in_one_slot_of_a_cluster(race: RaceId) -> None:
    names = [
        Keys().news(race),
        Keys().room_log(race),
        Keys().seat_log(race, PlayerId("odd:{x}")),
        Keys().results(race),
    ]
    for name in names:
        assert name.startswith("bb:")
        assert name[name.index("{") + 1 : name.index("}")] == race
    assert len(set(names)) == 4


@pytest.mark.parametrize("race", RACES)
def test_the_race_of_a_channel_is_read_from_its_name(race: RaceId) -> None:
    assert race_of(Keys().news(race)) == race


@given(statuses)
def test_a_mark_reads_back(status: SeatStatus) -> None:
    assert read_status(write_status(status)) == status


@given(statuses, st.lists(entries, min_size=1, max_size=4, unique_by=lambda entry: entry.n))
def test_the_entries_of_a_seat_read_back_with_the_last_mark(
    status: SeatStatus, entries: list[Entry]
) -> None:
    entries.sort()
    appends = [SeatAppend(RACES[0], ADA, entry, status, entry.n - 1) for entry in entries]
    log = stored(appends)
    assert read_entries(log) == entries
    assert status_in(log[-1][1]) == status


def test_an_event_reads_back() -> None:
    for event in EVENTS:
        assert read_events(stored([RoomAppend(RACES[0], 7, event)]), after=6) == [event]


def test_an_event_that_is_missing_is_named() -> None:
    log = stored(*([RoomAppend(RACES[0], k, EVENTS[0])] for k in (1, 2, 4)))
    with pytest.raises(ValueError, match="event 3 is missing before event 4"):
        read_events(log)
    with pytest.raises(ValueError, match="event 1 is missing before event 2"):
        read_events(log[1:2])


def test_events_written_together_read_back_in_their_order() -> None:
    appends = [RoomAppend(RACES[0], k, event) for k, event in enumerate(EVENTS, start=1)]
    halves = stored(appends[:4], appends[4:])
    assert read_events(halves) == EVENTS
    assert read_events(halves[::-1]) == EVENTS


def test_an_entry_is_numbered_by_its_first_append() -> None:
    seat = [
        SeatAppend(RACES[0], ADA, Entry(n, n, "turn"), SeatStatus("playing", n), n - 1)
        for n in (3, 4)
    ]
    assert entry_of(list(seat))[0] == "3-0"
    assert entry_of([RoomAppend(RACES[0], 2, EVENTS[3])])[0] == "2-0"
    begin = SeatAppend(
        RACES[0], ADA, Entry(0, 99, BEGIN), SeatStatus("playing", begun_at=99), NOTHING
    )
    assert entry_of([begin])[0] == "0-1"
    assert read_entries(stored([begin])) == [Entry(0, 99, BEGIN)]


def test_an_append_belongs_to_its_log() -> None:
    assert log_of(RoomAppend(RACES[0], 1, EVENTS[0])) == (RACES[0], None)
    append = SeatAppend(RACES[0], ADA, Entry(1, 2, "turn"), SeatStatus("playing", 1), NOTHING)
    assert log_of(append) == (RACES[0], ADA)

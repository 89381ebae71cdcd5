"""Unread events take bounded memory, and none that still matters is lost."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.client.said import RACE, diff, progress, refused, room, snapshot
from tests.protocol.played import Told, games

from bigben_client.session.event_queue import MOST_DIFFS, Back, Event, EventQueue, Lost
from bigben_protocol import Diff, Progress, RaceId, Snapshot, Standings, View


def queued(*events: Event) -> EventQueue:
    """A queue of these events."""
    queue = EventQueue({RACE: View.of(snapshot(5))})
    for event in events:
        queue.put(event)
    return queue


def read(queue: EventQueue) -> list[Event]:
    """All events of the queue."""
    return [queue.take() for _ in range(len(queue))]


def test_events_are_read_in_their_order() -> None:
    events: list[Event] = [room(), snapshot(1), diff(2), progress(13), diff(3), refused(0)]
    assert read(queued(*events)) == events


def test_progress_has_the_latest_state_of_each_seat() -> None:
    (merged,) = read(queued(progress(13), progress(20, player="guest:bob"), progress(14)))
    assert isinstance(merged, Progress)
    assert [(seat.player, seat.home) for seat in merged.seats] == [
        ("guest:ada", 14),
        ("guest:bob", 20),
    ]


def test_progress_of_two_races_stays_apart() -> None:
    there = replace(progress(9), race=RaceId("OTHERS"))
    assert read(queued(progress(13), there, progress(14))) == [there, progress(14)]


def test_a_newer_room_replaces_an_older_one_and_moves_to_the_end() -> None:
    older, newer = room(phase="countdown"), room(phase="running", since=2)
    assert read(queued(older, progress(13), newer)) == [progress(13), newer]


def test_a_snapshot_replaces_all_diffs_before_it() -> None:
    events = queued(diff(2), progress(13), diff(3), snapshot(4), diff(5))
    assert read(events) == [progress(13), snapshot(4), diff(5)]


def test_refusals_with_different_codes_are_all_read() -> None:
    reasons = [refused(0, code="rate"), refused(0, code="busy")]
    assert read(queued(*reasons, reasons[0])) == [reasons[1], reasons[0]]


def test_standings_are_read_once() -> None:
    first, last = Standings(RACE, ()), Standings(RACE, (), final=True)
    assert read(queued(first, last)) == [last]


def test_a_loss_is_always_read_before_the_return() -> None:
    assert read(queued(Lost("a"), Back())) == [Lost("a"), Back()]
    assert read(queued(Lost("a"), Back(), Lost("b"), Back())) == [Lost("b"), Back()]
    assert read(queued(Lost("a"), Back(), Lost("b"))) == [Lost("b")]


def test_many_diffs_become_one_snapshot_of_the_current_view() -> None:
    views: dict[str, View] = {RACE: View.of(snapshot(0))}
    events = EventQueue(views)
    for n in range(1, MOST_DIFFS + 2):
        undone = Diff(RACE, n, "undo", (), "playing", 12, 10 * n, (), views[RACE].digest)
        views[RACE] = views[RACE].after(undone)
        events.put(undone)
    assert read(events) == [
        replace(snapshot(0), n=MOST_DIFFS + 1, ms=10 * (MOST_DIFFS + 1), legal=())
    ]


@given(game=games(), data=st.data())
def test_events_read_at_any_time_lead_to_the_current_view(
    game: list[Told], data: st.DataObject
) -> None:
    first, *others = game
    views: dict[str, View] = {first.snapshot.race: View.of(first.snapshot)}
    events = EventQueue(views)
    shown = View.of(first.snapshot)
    for told in others:
        assert told.diff
        views[shown.race] = views[shown.race].after(told.diff)
        events.put(told.diff if data.draw(st.booleans()) else told.snapshot)
        for _ in range(data.draw(st.integers(0, len(events)))):
            shown = folded(shown, events.take())
    for event in read(events):
        shown = folded(shown, event)
    assert shown == views[shown.race]


def folded(view: View, event: Event) -> View:
    """The view of a front end that applies the events itself."""
    match event:
        case Diff():
            return view.after(event)
        case Snapshot():
            return View.of(event)
        case _:
            raise AssertionError(f"nobody put {event}")

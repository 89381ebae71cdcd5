"""The events that the front end has not read yet, in bounded memory."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Final

from bigben_protocol import Diff, Progress, RaceId, Refused, ServerMessage, Snapshot, View

MOST_DIFFS: Final = 64
"""The most unread diffs of one race; beyond this, one Snapshot replaces them."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is lost. The client reconnects by itself, and calls wait meanwhile."""

    reason: str


@dataclass(frozen=True, slots=True)
class Back:
    """The client is connected again, and missed messages will follow."""


Event = ServerMessage | Lost | Back


class EventQueue:
    """A queue in which a newer event replaces an older one of the same kind.

    A reader who keeps up gets every diff; for a slow reader a Snapshot replaces them.
    """

    def __init__(self, views: Mapping[str, View]) -> None:
        """``views`` must already have every diff that is put here."""
        self._views = views
        self._events: dict[Hashable, Event] = {}
        self._diffs: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._events)

    def put(self, event: Event) -> None:
        """Add an event."""
        match event:
            case Diff():
                self._put_diff(event)
            case Snapshot():
                self._drop_diffs(event.race)
                self._replace((Snapshot, event.race), event)
            case Progress():
                key = (Progress, event.race)
                before = self._events.get(key)
                if isinstance(before, Progress):
                    event = _merged(before, event)
                self._replace(key, event)
            case Refused():
                self._replace((Refused, event.race, event.code), event)
            case Lost():
                self._events.pop(Back, None)
                self._replace(Lost, event)
            case Back():
                self._replace(Back, event)
            case _:
                self._replace((type(event), getattr(event, "race", "")), event)

    def take(self) -> Event:
        """Remove and return the oldest event. The queue must not be empty."""
        event = self._events.pop(next(iter(self._events)))
        if isinstance(event, Diff):
            self._diffs[event.race] -= 1
        return event

    def _put_diff(self, diff: Diff) -> None:
        count = self._diffs.get(diff.race, 0)
        if count < MOST_DIFFS:
            self._events[Diff, diff.race, diff.n] = diff
            self._diffs[diff.race] = count + 1
        else:
            self.put(_snapshot(self._views[diff.race]))

    def _drop_diffs(self, race: str) -> None:
        if self._diffs.pop(race, 0):
            self._events = {
                key: event
                for key, event in self._events.items()
                if not (isinstance(event, Diff) and event.race == race)
            }

    def _replace(self, key: Hashable, event: Event) -> None:
        """Put the event at the end, so that it comes after everything that it includes."""
        self._events.pop(key, None)
        self._events[key] = event


def _merged(before: Progress, after: Progress) -> Progress:
    seats = {standing.player: standing for standing in (*before.seats, *after.seats)}
    return Progress(after.race, tuple(seats.values()))


def _snapshot(view: View) -> Snapshot:
    """The Snapshot of this view."""
    v = view
    return Snapshot(
        race=RaceId(v.race),
        n=v.n,
        state=v.state,
        home=v.home,
        ms=v.ms,
        piles=dict(v.piles),
        legal=v.legal,
        digest=v.digest,
        begun_at=v.begun_at,
        can_undo=v.can_undo,
        home_ms=v.home_ms,
    )

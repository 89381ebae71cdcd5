"""One group commit as values: what it makes durable, and whom it tells of what after that.

Neither waits nor writes: ``Races`` carries it out.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from bigben_protocol import RaceId
from bigben_server.race.effects import Reply, Subscribe, Tell, Unsubscribe
from bigben_server.race.events import (
    Append,
    Cancelled,
    Closed,
    Counted,
    Opened,
    RoomAppend,
    SeatAppend,
)
from bigben_server.race.state import Race, Seat
from bigben_server.race.transitions import OVER
from bigben_server.rooms.batch import Decision
from bigben_server.rooms.room import Room
from bigben_server.storage.pubsub import PeerUpdate
from bigben_server.storage.race_log import log_of


class BatchResult(NamedTuple):
    """What has become durable of a turn, and what has not because another process was first."""

    appends: list[Append]
    stale: set[RaceId]
    """Races to be read again."""
    again: list[Decision]
    """To be asked again, of those races."""
    lost: set[RaceId]
    """Races that can't be read from the store now."""
    unknown: list[Decision]
    """What was decided in those races, which may or may not be durable."""

    def over(self, held: Mapping[RaceId, Room]) -> list[tuple[Race, Seat]]:
        """The seats that are over by these appends."""
        return [
            (race, race.seats[append.player])
            for append in self.appends
            if isinstance(append, SeatAppend) and append.status.state in OVER
            for race in (held[append.race].race,)
        ]

    def ended(self) -> list[RaceId]:
        """The races that are closed or cancelled by these appends."""
        return [
            append.race
            for append in self.appends
            if isinstance(append, RoomAppend) and isinstance(append.event, Closed | Cancelled)
        ]

    def with_seeds(self) -> list[RaceId]:
        """The races that are opened, or whose deal is known, by these appends."""
        return [
            append.race
            for append in self.appends
            if isinstance(append, RoomAppend) and isinstance(append.event, Opened | Counted)
        ]

    def updates(self) -> list[PeerUpdate]:
        """For the other processes: one for each race."""
        updates: dict[RaceId, PeerUpdate] = {}
        for append in self.appends:
            update = updates.setdefault(append.race, PeerUpdate(append.race, {}, {}))
            match append:
                case SeatAppend():
                    update.statuses[append.player] = append.status
                case RoomAppend():
                    update.events[append.k] = append.event
        return list(updates.values())


class Batch:
    """Made before the next turn's messages change the races again."""

    def __init__(self, outcomes: list[Decision], held: Mapping[RaceId, Room], now: int) -> None:
        self._outcomes = outcomes
        # Each race once: whoever looks a second time finds no news.
        self._held = {outcome.race: held[outcome.race] for outcome in outcomes}
        self._news = {race: one.news(now) for race, one in self._held.items()}
        self.appends = [append for outcome in outcomes for append in outcome.appends]
        rooms = [append for append in self.appends if isinstance(append, RoomAppend)]
        self.opened = [append.race for append in rooms if append.k == 1]
        """Races that begin with this turn."""
        self.agenda = {append.race: self._due_at(append, now) for append in rooms}
        """When each of these races is to be seen to, ms since 1970; 0 for never."""

    def _due_at(self, append: RoomAppend, now: int) -> int:
        """One that has ended stays due until all of it is recorded."""
        if isinstance(append.event, Closed | Cancelled):
            return now
        return self._held[append.race].race.next_at(now)

    def settle(self, refused: Collection[str], lost: Collection[str] = ()) -> BatchResult:
        """Sort what the store has taken from what it has not, by the logs that refused, and by
        those of which nobody knows.

        A reply that rests on no append is asked again with the rest of its race.
        """
        away = {outcome.race for outcome in self._outcomes if outcome.touches(lost)}
        stale = {outcome.race for outcome in self._outcomes if outcome.touches(refused)} - away
        return BatchResult(
            [a for a in self.appends if a.race not in away and log_of(a) not in refused],
            stale,
            [
                o
                for o in self._outcomes
                if o.race in stale and (o.touches(refused) or not o.appends)
            ],
            away,
            [outcome for outcome in self._outcomes if outcome.race in away],
        )

    def tell(self, stands: BatchResult) -> None:
        """Tell what stands, with one write to each socket."""
        for outcome in self._outcomes:
            if outcome not in stands.again and outcome.race not in stands.lost:
                self._put(outcome)
        for race, news in self._news.items():
            if race not in stands.stale | stands.lost:
                self._held[race].announce(news)
        flush = {outcome.asked.session: None for outcome in self._outcomes if outcome.asked}
        for held in self._held.values():
            flush.update(dict.fromkeys(held.sessions()))
        for session in flush:
            session.flush()

    def _put(self, outcome: Decision) -> None:
        held, asked = self._held[outcome.race], outcome.asked
        if asked:
            asked.answered()
        for effect in outcome.effects:
            match effect:
                case Reply(message):
                    assert asked is not None, "only a message is replied to"
                    asked.session.put(message)
                case Tell(player, message):
                    held.tell(player, message)
                case Subscribe():
                    assert asked is not None, "only a session follows"
                    held.follow(asked.session)
                case Unsubscribe():
                    assert asked is not None, "only a session unfollows"
                    held.unsubscribe(asked.session)
                case SeatAppend() | RoomAppend():
                    pass  # durable by now

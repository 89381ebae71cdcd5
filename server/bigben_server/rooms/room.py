"""A room: a race as this process knows it, and its subscribers. A cache; the store has it all."""

import logging
import time
from collections.abc import Iterator
from typing import Final

from bigben_protocol import PlayerId, Progress, ServerMessage
from bigben_server.race import events
from bigben_server.race.events import Effect, SeatStatus, Tell
from bigben_server.race.state import Race
from bigben_server.race.views import Announcement, Announcements
from bigben_server.rooms.crowd import Crowd
from bigben_server.rooms.session import Decision, EncodedOnce, Session
from bigben_server.storage.pubsub import PeerUpdate

_log = logging.getLogger(__name__)
_JOINED: Final = SeatStatus("joined")


class Room:
    """The only owner of a race in memory: of whether it is stale, and of what subscribers know."""

    def __init__(self, race: Race, now: int) -> None:
        self.race = race
        self.stale = False
        """The store has, or may have, something else: load the race before deciding anything."""
        self.quiet = 0
        """How often the hub swept since something last changed."""
        self.compared_at = time.monotonic()
        """When the store was last known to have nothing else."""
        self.subscribers: dict[PlayerId, dict[Session, None]] = {}
        self.behind: dict[PlayerId, int] = {}
        """Subscribers who moved on another process, with the last move that they were sent."""
        self._announcements = Announcements(race, now)
        self.crowd = Crowd(race, self.subscribers, self._announcements.statuses)
        self._unflushed: dict[Session, None] = {}
        self._loaded = _progress(race)
        self._refusals = 0

    # The race

    def replace(self, race: Race) -> None:
        """Take the race as it was just loaded; subscribers will hear of the difference."""
        self._announcements.reread(race)
        self.race, self.crowd.race, self.stale = race, race, False
        if self._loaded != (loaded := _progress(race)):
            self._loaded, self._refusals = loaded, 0
        here = (race.seats[player] for player in self.subscribers if player in race.seats)
        self.behind = {seat.player: 0 for seat in here if seat.status.begun_at}

    def apply(self, update: PeerUpdate) -> None:
        """Take what a peer has committed. An update that does not fit makes the room stale."""
        if self.stale:
            return
        race = self.race
        before = {p: race.seats[p].status for p in update.statuses if p in race.seats}
        try:
            self.stale = not fold_update(race, update)
        except Exception:
            # Half of it may be folded. What is durable counts; loading the race shows it.
            _log.exception("a peer's update of race %s does not fit", race.id)
            self.stale = True
        if self.stale:
            return
        for player, status in update.statuses.items():
            was = before.get(player, _JOINED)
            moved = was.moves < status.moves or was.begun_at < status.begun_at
            if moved and player in self.subscribers:
                self.behind.setdefault(player, was.moves)

    def refused(self) -> int:
        """The store has refused a decision, which makes the room stale.

        Returns how often in a row it has done so although loading the race showed nothing new.
        """
        self.stale = True
        self._refusals += 1
        return self._refusals

    # Subscribers

    def subscribe(self, session: Session) -> None:
        """Send this session what happens in the race, unless its connection is gone."""
        assert session.player is not None, "only players subscribe"
        if not session.gone:
            sessions = self.subscribers.setdefault(session.player.id, {})
            if session not in sessions:
                sessions[session] = None
                session.subscriptions.claim(self.race.id)

    def unsubscribe(self, session: Session) -> None:
        """Send this session no more of the race; idempotent."""
        assert session.player is not None, "only players subscribe"
        sessions = self.subscribers.get(session.player.id, {})
        if session in sessions:
            del sessions[session]
            session.subscriptions.release(self.race.id)
        if not sessions:
            self.subscribers.pop(session.player.id, None)

    def sessions(self) -> Iterator[Session]:
        """Every subscriber."""
        for sessions in self.subscribers.values():
            yield from sessions

    def tell(self, player: PlayerId, message: ServerMessage) -> None:
        """Put a message for every session of one player; flush them later."""
        for session in self.subscribers.get(player, ()):
            session.put(message)
            self._unflushed[session] = None

    def carry_out(self, decision: Decision) -> None:
        """Do what was decided here and is durable now; flush the sessions later."""
        request = decision.request
        if request:
            request.answered()
        for effect in decision.effects:
            match effect:  # the effects of a move first
                case events.SeatAppend() | events.RoomAppend():
                    self._refusals = 0  # the store has taken it
                case events.Subscribe():
                    assert request is not None, "a timer has no connection"
                    self.subscribe(request.session)
                case Tell():
                    self.tell(effect.player, effect.message)
                case events.Reply():
                    assert request is not None, "a timer has no connection"
                    request.session.put(effect.message)
                case events.Unsubscribe():
                    assert request is not None, "a timer has no connection"
                    self.unsubscribe(request.session)

    def catch_up(self, now: int) -> list[Effect]:
        """What the subscribers miss who moved on another process. Load their seats' logs first.

        In a countdown the play is there, but its cards are not shown yet.
        """
        effects: list[Effect] = []
        behind, self.behind = self.behind, {}
        for player, since in behind.items():
            play = self.race.seats[player].play
            assert play is not None, "the seat's log was loaded"
            if play.begun_at > now:
                self.behind[player] = since
                continue
            missed = play.diffs(since) if since else [play.snapshot()]
            effects += [Tell(player, message) for message in missed]
        return effects

    # Broadcast

    def due_at(self, now: int) -> int:
        """When the race is due on the agenda, ms since 1970; 0 for never.

        A race that has ended stays due until all of it is recorded.
        """
        return now if self.race.ended else self.race.next_at(now)

    def announcement(self, now: int) -> Announcement:
        """What has changed since the last one. Call ``broadcast`` once it is durable."""
        announcement = self._announcements.news(now)
        if announcement.messages:
            self.quiet = 0
        return announcement

    def broadcast(self, announcement: Announcement) -> None:
        """Put the changes for every subscriber, encoded once for each codec; flush them later.

        A crowd is flushed by itself, and hears of progress later, except each player of their own.
        """
        self.race.durable = max(self.race.durable, announcement.k)
        self._announcements.told(announcement)
        crowded = self.crowd.is_one
        for message in announcement.messages:
            match message:
                case Tell():
                    self.tell(message.player, message.message)
                case Progress() if crowded:
                    for seat in message.seats:
                        self.tell(seat.player, Progress(message.race, (seat,)))
                    self.crowd.hear(message)
                case _:
                    encoded, sessions = EncodedOnce(message), [*self.sessions()]
                    for session in sessions:
                        session.put_frame(encoded.frame(session))
                    if crowded:
                        self.crowd.flush_soon(sessions)
                    else:
                        self._unflushed.update(dict.fromkeys(sessions))
        if announcement.phase == "closed":
            self.crowd.forget_progress()

    def take_unflushed(self) -> dict[Session, None]:
        """The sessions to flush now, except those whose requests were carried out."""
        unflushed, self._unflushed = self._unflushed, {}
        return unflushed


def fold_update(race: Race, update: PeerUpdate) -> bool:
    """Fold a peer's update into a race. False if it does not follow on what the race holds, or
    can't be read; then load the race, which may be half changed.
    """
    if not update.readable:
        return False
    for k, event in sorted(update.events.items()):
        if k <= race.durable:
            continue
        # If a decision of ours is on its way too, one of the two has the wrong number.
        if k > race.k + 1 or race.durable < race.k:
            return False
        race.fold([event])
    for player, status in update.statuses.items():
        if player not in race.seats or status.moves < race.seats[player].status.moves:
            return False  # an update in the wrong order, or the store has lost what is known here
        race.take_status(player, status)
    return True


def _progress(race: Race) -> tuple[int, int]:
    """Events of the room, and moves of all seats: both grow when another process was first."""
    return race.k, sum(seat.status.moves for seat in race.seats.values())

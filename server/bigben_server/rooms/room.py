"""A room: a race as this process knows it, and its subscribers. A cache; the store has it all."""

import logging
import time
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from bigben_protocol import CODECS, Phase, PlayerId, Progress, ServerMessage
from bigben_protocol.sentence import sentence
from bigben_server.race import events, views
from bigben_server.race.decisions import (
    Broadcast,
    Played,
    Reaction,
    Reply,
    Subscribe,
    Tell,
    Unsubscribe,
)
from bigben_server.race.events import PeerUpdate, Refusal, SeatAppend, SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.views import Announcement, Announcements
from bigben_server.rooms.followers.crowd import Crowd
from bigben_server.rooms.followers.gathering import Gathering
from bigben_server.rooms.presence import Attendance, grace_ends
from bigben_server.rooms.requests import Decision
from bigben_server.rooms.session import Encoded, EncodedOnce, Session
from bigben_server.storage.race_log import Store

_log = logging.getLogger(__name__)
MOST_REFUSALS: Final = 10
"""After this many refusals in a row without anything new in the store, give the race up."""
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
        self.subscribers: dict[PlayerId, dict[Session, int]] = {}
        """The sessions of each player, with the last change that the crowd has told each of."""
        self.sessions: dict[Session, None] = {}
        """All of them. Each move is told to them; a walk over the players would make it dearer."""
        self.behind: dict[PlayerId, int] = {}
        """Players here who moved on another process, with the last move that they were sent."""
        self._announcements = Announcements(race, now)
        self.attendance = Attendance(now)
        self.crowd = Crowd(race, self.subscribers, self._announcements.statuses)
        self.gathering = Gathering(race.id, self.sessions)
        self._unflushed: dict[Session, None] = {}
        self._progress: tuple[Mapping[PlayerId, SeatStatus], EncodedOnce] | None = None
        """What was broadcast last of seats."""
        self._loaded = _progress(race)
        self._refusals = 0

    # The race

    def replace(self, race: Race) -> None:
        """Take the race as it was just loaded; subscribers will hear of the difference."""
        self._announcements.reread(race)
        self.race, self.crowd.race, self.stale = race, race, False
        race.attend(self.attendance.away, grace_ends(race, self.attendance.away))
        if self._loaded != (loaded := _progress(race)):
            self._loaded, self._refusals = loaded, 0
        here = (race.seats[player] for player in self.subscribers if player in race.seats)
        self.behind = {seat.player: 0 for seat in here if seat.status.begun_at}

    def relay(self, update: PeerUpdate) -> bool:
        """Put what a peer has encoded for every subscriber, if an update needs no more; flush them
        later. False if it does; then ``apply`` it.
        """
        if not update.frames.keys() >= CODECS.keys() or update.events or self.stale:
            return False
        if self.crowd.is_one or not self.subscribers.keys().isdisjoint(update.statuses):
            return False
        if not self._announcements.take(update.statuses):
            return False
        self.quiet = 0
        self.attendance.moved.update(update.statuses)
        encoded = Encoded(update.frames)
        for session in self.sessions:
            encoded.put(session)
        return True

    def relayed(self, update: PeerUpdate) -> PeerUpdate:
        """An update for peers, whose appends are durable, with what their subscribers are told."""
        if update.events or not update.statuses:
            return update
        told, encoded = self._progress or ({}, None)
        if encoded is None or told != update.statuses:
            encoded = EncodedOnce(views.progress(self.race, update.statuses))
        return replace(update, frames=encoded.for_peers())

    @property
    def known(self) -> PeerUpdate:
        """What a peer must know that follows the race from now on."""
        if self.stale:  # some of it may be durable and not announced
            return PeerUpdate(self.race.id, {}, {}, known=0, readable=False)
        statuses = dict(self._announcements.statuses)
        return PeerUpdate(self.race.id, {}, statuses, known=self.race.durable, late=True)

    def apply(self, update: PeerUpdate, shown: Collection[PlayerId] = ()) -> None:
        """Take what a peer has committed. An update that does not fit makes the room stale.

        ``shown``: the players to whom an answer is on its way that lacks it.
        """
        self.attendance.hear(update)
        self.gathering.hear(update.said)
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
            if moved:
                self.attendance.moved.add(player)
            if moved and (player in self.subscribers or player in shown):
                self.behind.setdefault(player, was.moves)

    def refused(self) -> bool:
        """The store has refused a decision, which makes the room stale.

        Returns whether to give it up: it happens again and again, with nothing new in the store.
        """
        self.stale = True
        self._refusals += 1
        return self._refusals > MOST_REFUSALS

    # Subscribers

    def subscribe(self, session: Session) -> None:
        """Send this session what happens in the race, unless its connection is gone."""
        assert session.player is not None, "only players subscribe"
        if not session.gone and session not in self.sessions:
            sessions = self.subscribers.setdefault(session.player.id, {})
            sessions[session] = self.crowd.changes.number
            self.sessions[session] = None
            session.subscriptions.claim(self.race.id)

    def unsubscribe(self, session: Session) -> None:
        """Send this session no more of the race; idempotent."""
        assert session.player is not None, "only players subscribe"
        sessions = self.subscribers.get(session.player.id, {})
        if session in sessions:
            del sessions[session], self.sessions[session]
            session.subscriptions.release(self.race.id)
        if not sessions:
            self.subscribers.pop(session.player.id, None)

    def check_follows(self, session: Session) -> None:
        """Raises Refusal unless the session is sent what happens in the race."""
        if session not in self.sessions:
            raise Refusal("seat", sentence("cheer.join_first"))

    def tell(self, player: PlayerId, told: ServerMessage | Played) -> None:
        """Put a message for every session of one player, or what each wants of a move; flush them
        later.
        """
        for session in self.subscribers.get(player, ()):
            if isinstance(told, Played):
                session.put(told.diff(told.n, whole=session.wants_whole(told.n)))
            else:
                session.put(told)
            self._unflushed[session] = None

    def carry_out(self, decision: Decision) -> None:
        """Do what was decided here and is durable now; flush the sessions later."""
        request = decision.request
        if request:
            request.answered()
        if decision.appends:
            self._refusals = 0  # the store has taken them
        for reaction in decision.reactions:
            match reaction:  # most are to moves
                case Played():
                    assert request is not None, "a timer has no connection"
                    self.subscribe(request.session)
                    self.tell(reaction.player, reaction)
                case Subscribe():
                    assert request is not None, "a timer has no connection"
                    self.subscribe(request.session)
                case Tell():
                    self.tell(reaction.player, reaction.message)
                case Reply():
                    assert request is not None, "a timer has no connection"
                    request.session.put(reaction.message)
                    self._unflushed[request.session] = None
                case Unsubscribe():
                    assert request is not None, "a timer has no connection"
                    self.unsubscribe(request.session)
                case Broadcast():
                    self.gathering.say(reaction.said)

    def catch_up(self, now: int) -> list[Reaction]:
        """What the subscribers miss who moved on another process. Load their seats' logs first.

        In a countdown the play is there, but its cards are not shown yet.
        """
        missed: list[Reaction] = []
        behind, self.behind = self.behind, {}
        for player, since in behind.items():
            play = self.race.seats[player].play
            assert play is not None, "the seat's log was loaded"
            if play.begun_at > now:
                self.behind[player] = since
                continue
            answers = play.diffs(since) if since else [play.snapshot()]
            missed += [Tell(player, answer) for answer in answers]
        return missed

    def report_broken(self, ends: Iterable[SeatAppend], store: Store) -> None:
        """Log which seats ``deciding.end_broken`` has ended."""
        for end in ends:
            log = store.keys.seat_log(self.race.id, end.player)
            lost = f"entry {end.entry.n} is missing before entry {end.follows}"
            _log.error("%s: %s; the seat is ended there", log, lost)

    # Broadcast

    def announcement(self, now: int) -> Announcement:
        """What has changed since the last one. Call ``broadcast`` once it is durable."""
        announcement = self._announcements.changes(now)
        if announcement.messages:
            self.quiet = 0
        return announcement

    def broadcast(self, announcement: Announcement) -> None:
        """Put the changes for every subscriber, encoded once for each codec; flush them later.

        A crowd is flushed by itself, and hears of progress later, except each player of their own.
        """
        self.race.durable = max(self.race.durable, announcement.event_count)
        self._announcements.told(announcement)
        crowded = self.crowd.is_one
        for message in announcement.messages:
            match message:
                case Tell():
                    self.tell(message.player, message.message)
                case Progress() if crowded:
                    for seat in message.seats:
                        if seat.player in self.subscribers:
                            self.tell(seat.player, Progress(message.race, (seat,)))
                    self.crowd.hear(message)
                case _:
                    encoded = EncodedOnce(message)
                    if isinstance(message, Progress):
                        self._progress = announcement.statuses, encoded
                    for session in self.sessions:
                        encoded.put(session)
                    if crowded:
                        self.crowd.flush_soon(self.sessions)
                    else:
                        self._unflushed |= self.sessions
        if announcement.phase == "closed":
            self.crowd.forget_progress()
        if not self.race.opened.rules.spectate:
            self._dismiss(announcement.phase)

    def _dismiss(self, phase: Phase) -> None:
        """Unsubscribe who may not follow the race any more, having lost their seat."""
        for player in [p for p in self.subscribers if not self.race.may_follow(p, phase)]:
            for session in list(self.subscribers[player]):
                self.unsubscribe(session)

    def take_unflushed(self) -> dict[Session, None]:
        """The sessions to flush now."""
        unflushed, self._unflushed = self._unflushed, {}
        return unflushed


def fold_update(race: Race, update: PeerUpdate) -> bool:
    """Fold a peer's update into a race. False if it does not follow on what the race holds, or
    can't be read; then load the race, which may be half changed.
    """
    if not update.readable or race.lacks_events or (update.known or 0) > race.event_count:
        return False
    for number, event in sorted(update.events.items()):
        if number <= race.durable:
            continue
        if isinstance(event, events.Deleted):
            return False  # the events before it have changed
        # If a decision of ours is on its way too, one of the two has the wrong number.
        if number > race.event_count + 1 or race.durable < race.event_count:
            return False
        race.fold([event])
    for player, status in update.statuses.items():
        seat = race.seats.get(player)
        if update.late and (seat is None or not _is_newer(status, seat.status)):
            continue
        if seat is None or status.moves < seat.status.moves:
            return False  # an update in the wrong order, or the store has lost what is known here
        race.take_status(player, status)
    return not race.lacks_ends and not race.lacks_events


def _is_newer(status: SeatStatus, known: SeatStatus) -> bool:
    return (status.begun_at > 0, status.moves) > (known.begun_at > 0, known.moves)


def is_older(entries: list[events.Entry], status: SeatStatus) -> bool:
    """Whether a seat's log was read before ``status`` was written to it.

    A timeout may have been decided here that is not written yet.
    """
    last = entries[-1].n if entries else 0
    return last < status.moves - (status.state == "timed out")


def _progress(race: Race) -> tuple[int, int]:
    """Events of the room, and moves of all seats: both grow when another process was first."""
    return race.event_count, sum(seat.status.moves for seat in race.seats.values())

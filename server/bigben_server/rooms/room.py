"""A race that this process holds in memory, and who follows it. A cache: Redis has it all."""

from collections.abc import Iterator

from bigben_protocol import PlayerId, ServerMessage
from bigben_server.race.effects import Effect, Tell
from bigben_server.race.events import SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.views import Announcements, News
from bigben_server.rooms.session import Session


class Room:
    """One race with the sessions that follow it."""

    def __init__(self, race: Race, now: int) -> None:
        self.race = race
        self.stale = False
        """Redis has, or may have, something else: read the race again before asking it."""
        self.next_at = race.next_at(now)
        """When ``referee.tick`` has something to do, ms since 1970; 0 for never."""
        self.woken = False
        """It may have something to do now. A commit that ends meanwhile does not change that."""
        self.behind: dict[PlayerId, int] = {}
        """Players who moved on another process, with the move that their sessions here know."""
        self.quiet = False
        """Nothing has changed since the last look."""
        self.subscribers: dict[PlayerId, dict[Session, None]] = {}
        self._announcements = Announcements(race, now)
        self.ground = _ground(race)
        """What decisions stand on, as the store had it when the race was read."""
        self.refusals = 0
        """Decisions in a row that the store has refused on the same ground."""
        self._refused_on = self.ground

    def reread(self, race: Race) -> None:
        """Hold what Redis has instead; the subscribers will hear of the difference."""
        self._announcements.reread(race)
        self.stale = False
        self.behind = {p: 0 for p in self.subscribers if p in race.seats and race.seats[p].begun_at}
        self.race = race
        self.ground = _ground(race)

    def refused(self) -> int:
        """The store has refused a decision: read the race again. How often in a row it has done so
        without another process having gone on.
        """
        self.stale = True
        if self._refused_on != self.ground:
            self._refused_on, self.refusals = self.ground, 0
        self.refusals += 1
        return self.refusals

    def note_behind(self, player: PlayerId, status: SeatStatus) -> None:
        """Remember that this player's sessions here have not seen the cards, or all moves."""
        seat = self.race.seats.get(player)
        if seat is None or player not in self.subscribers:
            return
        if seat.status.moves < status.moves or seat.begun_at < status.begun_at:
            self.behind.setdefault(player, seat.status.moves)

    def catch_up(self, now: int) -> list[Effect]:
        """What brings those up to date who are behind; their logs are read.

        In a countdown the play is there already, and nobody sees it yet.
        """
        effects: list[Effect] = []
        behind, self.behind = self.behind, {}
        for player, since in behind.items():
            play = self.race.seats[player].play
            assert play is not None, "the seat's log was read"
            if play.begun_at > now:
                self.behind[player] = since
                continue
            missed = play.diffs(since) if since else [play.snapshot()]
            effects += [Tell(player, message) for message in missed]
        return effects

    def follow(self, session: Session) -> None:
        """From now on this session hears of the race."""
        assert session.player is not None, "only players follow"
        if session.gone:
            return
        self.subscribers.setdefault(session.player.id, {})[session] = None
        session.following.follow(self.race.id)

    def unsubscribe(self, session: Session) -> None:
        """This session hears no more of the race."""
        assert session.player is not None, "only players follow"
        session.following.unsubscribe(self.race.id)
        sessions = self.subscribers.get(session.player.id, {})
        sessions.pop(session, None)
        if not sessions:
            self.subscribers.pop(session.player.id, None)

    def sessions(self) -> Iterator[Session]:
        """Everyone who follows."""
        for sessions in self.subscribers.values():
            yield from sessions

    def tell(self, player: PlayerId, message: ServerMessage) -> None:
        """Put a message for every session of one player; they are flushed later."""
        for session in self.subscribers.get(player, ()):
            session.put(message)

    def news(self, now: int) -> News:
        """What has changed up to here, to be announced once it is durable."""
        self.next_at = self.race.next_at(now)
        news = self._announcements.news(now)
        if news.messages:
            self.quiet = False
        return news

    def announce(self, news: News) -> None:
        """Put the news for everyone. Encoded once for each codec, however many follow."""
        self.race.durable = max(self.race.durable, news.k)
        self._announcements.told(news)
        for message in news.messages:
            if isinstance(message, Tell):
                self.tell(message.player, message.message)
                continue
            frames: dict[str, bytes] = {}
            for session in self.sessions():
                codec = session.codec
                if codec.subprotocol not in frames:
                    frames[codec.subprotocol] = codec.encode(message)
                session.put_frame(frames[codec.subprotocol])


def _ground(race: Race) -> tuple[int, int]:
    """Events of the room, and moves of all seats: others that were first have added to them."""
    return race.k, sum(seat.status.moves for seat in race.seats.values())

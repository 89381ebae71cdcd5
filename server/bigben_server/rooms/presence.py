"""Who is here: the players whose connections follow a race, on any process; and who is away.

Nothing of it is stored. Each process finds out by itself, from its own connections and from what
its peers say of theirs.
"""

from collections.abc import Iterable, Mapping

from bigben_protocol import PlayerId
from bigben_server.race.events import PeerUpdate
from bigben_server.race.state import Race
from bigben_server.rooms.session import Session
from bigben_server.storage.pubsub import PubSub

LOOK_S = 0.4
"""How often to look."""
LOOK_TOGETHER = 5
"""Rooms that are looked at in one turn of the event loop, so that no move waits for hundreds."""
AWAY_MS = 4_000
"""Players are away so long after their last connection has closed: a reload shows nothing."""
SILENT_MS = 12_000
"""Players in a running live race are away after so long without a frame, a pong among them.
Elsewhere the pings of the transport close a silent connection within 40 seconds."""
PROBE_MS = 5_000
"""A connection of such a player is pinged after so long without a frame."""
MOST_PLAYERS = 100
"""In larger races nobody waits for anybody."""


class Attendance:
    """Who is here in one room."""

    def __init__(self, now: int) -> None:
        self.away: dict[PlayerId, int] = {}
        """The players who are away, and since when, ms since 1970."""
        self.told: frozenset[PlayerId] | None = frozenset()
        """The players here, as the peers know it; None if one of them has asked."""
        self.moved: set[PlayerId] = set()
        """The players who have moved at a peer since the last look. A process of version 0.1.0
        does not say who is there."""
        self._seen: dict[PlayerId, int] = {}
        """When each player was last here, on any process."""
        self._here: frozenset[PlayerId] = frozenset()
        self._peers: dict[str, frozenset[PlayerId]] = {}
        """The players at each other process."""
        self._race: Race | None = None
        """The race at the last look. If it was read again, the peers are asked."""
        self._looked_at = self._since = now

    def hear(self, update: PeerUpdate) -> None:
        """Take the players who are here at a peer, if it says so."""
        if update.here is not None:
            self._peers[update.process] = update.here
        if update.asks:
            self.told = None

    def look(
        self, race: Race, followers: Mapping[PlayerId, Iterable[Session]], peers: PubSub, now: int
    ) -> bool:
        """Look who is here, and tell the peers. Returns whether subscribers must hear of it."""
        runs = race.live and race.phase(now) == "running"
        elsewhere = frozenset[PlayerId]()
        if self._peers:
            elsewhere = elsewhere.union(*(p for c, p in self._peers.items() if peers.is_alive(c)))
        here, away = set[PlayerId](), dict[PlayerId, int]()
        for player in _expected(race):
            sessions = followers.get(player, ())
            silent = 0
            if runs and sessions:
                for_ms = [each.silent_ms() for each in sessions]
                silent = min(for_ms)
                if max(for_ms) >= PROBE_MS:
                    self._probe(sessions, now)
            if sessions and silent < SILENT_MS:
                here.add(player)
            was_here = player in self._here or player in self.moved
            if player in elsewhere or (was_here and not sessions):
                self._seen[player] = now
            elif sessions:
                self._seen[player] = now - silent
            seen = self._seen.get(player, self._since)
            if player not in here and now - seen >= AWAY_MS:
                away[player] = self.away.get(player, seen)
        were_away = self.away
        self.moved.clear()
        self._here, self.away, self._looked_at = frozenset(here), away, now
        if self._race is not race or self._here != self.told:
            peers.tell_here(race.id, self._here, asks=self._race is not race)
            self._race, self.told = race, self._here
        if not away and not were_away:
            return False  # without a look at the seats, which may be thousands
        return race.attend(away, grace_ends(race, away))

    def _probe(self, sessions: Iterable[Session], now: int) -> None:
        """Ping the silent connections, each time that this long has passed."""
        since_last = now - self._looked_at
        for session in sessions:
            silent = session.silent_ms()
            if silent // PROBE_MS > max(silent - since_last, 0) // PROBE_MS:
                session.probe()


def grace_ends(race: Race, away: Mapping[PlayerId, int]) -> int:
    """When the seats of players who are away end: somebody has finished, and all others are away.

    0 while a player may still play, or nobody waits.
    """
    if not race.live or not race.starts_at or race.ended:
        return 0
    over = [seat.status for seat in race.seats.values() if seat.over]
    gone = [away.get(seat.player, 0) for seat in race.seats.values() if not seat.over]
    if not over or not gone or not all(gone):
        return 0
    finished = max(status.begun_at + status.ms for status in over)
    return min(max(finished, *gone) + race.opened.rules.grace_ms, race.closes_at)


def _expected(race: Race) -> list[PlayerId]:
    """The players for whom others may wait; none in a daily, which may have thousands."""
    kind = race.opened.kind
    if race.ended or kind not in ("live", "deadline") or len(race.seats) > MOST_PLAYERS:
        return []
    begun = kind == "live"
    seats = race.seats.values()
    return [seat.player for seat in seats if not seat.over and (begun or seat.status.begun_at)]

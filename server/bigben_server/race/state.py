"""One race: its seats, its deal, its phase. Decides nothing; no clock, no socket, no Redis.

A race is the fold of its room's events and of its seats' logs. ``commands.py`` decides what a
message does and ``views.py`` what everybody sees; both change a race only through the methods
here. What a method writes is an append for the driver to make durable.
"""

from collections.abc import Iterable
from functools import cached_property
from hashlib import sha256

from bigben_protocol import Diff, Phase, PlayerId, RaceId
from bigben_rules import Card, Position, game_named, shuffle
from bigben_server.race import events
from bigben_server.race.events import Entry, RoomAppend, RoomEvent, SeatAppend, SeatStatus
from bigben_server.race.game import Play
from bigben_server.race.ranking import Key, Ranking, key
from bigben_server.race.seat import Seat

IDLE_MS = 86_400_000
"""A room that nobody started is cancelled after a day; a practice game ends."""


class Race:
    """The fold of a room's events, with its seats."""

    def __init__(self, race: RaceId, room_log: Iterable[RoomEvent]) -> None:
        first, *others = room_log
        assert isinstance(first, events.Opened), "a room's first event is Opened"
        self.id = race
        self.opened = first
        self.game = game_named(first.rules.game)
        self.seats: dict[PlayerId, Seat] = {}
        """In seat order."""
        self.k = 1
        """How many events are folded."""
        self.durable = 1
        """How many events are certainly in the log. The later ones were decided here."""
        self.starts_at = 0
        self.ended: events.Closed | events.Cancelled | None = None
        self.rematch = ""
        self._moved: dict[PlayerId, None] = {}
        self._ranking = Ranking()
        self._unranked: dict[PlayerId, None] = {}
        """Whose place is to be looked at before the ranking is asked."""
        self.fold(others)

    # What is

    @property
    def live(self) -> bool:
        """Raced by all at once, after a countdown."""
        return self.opened.kind == "live"

    def phase(self, now: int) -> Phase:
        """Where the race stands at ``now``; only the start of a live race comes by itself."""
        match self.ended:
            case events.Closed():
                return "closed"
            case events.Cancelled():
                return "cancelled"
            case None:
                if not self.live:
                    return "running"
                if not self.starts_at:
                    return "open"
                # Whoever has moved has seen the start, even if a clock was set back since.
                started = now >= self.starts_at or any(s.status.moves for s in self.seats.values())
                return "running" if started else "countdown"

    @property
    def closes_at(self) -> int:
        """When the time of every seat is up, ms since 1970; 0 while unknown."""
        if self.live:
            return self.starts_at and self.starts_at + self.opened.rules.limit_ms
        if self.opened.kind == "practice":
            return self.opened.at + IDLE_MS
        return self.opened.closes_at

    @property
    def host(self) -> PlayerId:
        """Who may start the race for all: its maker, or who sits first once they have left.

        Empty for a daily, which starts for each on their own.
        """
        if not self.live or self.opened.host in self.seats or not self.seats:
            return self.opened.host
        return next(iter(self.seats))

    def next_at(self, now: int) -> int:
        """When time alone next changes something, ms since 1970; 0 for never."""
        match self.phase(now):
            case "open":
                return self.opened.at + IDLE_MS
            case "countdown":
                return self.starts_at
            case "running":
                return self.closes_at
            case "closed" | "cancelled":
                return 0

    @property
    def nonces(self) -> tuple[str, ...]:
        """Of the racers in seat order, as hex; a daily and practice have none."""
        return tuple(seat.nonce for seat in self.seats.values()) if self.live else ()

    @cached_property
    def seed(self) -> bytes:
        """What the cards are dealt from. Asked for only once the seats are fixed.

        Live: SHA-256(server seed + nonces in seat order), so that not even the operator knows
        the deal before everybody is ready.
        """
        seed = bytes.fromhex(self.opened.server_seed)
        return sha256(seed + bytes.fromhex("".join(self.nonces))).digest() if self.live else seed

    @cached_property
    def order(self) -> tuple[Card, ...]:
        """The shuffled cards, first dealt first."""
        return shuffle(self.game.pack, self.seed)

    @cached_property
    def dealt(self) -> Position:
        """The position that every seat begins with."""
        return self.game.deal(self.order, self.opened.rules.rules)

    @property
    def ranking(self) -> Ranking:
        """Those whose clock has started."""
        changed: dict[PlayerId, Key | None] = {}
        for player in self._unranked:
            seat = self.seats.get(player)
            begun = seat and seat.begun_at
            changed[player] = key(self.game.total, seat.standing) if seat and begun else None
        self._ranking.put(changed)
        self._unranked.clear()
        return self._ranking

    # What changes it

    def write(self, event: RoomEvent) -> RoomAppend:
        """Fold the next event of the room, to be made durable; then set ``durable``."""
        self._fold(event)
        return RoomAppend(self.id, self.k, event)

    def close(self, now: int) -> RoomAppend:
        """End the race. As far as this process knows, every seat that began is over."""
        unbegun = tuple(player for player, seat in self.seats.items() if not seat.begun_at)
        return self.write(events.Closed(now))._replace(unbegun=unbegun)

    def begin(self, seat: Seat, now: int) -> SeatAppend:
        """Start the clock of a seat: entry 0 of its log, to be made durable."""
        seat.play = self._new_play(now)
        seat.status = seat.play.status
        self.moved(seat.player)
        return self._append(seat, Entry(0, now, events.BEGIN))

    def play(self, seat: Seat, move: str, now: int) -> tuple[SeatAppend, Diff]:
        """Carry out the next move of a seat whose play is read. Raises IllegalMove.

        A seat's clock never runs backwards, even where the server's was set back.
        """
        assert seat.play is not None, "the seat's log is read before its player moves"
        diff = seat.play.play(move, max(now - seat.begun_at, seat.status.ms))
        seat.status = seat.play.status
        self.moved(seat.player)
        return self._append(seat, seat.play.log[-1]), diff

    def stop(self, seat: Seat) -> SeatAppend:
        """Time out a seat at the end of the race, its play read or not."""
        ms = self.closes_at - seat.begun_at
        if seat.play:
            _ = seat.play.play(events.TIMEOUT, ms)
        seat.status = seat.status._replace(state="timed out", moves=seat.status.moves + 1, ms=ms)
        self.moved(seat.player)
        return self._append(seat, Entry(seat.status.moves, ms, events.TIMEOUT))

    def fold(self, following: Iterable[RoomEvent]) -> None:
        """Take events k + 1 … of the room, as the log holds them."""
        assert self.durable == self.k, "what was written here comes first, if it is there at all"
        for event in following:
            self._fold(event)
        self.durable = self.k

    def heard(self, player: PlayerId, status: SeatStatus) -> None:
        """Take where a seat stands, as its log or another process says."""
        if self.seats[player].stands(status):
            self.moved(player)

    def remember(self, player: PlayerId, entries: Iterable[Entry]) -> None:
        """Fold the log of a seat, as read from where it is durable: as far as it holds together.

        Raises NotationError or IllegalMove for a move that these rules don't know.
        """
        seat = self.seats[player]
        moves = [entry for entry in entries if entry.n > 0]
        play = self._new_play(seat.begun_at)
        seat.last = moves[-1].n if play.take(moves) < len(moves) else None
        seat.play = play
        if seat.status.state == "timed out" and play.n == seat.status.moves - 1:
            # Decided here while the log was being read, and not yet written there.
            _ = play.play(events.TIMEOUT, seat.status.ms)
        elif seat.over and not play.over:
            # It was ended by its status alone, and its log does not hold together up to there.
            end = events.TIMEOUT if seat.status.state == "timed out" else events.RESIGN
            _ = play.play(end, seat.status.ms)
        if seat.status != play.status:
            seat.status = play.status
            self.moved(player)

    def end_broken(self, seat: Seat) -> SeatAppend:
        """End a seat with a broken log at its last sound move, as if the player resigned there."""
        assert seat.play is not None, "read, and found broken"
        _ = seat.play.play(events.RESIGN, seat.play.status.ms)
        seat.status = seat.play.status
        self.moved(seat.player)
        return self._append(seat, seat.play.log[-1])._replace(after=seat.last)

    def moved(self, player: PlayerId) -> None:
        """Where this seat stands is news."""
        self._moved[player] = None
        self._unranked[player] = None

    def take_moved(self) -> list[Seat]:
        """The seats that moved since the last call."""
        moved = [self.seats[player] for player in self._moved if player in self.seats]
        self._moved.clear()
        return moved

    def _fold(self, event: RoomEvent) -> None:
        self.k += 1
        match event:
            case events.Joined():
                self.seats[event.player] = Seat(event.player, event.name)
                self.moved(event.player)
            case events.Left():
                del self.seats[event.player]
                self._unranked[event.player] = None
            case events.Readied():
                self.seats[event.player].ready(event.nonce)
            case events.Unreadied():
                self.seats[event.player].unready()
            case events.Counted():
                self._fix_seats(event.starts_at)
            case events.Followed():
                self.rematch = event.race
            case events.Closed() | events.Cancelled():
                self.ended = event
            case events.Opened():
                raise AssertionError(f"race {self.id} was opened twice")

    def _append(self, seat: Seat, entry: Entry) -> SeatAppend:
        # In a live race all clocks start with the countdown's event; elsewhere entry 0 starts one.
        after = 0 if entry.n == 1 and not self.live else None
        return SeatAppend(self.id, seat.player, entry, seat.status, after, self.k)

    def _new_play(self, begun_at: int) -> Play:
        return Play(self.id, self.dealt, begun_at, undo=self.opened.rules.undo)

    def _fix_seats(self, starts_at: int) -> None:
        """The countdown begins: who is not ready has no seat, and the seed is known."""
        self.starts_at = starts_at
        self._unranked |= dict.fromkeys(self.seats)
        self.seats = {p: seat for p, seat in self.seats.items() if seat.status.state == "ready"}
        for seat in self.seats.values():
            seat.play = self._new_play(starts_at)
            seat.status = seat.play.status

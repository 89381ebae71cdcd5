"""One race and its seats: what their logs add up to. Only the methods here change a race.

Make each append that they return durable before you send anything about it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final, cast

from bigben_protocol import Diff, Phase, PlayerId, RaceId, Standing
from bigben_rules import Card, Position, game_named, shuffle
from bigben_server.race import events, transitions
from bigben_server.race.events import Entry, RoomAppend, RoomEvent, SeatAppend, SeatStatus
from bigben_server.race.game import Play
from bigben_server.race.ranking import Key, Ranking

IDLE_MS: Final = 86_400_000
"""A room that nobody started is cancelled after a day; a practice game ends."""


@dataclass(slots=True)
class Seat:
    player: PlayerId
    name: str
    status: SeatStatus
    nonce: str = ""
    play: Play | None = None
    """The folded log; None until it is read, and again after moves on another process."""
    last: int | None = None
    """None if the log is whole; else the number of its last entry: ``play`` ends in a gap."""

    @property
    def over(self) -> bool:
        return self.status.state in transitions.OVER

    @property
    def standing(self) -> Standing:
        """The seat as everybody may see it."""
        return Standing(self.player, self.name, *self.status[:5])

    def set_ready(self, trigger: transitions.SeatTrigger, nonce: str) -> None:
        self.nonce = nonce
        self.status = SeatStatus(transitions.state_after(self.status.state, trigger))


class Race:
    """The fold of its room's events and of its seats' logs."""

    def __init__(self, race: RaceId, room_log: Iterable[RoomEvent]) -> None:
        first, *others = room_log
        assert isinstance(first, events.Opened), "a room's first event is Opened"
        self.id = race
        self.opened = first
        self.game = game_named(first.rules.game)
        self.seats: dict[PlayerId, Seat] = {}
        """In seat order."""
        self.broken: dict[PlayerId, None] = {}
        """Players whose logs were read and have lost entries."""
        self.k = 1
        """How many events are folded."""
        self.durable = 1
        """How many of them are durable; the later ones are decisions of this process."""
        self.starts_at = 0
        self.ended: events.Closed | events.Cancelled | None = None
        self.rematch = ""
        self._phase: Phase = "open" if self.live else "running"
        """The phase by events alone; ``phase`` also considers the time."""
        self._moved: dict[PlayerId, None] = {}
        self._ranking = Ranking()
        self._unranked: dict[PlayerId, None] = {}
        """Players who must be placed before the ranking is used."""
        self.fold(others)

    @property
    def live(self) -> bool:
        return self.opened.kind == "live"

    def phase(self, now: int) -> Phase:
        """The phase at ``now``; only the start of a live race comes without an event."""
        if self._phase != "countdown":
            return self._phase
        # A player who has moved has seen the start, even if a clock was set back later.
        started = now >= self.starts_at or any(seat.status.moves for seat in self.seats.values())
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
        """The player who may start the race: its creator, or the first seat if they have left."""
        stays = not self.live or self.opened.host in self.seats
        return self.opened.host if stays else next(iter(self.seats), self.opened.host)

    def next_at(self, now: int) -> int:
        """When time alone next changes something, ms since 1970; 0 for never."""
        idle_at = self.opened.at + IDLE_MS
        ends = {"open": idle_at, "countdown": self.starts_at, "running": self.closes_at}
        return ends.get(self.phase(now), 0)

    @property
    def nonces(self) -> tuple[str, ...]:
        """The nonces of a live race in seat order, as hex."""
        return tuple(seat.nonce for seat in self.seats.values()) if self.live else ()

    @cached_property
    def seed(self) -> bytes:
        """The seed of the deal; use it only once the seats are fixed."""
        seed = bytes.fromhex(self.opened.server_seed)
        return sha256(seed + bytes.fromhex("".join(self.nonces))).digest() if self.live else seed

    @cached_property
    def order(self) -> tuple[Card, ...]:
        return shuffle(self.game.pack, self.seed)

    @cached_property
    def _dealt(self) -> Position:
        return self.game.deal(self.order, self.opened.rules.rules)

    @property
    def ranking(self) -> Ranking:
        """The players whose clocks have started."""
        total = self.game.total
        statuses = {p: self.seats[p].status for p in self._unranked if p in self.seats}
        keys = {p: Key(total - s.home, s.home_ms) for p, s in statuses.items() if s.begun_at}
        self._ranking.put({player: keys.get(player) for player in self._unranked})
        self._unranked.clear()
        return self._ranking

    def is_rematch_of(self, closed: "Race") -> bool:
        """Whether this room was opened for the players of that race."""
        return self.opened.invited == tuple(closed.seats)

    def write(self, event: RoomEvent, unbegun: tuple[PlayerId, ...] = ()) -> RoomAppend:
        """Fold the next event of the room; then set ``durable`` once it is. See ``RoomAppend``."""
        self._fold(event)
        return RoomAppend(self.id, self.k, event, unbegun)

    def begin(self, seat: Seat, now: int) -> SeatAppend:
        """Start the clock of a seat: entry 0 of its log."""
        self._start_clock(seat, now)
        return self._append(seat, Entry(0, now, events.BEGIN), seat.status)

    def play(self, seat: Seat, move: str, now: int) -> tuple[SeatAppend, Diff]:
        """Raises NotationError, IllegalMove and Refusal; the race is then unchanged."""
        assert seat.play is not None, "the seat's log is read before its player moves"
        # A seat's clock never runs backwards, even where the server's was set back.
        diff = seat.play.play(move, max(now - seat.status.begun_at, seat.status.ms))
        return self._append(seat, seat.play.log[-1], seat.play.status), diff

    def stop(self, seat: Seat) -> SeatAppend:
        """Time out a seat at the end of the race, its play read or not."""
        n, ms = seat.status.moves + 1, self.closes_at - seat.status.begun_at
        if seat.play:
            seat.play.add(events.TIMEOUT, ms)
        state = transitions.state_after(seat.status.state, "timeout")
        status = seat.status._replace(state=state, moves=n, ms=ms)
        return self._append(seat, Entry(n, ms, events.TIMEOUT), status)

    def end_broken(self, seat: Seat) -> SeatAppend:
        """End a seat with a broken log at its last sound move, as if the player resigned there."""
        assert seat.play is not None, "read, and found broken"
        assert seat.last is not None, "read, and found broken"
        seat.play.add(events.RESIGN, seat.play.now.ms)
        return self._append(seat, seat.play.log[-1], seat.play.status)._replace(follows=seat.last)

    def fold(self, following: Iterable[RoomEvent]) -> None:
        """Take events k + 1 … of the room, as the log holds them."""
        assert self.durable == self.k, "events that were written here must be durable first"
        for event in following:
            self._fold(event)
        self.durable = self.k

    def take_status(self, player: PlayerId, status: SeatStatus) -> None:
        """Take a newer status from elsewhere; a play that lags behind is dropped."""
        seat = self.seats[player]
        if status.moves >= seat.status.moves and status != seat.status:
            if seat.play and seat.play.n < status.moves:
                seat.play = None
            self._set_status(seat, status)

    def remember(self, player: PlayerId, entries: Iterable[Entry]) -> None:
        """Fold a seat's durable log, as far as it holds together. Raises as ``Play.take`` does."""
        seat = self.seats[player]
        moves = [entry for entry in entries if entry.n > 0]
        play = self._new_play(seat.status.begun_at)
        seat.last = None if play.take(moves) else moves[-1].n
        seat.play = play
        if seat.last is not None:
            self.broken[player] = None
        # Its log does not hold together up to its end; or it was timed out here while the log was
        # being read, and the entry is not in the log yet.
        if seat.over and not play.over:
            timed_out = seat.status.state == "timed out"
            play.add(events.TIMEOUT if timed_out else events.RESIGN, seat.status.ms)
        if seat.status != play.status:
            self._set_status(seat, play.status)

    def moved(self, player: PlayerId) -> None:
        """Announce this seat's status with the next changes, and rank it again."""
        self._moved[player] = None
        self._unranked[player] = None

    def take_moved(self) -> list[Seat]:
        """The seats that moved since the last call."""
        moved = [self.seats[player] for player in self._moved if player in self.seats]
        self._moved.clear()
        return moved

    def _fold(self, event: RoomEvent) -> None:
        trigger = cast(transitions.RoomTrigger, event.__struct_config__.tag)
        self._phase = transitions.phase_after(self._phase, trigger)
        self.k += 1
        match event:
            case events.Joined(player, name):
                self.seats[player] = Seat(player, name, SeatStatus("joined"))
                self.moved(player)
            case events.Left(player):
                del self.seats[player]
                self._unranked[player] = None
            case events.Readied(player, nonce):
                self.seats[player].set_ready("readied", nonce)
            case events.Unreadied(player):
                self.seats[player].set_ready("unreadied", "")
            case events.Counted(starts_at):
                self._fix_seats(starts_at)
            case events.Followed(race):
                self.rematch = race
            case events.Closed() | events.Cancelled():
                self.ended = event
            case events.Opened():
                raise AssertionError("no phase takes it")

    def _fix_seats(self, starts_at: int) -> None:
        """The countdown begins: players who are not ready have no seat, and the seed is known."""
        self.starts_at = starts_at
        self._unranked |= dict.fromkeys(self.seats)
        self.seats = {p: seat for p, seat in self.seats.items() if seat.status.state != "joined"}
        for seat in self.seats.values():
            self._start_clock(seat, starts_at)

    def _start_clock(self, seat: Seat, at: int) -> None:
        seat.play = self._new_play(at)
        state = transitions.state_after(seat.status.state, "begin")
        seat.status = seat.play.status._replace(state=state)

    def _new_play(self, begun_at: int) -> Play:
        return Play(self.id, self._dealt, begun_at, undo=self.opened.rules.undo)

    def _set_status(self, seat: Seat, status: SeatStatus) -> None:
        seat.status = status
        self.moved(seat.player)

    def _append(self, seat: Seat, entry: Entry, status: SeatStatus) -> SeatAppend:
        self._set_status(seat, status)
        # In a live race all clocks start with the countdown's event; elsewhere entry 0 starts one.
        is_first = entry.n == (1 if self.live else 0)
        follows = events.NOTHING if is_first else entry.n - 1
        return SeatAppend(self.id, seat.player, entry, status, follows, self.k)

"""One race and its seats: what their logs add up to. Only the methods here change a race.

Make each append that they return durable before you send anything about it.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from hashlib import sha256
from typing import Final, cast

from msgspec.structs import replace

from bigben_protocol import HOUSE_PLAYERS, Phase, PlayerId, RaceId
from bigben_rules import Card, Position, counted, game_named, shuffle
from bigben_server.race import events, transitions
from bigben_server.race.broadcasts.cheering import Cheering
from bigben_server.race.broadcasts.curves import Curves
from bigben_server.race.events import Entry, RoomAppend, RoomEvent, SeatAppend, SeatStatus
from bigben_server.race.game import Play, Seat
from bigben_server.race.ranking import Key, Ranking
from bigben_server.race.weeks import is_week

IDLE_MS: Final = 86_400_000
"""A room that nobody started is cancelled after a day; a practice game ends."""


KEPT_MS: Final = 30 * 86_400_000
"""A closed race that counts nowhere is kept so long."""


class Race:
    """The fold of its room's events and of its seats' logs."""

    def __init__(self, race: RaceId, room_log: Iterable[RoomEvent]) -> None:
        first, *others = room_log
        assert isinstance(first, events.Opened), "a room's first event is Opened"
        self.id = race
        self.opened = first
        self.live: Final = first.kind == "live"
        self.chosen = first.chosen
        """The deal; use it only while none is being chosen."""
        self.game = game_named(first.rules.game)
        self.seats: dict[PlayerId, Seat] = {}
        """In seat order."""
        self.curves = Curves(self.game, first.rules)
        self.cheering = Cheering()
        self.broken: dict[PlayerId, None] = {}
        """Players whose logs were read and have lost entries."""
        self.event_count = 1
        """How many events are folded."""
        self.durable = 1
        """How many of them are durable; the later ones are decisions of this process."""
        self.starts_at = 0
        """When a live race starts, ms since 1970; 0 while that is not known."""
        self.closes_at = first.at + IDLE_MS if first.kind == "practice" else first.closes_at
        """When the time of every seat is up, ms since 1970; 0 while unknown."""
        self.mixing_until = 0
        """While nonces are waited for: until when; else 0."""
        self.mixed_at = 0
        """When the nonces were mixed that came after Ready, ms since 1970; 0 if none were."""
        self.renewed = False
        """Whether the time for nonces was given twice."""
        self.shown = 1
        """The number of the last event that others than its player may notice."""
        self.choosing_until = 0
        """While the deal is being chosen: until when the servers look for it; else 0."""
        self.searched = events.Searched(0, 0, 0)
        """How far the servers have looked for the deal."""
        self.searches = 0
        """How often they have written that."""
        self.ended: events.Closed | events.Cancelled | None = None
        self.rematch = ""
        self.void = ""
        """Why the operator has made it void; empty if it counts."""
        self.deleted: set[str] = set()
        """The marks of deleted players who had seen cards."""
        self.grace_at = 0
        """When the seats end whose players are away while nobody plays; 0 for never."""
        self._phase: Phase = "open" if self.live else "running"
        """The phase by events alone; ``phase`` also considers the time."""
        self._moved: dict[PlayerId, None] = {}
        self._ranking = Ranking()
        self._unranked: dict[PlayerId, None] = {}
        """Players who must be placed before the ranking is used."""
        self.fold(others)

    def phase(self, now: int) -> Phase:
        """The phase at ``now``; only the start of a live race comes without an event."""
        if self._phase != "countdown" or self.mixing_until or self.choosing_until:
            return self._phase
        # A player who has moved has seen the start, even if a clock was set back later.
        started = now >= self.starts_at or any(seat.status.moves for seat in self.seats.values())
        return "running" if started else "countdown"

    def ends_at(self, seat: Seat) -> int:
        """When the time of a seat whose clock runs is up, ms since 1970."""
        if self.opened.kind != "deadline":
            return seat.ends_at or self.closes_at
        return min(self.closes_at, seat.status.begun_at + self.opened.rules.limit_ms)

    @property
    def lacks_events(self) -> bool:
        """Whether its statuses are newer than its events: no clock runs before there is a deal."""
        unfixed = self._phase == "open" or self.mixing_until or self.choosing_until
        return bool(unfixed) and any(seat.status.begun_at for seat in self.seats.values())

    @property
    def lacks_ends(self) -> bool:
        """Whether its events are newer than its statuses: a race is closed after all its seats."""
        closed = isinstance(self.ended, events.Closed)
        return closed and any(seat.status.state == "playing" for seat in self.seats.values())

    @property
    def host(self) -> PlayerId:
        """The player who may start the race: its creator, or the next one if they have left."""
        stays = not self.live or self.opened.host in self.seats
        people = (player for player in self.seats if player not in HOUSE_PLAYERS)
        return self.opened.host if stays else next(people, self.opened.host)

    @property
    def is_mixed(self) -> bool:
        """Whether the mixed seed is fixed: in a live race it is once no nonce is waited for."""
        return not self.live or bool(self.starts_at or self.choosing_until)

    @property
    def awaited(self) -> bool:
        """Whether a seat has promised a nonce that has not come."""
        return any(seat.promised and not seat.nonce for seat in self.seats.values())

    @property
    def nonces(self) -> tuple[str, ...]:
        """The nonces of a live race in seat order, as hex."""
        return tuple(seat.nonce for seat in self.seats.values()) if self.live else ()

    @property
    def mixed_seed(self) -> bytes:
        """The seed that gives all deals, in a live race mixed with the nonces in seat order."""
        assert not self.mixing_until, "nonces are waited for"
        seed = bytes.fromhex(self.opened.server_seed)
        return sha256(seed + bytes.fromhex("".join(self.nonces))).digest() if self.live else seed

    @property
    def seed(self) -> bytes:
        """The seed of the deal; use it only once the deal is fixed."""
        assert not self.choosing_until, "the deal is being chosen"
        return counted(self.mixed_seed, self.chosen.deal)

    @cached_property
    def order(self) -> tuple[Card, ...]:
        return shuffle(self.game.pack, self.seed)

    @cached_property
    def _dealt(self) -> Position:
        return self.game.deal(self.order, self.opened.rules.rules)

    @cached_property
    def line(self) -> Play:
        """The line that wins the deal, with a second for each move; secret until the close."""
        play = self._new_play(0)
        for n, move in enumerate(self.chosen.certificate, 1):
            play.play(move, 1_000 * n)
        return play

    @property
    def ranking(self) -> Ranking:
        """The players whose clocks have started."""
        total = self.game.total
        statuses = {p: self.seats[p].status for p in self._unranked if p in self.seats}
        keys = {p: Key(total - s.home, s.home_ms) for p, s in statuses.items() if s.begun_at}
        self._ranking.put({player: keys.get(player) for player in self._unranked})
        self._unranked.clear()
        return self._ranking

    @property
    def kept_until(self) -> int:
        """When a closed race is deleted, ms since 1970; 0 for never, or not yet closed.

        It counts on a board if it is a daily, in a season if it is a week's, and for a rating if
        two people, or two programs, have played a game in which something is decided. All others
        are kept for a while.
        """
        if not isinstance(self.ended, events.Closed) or self.opened.kind == "daily":
            return 0
        if is_week(self.id):
            return 0
        played = [seat.bot for seat in self.seats.values() if seat.status.begun_at]
        rated = max(played.count(False), played.count(True)) > 1
        if rated and self.opened.kind != "practice" and self.game.description.decides:
            return 0
        return self.ended.at + KEPT_MS

    def may_follow(self, player: PlayerId, phase: Phase) -> bool:
        """Whether the race is open to this player: until its end it may be so only to its own."""
        ended = phase in ("closed", "cancelled")
        return ended or self.opened.rules.spectate or player in self.seats

    def is_rematch_of(self, closed: "Race") -> bool:
        """Whether this room was opened for the players of that race."""
        return self.opened.invited == tuple(closed.seats)

    def write(self, event: RoomEvent, unbegun: tuple[PlayerId, ...] = ()) -> RoomAppend:
        """Fold the next event of the room; then set ``durable`` once it is. See ``RoomAppend``."""
        self._fold(event)
        return RoomAppend(self.id, self.event_count, event, unbegun)

    def begin(self, seat: Seat, now: int) -> SeatAppend:
        """Start the clock of a seat: entry 0 of its log."""
        self._start_clock(seat, now)
        return self._append(seat, Entry(0, now, events.BEGIN), seat.status)

    def play(self, seat: Seat, move: str, now: int) -> SeatAppend:
        """Raises NotationError, IllegalMove and Refusal; the race is then unchanged."""
        play, before = seat.play, seat.status
        assert play is not None, "the seat's log is read before its player moves"
        # A seat's clock never runs backwards, even where the server's was set back.
        play.play(move, max(now - before.begun_at, before.ms))
        return self._append(seat, play.log[-1], play.status)

    def stop(self, seat: Seat) -> SeatAppend:
        """Time out a seat at the end of its time, its play read or not."""
        n = seat.status.moves + 1
        ms = max(self.ends_at(seat) - seat.status.begun_at, seat.status.ms)
        if seat.play:
            seat.play.add(events.TIMEOUT, ms)
        state = transitions.state_after(seat.status.state, "timeout")
        status = replace(seat.status, state=state, moves=n, ms=ms)
        return self._append(seat, Entry(n, ms, events.TIMEOUT), status)

    def end_broken(self, seat: Seat) -> SeatAppend:
        """End a seat with a broken log at its last sound move, as if the player resigned there."""
        assert seat.play is not None, "read, and found broken"
        assert seat.last is not None, "read, and found broken"
        seat.play.add(events.RESIGN, seat.play.now.ms)
        return replace(self._append(seat, seat.play.log[-1], seat.play.status), follows=seat.last)

    def fold(self, following: Iterable[RoomEvent]) -> None:
        """Take the events after ``event_count`` of the room, as the log holds them."""
        assert self.durable == self.event_count, (
            "events that were written here must be durable first"
        )
        for event in following:
            self._fold(event)
        self.durable = self.event_count

    def take_status(self, player: PlayerId, status: SeatStatus) -> None:
        """Take a newer status from elsewhere; a play that lags behind is dropped."""
        seat = self.seats[player]
        if status.moves >= seat.status.moves and status != seat.status:
            if seat.play and seat.play.n < status.moves:
                seat.play = None
            self._set_status(seat, status)

    def has_moved(self, player: PlayerId) -> bool:
        """Whether the seat's status waits to be announced."""
        return player in self._moved

    def take_told(self, player: PlayerId, status: SeatStatus) -> None:
        """Take a newer status of a seat that plays elsewhere, of which subscribers hear anyway."""
        seat = self.seats[player]
        seat.play, seat.status = None, status
        self._unranked[player] = None

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

    def attend(self, away: Mapping[PlayerId, int], grace_at: int) -> bool:
        """Take who is away, and since when, and when their seats end, ms since 1970; 0 for never.

        Return whether a seat now shows it otherwise.
        """
        self.grace_at = grace_at
        changed = False
        for player, seat in self.seats.items():
            at = away.get(player, 0)
            ends_at = grace_at if at and not seat.over else 0
            if (at > 0, ends_at) != (seat.away_at > 0, seat.ends_at) and not seat.over:
                self.moved(player)
                changed = True
            seat.away_at, seat.ends_at = at, ends_at
        return changed

    def moved(self, player: PlayerId) -> None:
        """Announce this seat's status with the next changes, and rank it again."""
        self._moved[player] = None
        self._unranked[player] = None

    def take_moved(self) -> dict[PlayerId, SeatStatus]:
        """The statuses of the seats that moved since the last call."""
        moved = {p: self.seats[p].status for p in self._moved if p in self.seats}
        self._moved.clear()
        return moved

    def _fold(self, event: RoomEvent) -> None:
        trigger = cast(transitions.RoomTrigger, event.__struct_config__.tag)
        self._phase = transitions.phase_after(self._phase, trigger)
        self.event_count += 1
        if not isinstance(event, events.Nonced):
            self.shown = self.event_count
        match event:
            case events.Joined(player, name, _, bot):
                self.seats[player] = Seat(player, name, SeatStatus("joined"), bot=bot)
                self.moved(player)
            case events.Left(player):
                del self.seats[player]
                self._unranked[player] = None
            case events.Readied(player, nonce, _, promised):
                self.seats[player].set_ready(self.id, "readied", nonce, promised)
            case events.Unreadied(player):
                self.seats[player].set_ready(self.id, "unreadied", "", "")
            case events.Counted(starts_at, at):
                self._fix_seats()
                if self.awaited:
                    self.mixing_until = starts_at
                else:
                    self._begin_countdown(starts_at, at)
            case events.Nonced(player, nonce):
                self.seats[player].nonce = nonce
            case events.Renewed(until):
                self.mixing_until, self.renewed = until, True
            case events.Mixed(starts_at, at):
                assert self.mixing_until, "nonces are mixed once"
                self.mixing_until, self.mixed_at = 0, at
                self._begin_countdown(starts_at, at)
            case events.Dealt(chosen, starts_at):
                assert self.choosing_until, "a deal is chosen once"
                self.chosen, self.choosing_until = chosen, 0
                self._count_down(starts_at)
            case events.Searched(until=until):
                assert self.choosing_until, "a deal is looked for until it is chosen"
                self.searched, self.choosing_until = event, until
                self.searches += 1
            case events.RematchOpened(race):
                self.rematch = race
            case events.Closed() | events.Cancelled():
                self.ended = event
            case events.Voided(reason=reason):
                self.void = reason
            case events.Renamed(player, name):
                self.seats[player].name = name
                self.moved(player)
            case events.Deleted(mark=mark):
                self.deleted |= {mark} - {""}
            case events.Opened():
                raise AssertionError("no phase takes it")

    def _begin_countdown(self, starts_at: int, at: int) -> None:
        """The mixed seed is known: choose the deal, or start the clocks."""
        if self.opened.rules.winnable:
            self.choosing_until = starts_at
            self.searched = events.Searched(0, starts_at, at)
        else:
            self._count_down(starts_at)

    def _fix_seats(self) -> None:
        """The countdown begins: players who are not ready have no seat."""
        self._unranked |= dict.fromkeys(self.seats)
        self.seats = {p: seat for p, seat in self.seats.items() if seat.status.state != "joined"}
        if self.awaited:
            for player in HOUSE_PLAYERS & self.seats.keys():  # one that an older server has taken
                self.seats[player].nonce = self.seats[player].nonce_hash = ""

    def _count_down(self, starts_at: int) -> None:
        """The deal is known: all clocks start at the same time."""
        self.starts_at, self.closes_at = starts_at, starts_at + self.opened.rules.limit_ms
        for seat in self.seats.values():
            self._start_clock(seat, starts_at)

    def _start_clock(self, seat: Seat, at: int) -> None:
        seat.play = self._new_play(at)
        state = transitions.state_after(seat.status.state, "begin")
        seat.status = replace(seat.play.status, state=state)

    def _new_play(self, begun_at: int) -> Play:
        undo, timed = self.opened.rules.undo, self.game.description.decides
        new_reader = partial(self.game.reader, self.opened.rules.rules)
        return Play(self.id, self._dealt, begun_at, undo=undo, timed=timed, new_reader=new_reader)

    def _set_status(self, seat: Seat, status: SeatStatus) -> None:
        seat.status = status
        self.moved(seat.player)

    def _append(self, seat: Seat, entry: Entry, status: SeatStatus) -> SeatAppend:
        self._set_status(seat, status)
        # In a live race all clocks start with the countdown's event; elsewhere entry 0 starts one.
        is_first = entry.n == (1 if self.live else 0)
        follows = events.NOTHING if is_first else entry.n - 1
        return SeatAppend(self.id, seat.player, entry, status, follows, self.event_count)

"""Makes the messages about a race: rooms, progress, standings, and at its end the deal.

Only this module makes messages for players other than the seat's own. Of these only Reveal and a
Record after the close reveal cards.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, islice

import msgspec
from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import Phase, PlayerId, ServerMessage
from bigben_protocol.sentence import sentence
from bigben_rules import commitment
from bigben_server.race import events, transitions
from bigben_server.race.decisions import Reaction, Reply, Subscribe, Tell
from bigben_server.race.events import Player, Refusal
from bigben_server.race.game import Play, Seat
from bigben_server.race.state import Race
from bigben_solver.hints.asked import Asked

MOST_SHOWN = 100
"""The most seats in one message: all of a live race; a daily's others can be requested."""
MOST_CURVES = 12
"""The most seats in one answer to GetCurves."""
MOST_NAMES = 12
"""The most players whom ``info`` names."""
DIFFS_WORTH_A_SNAPSHOT = 8
"""If more diffs were missed, the snapshot is shorter."""

READ_AGAIN = sentence("race.read_again")
NO_SEAT = sentence("race.no_such_seat")


class Announcement(msgspec.Struct, frozen=True):
    """Messages about changes for all subscribers; Tell is for one player."""

    messages: list[Tell | ServerMessage]
    event_count: int
    phase: Phase
    statuses: dict[PlayerId, events.SeatStatus]
    """The statuses of the seats that the messages have."""
    void: str = ""


class Announcements:
    """What the subscribers of one race know; there is one for each race in memory."""

    def __init__(self, race: Race, now: int) -> None:
        self._race = race
        self._announced = race.event_count
        self._phase: Phase = race.phase(now)
        self._void = race.void
        self.statuses = {player: seat.status for player, seat in race.seats.items()}
        """Each seat as the subscribers know it, which is durable."""
        self._untold: Collection[PlayerId] = ()
        """The seats that the last announcement shows, until it is told."""

    def reread(self, race: Race) -> None:
        """The race was read again: announce what the subscribers do not know yet, and no more."""
        others = (
            race.event_count == self._announced and race.seats.keys() != self._race.seats.keys()
        )
        gone = self._race.seats.keys() - race.seats.keys()  # they have left, or were deleted
        if race.event_count < self._announced or others or gone:
            self._announced = events.NOTHING  # the store has lost or changed it
        for player in gone:
            self.statuses.pop(player, None)
        self._race, self._untold = race, ()
        for player, seat in race.seats.items():
            if self.statuses.get(player) != seat.status:
                race.moved(player)

    def changes(self, now: int) -> Announcement:
        """The changes since the last announcement. Send them once durable; then call ``told``."""
        race = self._race
        phase_was, phase = self._phase, race.phase(now)
        messages: list[Tell | ServerMessage] = []
        # In a daily a join is progress: subscribers do not get the whole room for each of them.
        # Nobody may notice a nonce, and a hundred rooms of a hundred seats would be a flood.
        changed = (
            race.event_count != self._announced
            and not race.shown <= self._announced < race.event_count
        )
        changed = changed and (race.opened.kind != "daily" or self._announced == events.NOTHING)
        statuses = self._untold = race.take_moved()
        if changed or phase != phase_was or race.void != self._void:
            messages.append(room(race, now))
            self._untold = race.seats
        if statuses:
            messages.append(progress(race, statuses))
        if phase == "running" and phase_was != "running":
            plays = ((seat.player, seat.play) for seat in race.seats.values() if seat.play)
            messages += [Tell(player, play.snapshot()) for player, play in plays]
        if phase == "closed" and phase_was != "closed":
            messages += [standings(race, now), reveal(race)]
        return Announcement(messages, race.event_count, phase, statuses, race.void)

    def told(self, changes: Announcement) -> None:
        """The subscribers know this now."""
        self._announced, self._phase, self._void = (
            changes.event_count,
            changes.phase,
            changes.void,
        )
        self.statuses.update(changes.statuses)
        self._untold = ()

    def take(self, statuses: Mapping[PlayerId, events.SeatStatus]) -> bool:
        """Take statuses from a peer, if ``progress`` of these is all that subscribers must hear of
        them. False if it is not; then nothing has changed.
        """
        race, known = self._race, self.statuses
        if self._phase != "running":
            return False
        for player, status in statuses.items():
            seat = race.seats.get(player)
            if seat is None or seat.away_at or player in self._untold or race.has_moved(player):
                return False
            was = seat.status
            plays = was.state == status.state == "playing" and was.begun_at == status.begun_at
            if not plays or was.moves >= status.moves or known.get(player) != was:
                return False
        for player, status in statuses.items():
            race.take_told(player, status)
        known.update(statuses)
        return True


def progress(race: Race, statuses: Mapping[PlayerId, events.SeatStatus]) -> wire.Progress:
    """What subscribers are told of these seats, whose present statuses may be newer."""
    rows = [race.seats[player].shown(status) for player, status in statuses.items()]
    return wire.Progress(race.id, tuple(rows))


def room(race: Race, now: int, ref: int = 0, viewer: PlayerId | None = None) -> wire.Room:
    """The race and its seats for any viewer; the viewer's own seat is always among them."""
    opened, seats = race.opened, race.seats
    players: Iterable[PlayerId] = seats
    if opened.kind == "daily":  # only the best, the best first
        others = (player for player, seat in seats.items() if not seat.status.begun_at)
        page = islice(chain(race.ranking.page(0, MOST_SHOWN), others), MOST_SHOWN)
        players = dict.fromkeys([*page, viewer] if viewer and viewer in seats else page)
    rows = tuple(seats[player].standing for player in players)
    committed = commitment(bytes.fromhex(opened.server_seed))
    fixed = (race.id, opened.kind, race.phase(now), opened.rules, committed, opened.at, race.host)
    times = (race.starts_at, race.closes_at)
    shown = wire.Room(*fixed, *times, rows, race.event_count, race.rematch, ref, players=len(seats))
    return replace(
        shown,
        void=race.void,
        counter=opened.counter,
        grade=_announced(race),
        choosing=race.choosing_until > 0,
        nonce_hashes=_nonce_hashes(race),
        mixing=race.mixing_until > 0,
        unmixed=race.phase(now) == "cancelled" and race.mixing_until > 0,
        certified=opened.rules.winnable and bool(race.chosen.certificate),
        par=_par(race, now),
    )


def _nonce_hashes(race: Race) -> tuple[str, ...]:
    """Those of all seats, before the nonces are told; empty if no seat has one."""
    hashes = tuple(seat.nonce_hash for seat in race.seats.values()) if race.live else ()
    return hashes if any(hashes) else ()


def _announced(race: Race) -> wire.Grade:
    """The grade that players may know before the close: a daily's, or the one they asked for."""
    grade, opened = race.chosen.grade, race.opened
    return grade if opened.kind == "daily" or grade == opened.rules.grade else ""


def _par(race: Race, now: int) -> int:
    return len(race.chosen.certificate) if race.phase(now) == "closed" else 0


def info(
    race: Race, now: int, viewer: PlayerId | None = None, *, invited: bool = True
) -> wire.RaceInfo:
    """The race in short. Nobody is named in a daily, or if the asker is not ``invited``."""
    opened, host = race.opened, ""
    names: tuple[str, ...] = ()
    if opened.kind != "daily" and invited:
        names = tuple(seat.name for seat in islice(race.seats.values(), MOST_NAMES))
        host = race.seats[race.host].name if race.host in race.seats else ""
    seat = race.seats.get(viewer) if viewer else None
    return wire.RaceInfo(
        race.id,
        opened.kind,
        race.phase(now),
        opened.rules,
        host,
        len(race.seats),
        names,
        opened.at,
        race.closes_at,
        seat.status.state if seat else None,
        race.rematch,
        race.void,
    )


def standings(
    race: Race, now: int, ref: int = 0, *, start: int = 0, only: Collection[str] = ()
) -> wire.Standings:
    """The places of seats that have begun, the best first: a hundred after the first ``start``."""
    ranking = race.ranking
    page = ranking.page(start, MOST_SHOWN)
    if only:
        page = ranking.among(map(PlayerId, only))[start : start + MOST_SHOWN]
    rows = [replace(race.seats[player].standing, place=ranking.place(player)) for player in page]
    return wire.Standings(race.id, tuple(rows), race.phase(now) == "closed", ref, len(ranking))


def standings_for(
    race: Race, player: Player, message: wire.GetStandings, now: int
) -> wire.Standings:
    """The standings that a player asks for. If these are of only some, with the player's own id,
    their row has it also if the seat is from when they were a guest.
    """
    only, own = [*message.only], seat_of(race, player)
    as_guest = own.player if own and player.id in only else player.id
    only = [as_guest if one == player.id else one for one in only]
    told = standings(race, now, message.ref, start=message.start, only=only)
    if as_guest == player.id:
        return told
    rows = (replace(r, player=player.id) if r.player == as_guest else r for r in told.rows)
    return replace(told, rows=tuple(rows))


def reveal(race: Race) -> wire.Reveal:
    """The deal for everybody. Call it only for a closed race: a player may have two accounts."""
    seed = race.opened.server_seed
    committed = commitment(bytes.fromhex(seed))
    told = wire.Reveal(
        race.id, committed, seed, race.seed.hex(), race.nonces, race.chosen, race.kept_until
    )
    if not race.mixed_at:
        return told
    states = tuple(seat.nonce_state for seat in race.seats.values())
    return replace(told, nonce_states=states, mixed_at=race.mixed_at)


def joined(race: Race, player: PlayerId, ref: int, now: int) -> list[Reaction]:
    """What a player receives on joining: the room, their own game if it has begun, the end."""
    seat = race.seats.get(player)
    shown = room(race, now, ref, player)
    if seat and race.opened.invite:
        shown = replace(shown, invite=f"{race.id}-{race.opened.invite}")
    received: list[Reaction] = [Reply(shown)]
    if seat and (play := _shown_play(race, seat, now)):
        received.append(Reply(play.snapshot()))
        if seat.last is not None:
            received.append(Reply(play.broken.message(race.id)))
    return received + final(race, now)


def final(race: Race, now: int) -> list[Reaction]:
    """The final standings and the deal for a client that arrives after the close; else nothing."""
    closed = race.phase(now) == "closed"
    return [Reply(standings(race, now)), Reply(reveal(race))] if closed else []


def resumed(race: Race, player: Player, message: wire.Resume, now: int) -> list[Reaction]:
    """What a player receives on resuming: the missed diffs, or the snapshot if it is shorter."""
    play, since = _shown_play(race, race.seats.get(player.id), now), message.since
    if not (play and since and 0 <= play.n - since <= DIFFS_WORTH_A_SNAPSHOT):
        return [Subscribe(), *joined(race, player.id, message.ref, now)]
    shown = Reply(room(race, now, message.ref, player.id))
    return [Subscribe(), shown, *map(Reply, play.diffs(since)), *final(race, now)]


def seat_of(race: Race, asker: Player, whose: str = "") -> Seat | None:
    """The seat of a player, or the asker's own, which they may have under an id that was tied."""
    if whose and whose != asker.id:
        return race.seats.get(PlayerId(whose))
    seats = (race.seats[one] for one in (asker.id, *asker.tied) if one in race.seats)
    return next((seat for seat in seats if seat.status.begun_at), race.seats.get(asker.id))


def record(race: Race, player: Player, message: wire.GetRecord, now: int) -> wire.Record:
    """Every move of a seat. Others' seats, and the order of the deal, only once the race is closed.

    A player's own record is available at any time and has only the cards that they have seen.
    """
    if message.player == wire.CERTIFICATE:
        return _certificate(race, message, now)
    whose = seat_of(race, player, message.player)
    if whose is None:
        raise Refusal("seat", NO_SEAT)
    phase = race.phase(now)
    if whose.player not in (player.id, *player.tied) and phase != "closed":
        raise Refusal("phase", sentence("see.moves_closed"))
    order = race.order if phase == "closed" else ()
    begun, rules = whose.status.begun_at, race.opened.rules
    own = message.player in ("", player.id)
    shown = replace(whose.standing, player=player.id) if own else whose.standing
    told = wire.Record(race.id, shown, order, (), message.ref, begun, rules=rules)
    if not (play := _shown_play(race, whose, now)):
        return told
    moves = tuple((entry.ms, entry.move) for entry in play.log)
    return replace(told, moves=moves, piles=play.piles(0), steps=play.all_steps())


def hinted(race: Race, player: Player, message: wire.GetHint, now: int) -> Asked:
    """The position for which a hint is asked, as its player sees it. Raises Refusal.

    In a race that is not closed nobody gets one, whose cards are still being played.
    """
    phase, practice = race.phase(now), race.opened.kind == "practice"
    if practice and player.id not in race.seats:
        raise Refusal("seat", transitions.NOT_YOURS)
    if not practice and phase != "closed":
        raise Refusal("phase", sentence("hint.closed"))
    if not race.game.description.decides:
        raise Refusal("rules", sentence("hint.luck"))
    seat = seat_of(race, player, message.player)
    if seat is None:
        raise Refusal("seat", NO_SEAT)
    if not (play := _shown_play(race, seat, now)):
        if seat.status.begun_at:
            raise Refusal("busy", READ_AGAIN)
        raise Refusal("phase", sentence("hint.no_cards"))
    n = message.n
    if n > play.n or (phase != "closed" and n != play.n):
        raise Refusal("gap", sentence("hint.after", n=play.n))
    rules = race.opened.rules.rules
    can_undo = phase != "closed" and play.now.can_undo
    dealt = play.positions[play.shown_at(n)]
    return Asked.of(race.game, rules, play.positions[n], can_undo=can_undo, dealt=dealt)


def _certificate(race: Race, message: wire.GetRecord, now: int) -> wire.Record:
    if race.phase(now) != "closed":
        raise Refusal("phase", sentence("see.line_closed"))
    if not race.chosen.certificate:
        raise Refusal("seat", sentence("see.no_line"))
    play, rules = race.line, race.opened.rules
    shown = play.status.standing(wire.CERTIFICATE, "Par")
    moves = tuple((entry.ms, entry.move) for entry in play.log)
    told = wire.Record(race.id, shown, race.order, moves, message.ref, rules=rules)
    return replace(told, piles=play.piles(0), steps=play.all_steps())


def curved(race: Race, message: wire.GetCurves) -> list[Seat]:
    """The finished seats whose curves are asked for: those that are named, or the best."""
    players: Iterable[PlayerId] = map(PlayerId, message.players)
    if not message.players:  # a daily may rank thousands, and the first are soon enough
        starts = range(0, len(race.ranking), MOST_SHOWN)
        players = chain.from_iterable(race.ranking.page(at, MOST_SHOWN) for at in starts)
    seats = (race.seats[player] for player in players if player in race.seats)
    return [*islice((seat for seat in seats if seat.over), MOST_CURVES)]


def unread_curves(race: Race, player: Player, message: wire.GetCurves, now: int) -> list[PlayerId]:
    """The seats whose progress must be read, and given to ``race.curves``, before ``curves``.

    None for who may not see them.
    """
    if race.opened.kind == "practice" or not _may_see_curves(race, player, now):
        return []
    return [one.player for one in curved(race, message) if race.curves.get(one.player) is None]


def _may_see_curves(race: Race, player: Player, now: int) -> bool:
    seat = race.seats.get(player.id)
    may_watch = race.opened.rules.spectate or race.phase(now) == "closed"
    return may_watch or bool(seat and seat.status.begun_at)


def curves(race: Race, player: Player, message: wire.GetCurves, now: int) -> wire.Curves:
    """How the cards of finished seats came home, as far as ``race.curves`` has it."""
    if not _may_see_curves(race, player, now):
        raise Refusal("phase", sentence("see.curves"))
    found = ((seat, race.curves.get(seat.player)) for seat in curved(race, message))
    told = (wire.Curve(seat.player, seat.name, points) for seat, points in found if points)
    return wire.Curves(race.id, tuple(told), message.ref)


def _shown_play(race: Race, seat: Seat | None, now: int) -> Play | None:
    """The play of a seat whose cards are not secret any more, as they are in a countdown."""
    return seat.play if seat and race.phase(now) in ("running", "closed") else None

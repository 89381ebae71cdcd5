"""Decides what a message or a timer does to a race.

``receive`` and ``tick`` return effects. The caller must make their appends durable, and only then
carry out the rest. If an append is refused, it must drop the race and read it again.
"""

from hmac import compare_digest

import bigben_protocol as wire
from bigben_protocol import PlayerId
from bigben_rules import IllegalMove, NotationError
from bigben_server.race import events, lobby, transitions, views
from bigben_server.race.events import Effect, Player, Refusal, Reply, RoomEvent, Subscribe, Tell
from bigben_server.race.game import Play
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race, Seat
from bigben_server.race.transitions import RaceMessage

COUNTDOWN_MS = 3_000
MOST_SEATS = 100
"""The most seats in a live room; a daily has no limit."""
MoveRefused = (Refusal, IllegalMove, NotationError)
"""The player is wrong, and the race is unchanged."""


def unread(race: Race, player: PlayerId, message: wire.ClientMessage) -> PlayerId | None:
    """The player whose log must be read (``Race.remember``) before ``receive``, if any."""
    if isinstance(message, wire.GetRecord):
        player = PlayerId(message.player or player)
    elif not isinstance(message, wire.Join | wire.Ready | wire.Move | wire.Resume):
        return None
    seat = race.seats.get(player)
    return player if seat and seat.status.begun_at and seat.play is None else None


def ahead(race: Race, player: PlayerId, message: wire.ClientMessage) -> bool:
    """Whether ``message`` claims unknown moves, which another process may have."""
    seat = race.seats.get(player)
    moves = seat.status.moves if seat else 0
    if isinstance(message, wire.Move):
        return message.n - 1 > moves
    return isinstance(message, wire.Resume) and message.since > moves


def mover(race: Race, player: PlayerId, message: wire.Move, now: int) -> Seat | None:
    """The seat whose next move this is, if only the rules of the game may refuse it.

    None if ``receive`` must decide it.
    """
    seat = race.seats.get(player)
    if seat is None or (play := seat.play) is None or seat.last is not None:
        return None
    if message.n != play.n + 1 or race.phase(now) != "running" or now >= race.closes_at:
        return None
    return seat


def play_move(race: Race, seat: Seat, message: wire.Move, now: int) -> list[Effect]:
    """Play the next move of a seat. Raises a ``MoveRefused``; nothing has changed then."""
    append, diff = race.play(seat, message.move, now)
    # Subscribe: the diff is the acknowledgement, and only subscribers receive it.
    return [append, Subscribe(), Tell(seat.player, diff)]


def receive(race: Race, player: Player, message: RaceMessage, now: int) -> list[Effect]:
    """Decide what ``message`` does. If the answer is Refused, nothing has changed.

    The log that ``unread`` names must have been read.
    """
    assert unread(race, player.id, message) is None, "the seat's log is read first"
    try:
        phase, kind = race.phase(now), race.opened.kind
        phases = transitions.MESSAGES[type(message), kind]
        if not phases:
            title = "Practice" if kind == "practice" else f"A {kind} race"
            raise Refusal("phase", f"{title} has no {type(message).__name__.lower()} command.")
        if kind == "practice" and player.id not in race.seats:
            raise Refusal("seat", "This practice belongs to another player; create your own.")
        if phase not in phases:
            raise Refusal("phase", transitions.REASONS[phase])
        return _decide(race, player, message, now)
    except Refusal as refusal:
        code, text = refusal.code, refusal.text
    except IllegalMove as illegal:
        code, text = "illegal", illegal.reason
    except NotationError as error:
        code, text = "notation", str(error)
    ref = message.n if isinstance(message, wire.Move) else message.ref
    return [Reply(wire.Refused(code, text, race.id, ref))]


def tick(race: Race, now: int) -> list[Effect]:
    """What is due by time or after the ends of seats. Call it when all appends are durable."""
    phase, seats = race.phase(now), race.seats.values()
    time_over = now >= race.next_at(now)
    if phase == "open" and time_over:
        return [race.write(events.Cancelled(now))]
    if phase != "running":
        return []
    if race.opened.kind == "daily" and not time_over:
        return []  # without a look at its seats, which may be thousands
    playing = [seat for seat in seats if seat.status.state == "playing"]
    if time_over and playing:
        return [race.stop(seat) for seat in playing]
    unbegun = tuple(seat.player for seat in seats if not seat.status.begun_at)
    waits = not seats or playing or unbegun
    return [race.write(events.Closed(now), unbegun)] if time_over or not waits else []


def end_broken(race: Race, now: int) -> list[Effect]:
    """End the seats whose logs, read before, have lost entries; tell their players what is left."""
    if race.phase(now) != "running":
        return []
    effects: list[Effect] = []
    for player in race.broken:
        seat = race.seats[player]
        if seat.play and seat.last is not None and not seat.over:
            append = race.end_broken(seat)
            refused = wire.Refused("phase", seat.play.broken, race.id)
            effects += [append, Tell(player, seat.play.snapshot()), Tell(player, refused)]
    return effects


def rematch(race: Race, player: Player, now: int, random_bytes: RandomBytes) -> list[RoomEvent]:
    """The first events of a room for another race of the same players. Raises Refusal."""
    if not race.live or race.phase(now) != "closed":
        raise Refusal("phase", "You can call for a rematch when a live race is closed.")
    if player.id not in race.seats:
        raise Refusal("seat", "Only players of this race can call for a rematch.")
    rules, seed, invited = race.opened.rules, random_bytes(32).hex(), tuple(race.seats)
    opened = events.Opened("live", rules, seed, now, player.id, invited=invited)
    return lobby.first_events(opened, player, random_bytes)


def _decide(race: Race, player: Player, message: RaceMessage, now: int) -> list[Effect]:
    match message:
        case wire.Join(_, ref):
            taken = _take_seat(race, player, message, now)
            return [*taken, Subscribe(), *views.joined(race, player.id, ref, now)]
        case wire.Watch(_, ref):
            room = Reply(views.room(race, now, ref, player.id))
            return [Subscribe(), room, *views.final(race, now)]
        case wire.Leave(_, ref):
            left = Reply(wire.Left(race.id, ref))
            return [*_free_seat(race, player, now), events.Unsubscribe(), left]
        case wire.Ready():
            return _ready(race, player, message, now)
        case wire.Unready(_, ref):
            ready = _seat(race, player).status.state == "ready"
            unreadied = [race.write(events.Unreadied(player.id, now))] if ready else []
            return [*unreadied, Reply(views.room(race, now, ref))]
        case wire.Start(_, ref):
            return [*_start(race, player, now), Reply(views.room(race, now, ref))]
        case wire.Move():
            return _move(race, _seat(race, player), message, now)
        case wire.Resume():
            return views.resumed(race, player, message, now)
        case wire.GetStandings(_, ref, start, only):
            return [Reply(views.standings(race, now, ref, start=start, only=only))]
        case wire.GetRecord():
            return [Reply(views.record(race, player, message, now))]


def _seat(race: Race, player: Player) -> Seat:
    if player.id not in race.seats:
        raise Refusal("seat", "You have no seat in this race; join it first.")
    return race.seats[player.id]


def _take_seat(race: Race, player: Player, message: wire.Join, now: int) -> list[Effect]:
    phase, opened = race.phase(now), race.opened
    if player.id in race.seats or phase in ("closed", "cancelled"):
        return []
    if race.live and phase != "open":
        raise Refusal("phase", "The race has started without you; watch it instead.")
    if race.live and len(race.seats) >= MOST_SEATS:
        raise Refusal("limit", f"The room is full: {MOST_SEATS} seats are taken.")
    if not race.live and now >= race.closes_at:
        raise Refusal("phase", transitions.TIME_OVER)
    needs_invite = opened.invite and player.id not in opened.invited
    if needs_invite and not compare_digest(lobby.invite_named(message.race), opened.invite):
        text = "This room is by invitation only: join it as CODE-INVITE, or watch it."
        raise Refusal("seat", text)
    return [race.write(events.Joined(player.id, player.name, now))]


def _free_seat(race: Race, player: Player, now: int) -> list[Effect]:
    """Before the start the seat is free again; later it stays the player's."""
    if race.phase(now) != "open" or player.id not in race.seats:
        return []
    left = race.write(events.Left(player.id, now))
    if not race.seats:
        return [left, race.write(events.Cancelled(now))]
    return [left, *_start_if_all_ready(race, now)]


def _ready(race: Race, player: Player, message: wire.Ready, now: int) -> list[Effect]:
    seat, is_open = _seat(race, player), race.phase(now) == "open"
    effects: list[Effect] = []
    if race.live and seat.status.state != "joined" and message.nonce != seat.nonce:
        again = "You are already ready with another nonce; send unready first to change the nonce."
        fixed = "The race uses the nonce that you first sent with ready."
        raise Refusal("conflict", again if is_open else fixed)
    if is_open:
        if seat.status.state == "joined":
            effects.append(race.write(events.Readied(player.id, message.nonce, now)))
        effects += _start_if_all_ready(race, now)
        return [*effects, Reply(views.room(race, now, message.ref))]
    if not race.live and not seat.status.begun_at:
        if now >= race.closes_at:
            raise Refusal("phase", transitions.TIME_OVER)
        effects.append(race.begin(seat, now))
    return [*effects, *views.joined(race, player.id, message.ref, now)]


def _start(race: Race, player: Player, now: int) -> list[Effect]:
    if player.id != race.host:
        raise Refusal("seat", "Only the host can start the race for everybody.")
    if race.phase(now) != "open":
        return []
    if not any(seat.status.state == "ready" for seat in race.seats.values()):
        raise Refusal("phase", "Nobody is ready yet.")
    return [race.write(events.Counted(now + COUNTDOWN_MS, now))]


def _start_if_all_ready(race: Race, now: int) -> list[Effect]:
    ready = all(seat.status.state == "ready" for seat in race.seats.values())
    return [race.write(events.Counted(now + COUNTDOWN_MS, now))] if ready else []


def _move(race: Race, seat: Seat, message: wire.Move, now: int) -> list[Effect]:
    play = seat.play
    if play and message.n <= play.n:
        return [Reply(_old_diff(play, message))]
    if play and seat.last is not None:  # also if that has closed the race
        raise Refusal("phase", play.broken)
    if race.phase(now) == "closed":
        raise Refusal("phase", transitions.REASONS["closed"])
    if play is None:
        raise Refusal("phase", "Your clock has not started; send ready to see the cards.")
    if message.n > play.n + 1:
        raise Refusal("gap", f"Your next move is number {play.n + 1}.")
    if now >= race.closes_at:
        raise Refusal("phase", transitions.TIME_OVER)
    return play_move(race, seat, message, now)


def _old_diff(play: Play, message: wire.Move) -> wire.Diff:
    """The original answer to a move of the log. Raises Refusal if it was another one."""
    if message.n < 1:
        raise Refusal("gap", "Moves are numbered from 1.")
    if play.log[message.n - 1].move == events.TIMEOUT:
        raise Refusal("phase", transitions.TIME_OVER)
    if not play.same(message.n, message.move):
        raise Refusal("conflict", f"You already played a different move {message.n}.")
    return play.diff(message.n)

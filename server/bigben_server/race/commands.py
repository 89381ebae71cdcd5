"""What a message does to a race, and what time does to it. Another module carries that out.

``receive`` and ``tick`` return effects. The caller makes their appends durable, and only then
carries out the rest. When an append is refused it drops the race and reads it again.
"""

from hmac import compare_digest

from bigben_protocol import (
    ClientMessage,
    Diff,
    GetRecord,
    GetStandings,
    Join,
    Leave,
    Left,
    Move,
    Phase,
    PlayerId,
    Ready,
    Refused,
    Resume,
    Start,
    Unready,
    Watch,
)
from bigben_rules import IllegalMove, NotationError
from bigben_server.race import events, lobby, transitions, views
from bigben_server.race.effects import Effect, Player, Reply, Subscribe, Tell, Unsubscribe
from bigben_server.race.events import RoomEvent
from bigben_server.race.game import Play
from bigben_server.race.state import Race, Seat
from bigben_server.race.transitions import RaceMessage, Refusal

COUNTDOWN_MS = 3_000
MOST_SEATS = 100
"""In a live room; a daily has no end of them."""


def unread(race: Race, player: PlayerId, message: RaceMessage) -> PlayerId | None:
    """Whose log must be read (``Race.remember``) before ``message`` can be received, if any."""
    if not isinstance(message, Join | Ready | Move | Resume | GetRecord):
        return None
    whose = player
    if isinstance(message, GetRecord) and message.player:
        whose = PlayerId(message.player)
    seat = race.seats.get(whose)
    return whose if seat and seat.begun_at and seat.play is None else None


def ahead(race: Race, player: PlayerId, message: ClientMessage) -> bool:
    """Whether ``message`` knows of moves that are not here: another process may have them.

    Or its sender made them up.
    """
    match message:
        case Move(n=n):
            known = n - 1
        case Resume(since=since):
            known = since
        case _:
            return False
    seat = race.seats.get(player)
    return known > (seat.status.moves if seat else 0)


def receive(race: Race, player: Player, message: RaceMessage, now: int) -> list[Effect]:
    """Decide what ``message`` does. If the answer is Refused, nothing has changed.

    What it needs is read: a seat whose log is not would be told that its clock never started.
    """
    assert unread(race, player.id, message) is None, "the seat's log is read first"
    try:
        phases = transitions.taken_in(race.opened.kind, message)
        _check_own(race, player)
        if race.phase(now) not in phases:
            raise Refusal("phase", transitions.REASONS[race.phase(now)])
        return _decide(race, player, message, now)
    except Refusal as refusal:
        code, text = refusal.code, refusal.text
    except IllegalMove as illegal:
        code, text = "illegal", illegal.reason
    except NotationError as error:
        code, text = "notation", str(error)
    ref = message.n if isinstance(message, Move) else message.ref
    return [Reply(Refused(code, text, race.id, ref))]


def tick(race: Race, now: int) -> list[Effect]:
    """What time and the ends of seats bring about. Called when nothing is in flight here."""
    match race.phase(now):
        case "open":
            return [race.write(events.Cancelled(now))] if now >= race.next_at(now) else []
        case "countdown" | "closed" | "cancelled":
            return []
        case "running":
            playing = [seat for seat in race.seats.values() if seat.playing]
            if now >= race.closes_at:
                return [race.stop(seat) for seat in playing] or [race.close(now)]
            waits = race.opened.kind == "daily" or not race.seats or playing
            begun = all(seat.begun_at for seat in race.seats.values())
            return [] if waits or not begun else [race.close(now)]


def end_broken(race: Race, now: int) -> list[Effect]:
    """End the seats whose logs have lost what they went on from. Their logs are read.

    Their players are sent what is left, and why.
    """
    if race.phase(now) != "running":
        return []
    effects: list[Effect] = []
    for seat in race.seats.values():
        if seat.play and seat.last is not None and not seat.over:
            effects.append(race.end_broken(seat))
            effects.append(Tell(seat.player, seat.play.snapshot()))
            text = seat.play.broken
            effects.append(Tell(seat.player, Refused("phase", text, race.id)))
    return effects


def rematch(
    race: Race, player: Player, now: int, random_bytes: lobby.RandomBytes
) -> list[RoomEvent]:
    """The first events of a room for another race of the same players. Raises Refusal."""
    if not race.live or race.phase(now) != "closed":
        raise Refusal("phase", "A rematch follows a live race that is closed.")
    if player.id not in race.seats:
        raise Refusal("seat", "Only those who raced call for a rematch.")
    return lobby.rematch(race.opened, tuple(race.seats), player, now, random_bytes)


def _decide(race: Race, player: Player, message: RaceMessage, now: int) -> list[Effect]:
    match message:
        case Join():
            return _join(race, player, message, now)
        case Watch():
            room = Reply(views.room(race, now, message.ref, player.id))
            return [Subscribe(), room, *views.final(race, now)]
        case Leave():
            return _leave(race, player, message.ref, now)
        case Ready():
            return _ready(race, player, message, now)
        case Unready():
            seat = _seat(race, player)
            effects: list[Effect] = []
            if seat.status.state == "ready":
                effects.append(race.write(events.Unreadied(player.id, now)))
            return [*effects, Reply(views.room(race, now, message.ref))]
        case Start():
            return _start(race, player, message.ref, now)
        case Move():
            return _move(race, _seat(race, player), message, now)
        case Resume():
            return views.resumed(race, player, message, now)
        case GetStandings(_, ref, start, only):
            return [Reply(views.standings(race, now, ref, start=start, only=only))]
        case GetRecord():
            return [Reply(views.record(race, player, message, now))]


def _check_own(race: Race, player: Player) -> None:
    """Raises Refusal if the player does not own this practice."""
    if race.opened.kind == "practice" and player.id not in race.seats:
        raise Refusal("seat", "This is somebody's practice; create your own.")


def _join(race: Race, player: Player, message: Join, now: int) -> list[Effect]:
    effects: list[Effect] = []
    seat = race.seats.get(player.id)
    phase = race.phase(now)
    if seat is None and phase not in ("closed", "cancelled"):
        _check_joining(race, phase, now)
        _check_invited(race, player, lobby.invite_named(message.race))
        effects.append(race.write(events.Joined(player.id, player.name, now)))
    return [
        *effects,
        Subscribe(),
        *views.joined(race, player.id, message.ref, now),
    ]


def _check_invited(race: Race, player: Player, invite: str) -> None:
    """Raises Refusal where an invitation is needed and this is none."""
    opened = race.opened
    if not opened.invite or player.id in opened.invited:
        return
    if not compare_digest(invite, opened.invite):
        raise Refusal("seat", "This room is by invitation: join it as CODE-INVITE, or watch it.")


def _check_joining(race: Race, phase: Phase, now: int) -> None:
    """Raises Refusal where no seat can be taken now."""
    match race.opened.kind:
        case "live":
            if phase != "open":
                raise Refusal("phase", "The race has started without you; watch it instead.")
            if len(race.seats) >= MOST_SEATS:
                raise Refusal("limit", f"The room is full: {MOST_SEATS} seats are taken.")
        case "daily":
            if now >= race.closes_at:
                raise Refusal("phase", transitions.TIME_OVER)
        case "practice":
            raise AssertionError("its one seat is taken when it is opened")


def _leave(race: Race, player: Player, ref: int, now: int) -> list[Effect]:
    """Before the start the seat is free again; later it stays, and only the news stop."""
    effects: list[Effect] = []
    if race.phase(now) == "open" and player.id in race.seats:
        effects.append(race.write(events.Left(player.id, now)))
        if not race.seats:
            effects.append(race.write(events.Cancelled(now)))
        elif race.seats and _all_ready(race):
            effects.append(race.write(events.Counted(now + COUNTDOWN_MS, now)))
    return [*effects, Unsubscribe(), Reply(Left(race.id, ref))]


def _ready(race: Race, player: Player, message: Ready, now: int) -> list[Effect]:
    seat = _seat(race, player)
    effects: list[Effect] = []
    if race.live:
        _check_nonce(race, seat, message, now)
    if race.live and race.phase(now) == "open":
        if seat.status.state == "joined":
            effects.append(race.write(events.Readied(player.id, message.nonce, now)))
        if _all_ready(race):
            effects.append(race.write(events.Counted(now + COUNTDOWN_MS, now)))
        return [*effects, Reply(views.room(race, now, message.ref))]
    if not race.live and not seat.begun_at:
        if now >= race.closes_at:
            raise Refusal("phase", transitions.TIME_OVER)
        effects.append(race.begin(seat, now))
    return [*effects, *views.joined(race, player.id, message.ref, now)]


def _check_nonce(race: Race, seat: Seat, message: Ready, now: int) -> None:
    """Raises Refusal if the player is ready with another nonce: the seed takes the first."""
    if seat.status.state == "joined" or message.nonce == seat.nonce:
        return
    if race.phase(now) == "open":
        text = "You are already ready with another nonce; send unready first to change the nonce."
    else:
        text = "The race uses the nonce that you first sent with ready."
    raise Refusal("conflict", text)


def _start(race: Race, player: Player, ref: int, now: int) -> list[Effect]:
    if player.id != race.host:
        raise Refusal("seat", "Only the host starts the race for all.")
    if race.phase(now) != "open":
        return [Reply(views.room(race, now, ref))]
    if not any(seat.status.state == "ready" for seat in race.seats.values()):
        raise Refusal("phase", "Nobody is ready yet.")
    return [
        race.write(events.Counted(now + COUNTDOWN_MS, now)),
        Reply(views.room(race, now, ref)),
    ]


def _all_ready(race: Race) -> bool:
    return all(seat.status.state == "ready" for seat in race.seats.values())


def _move(race: Race, seat: Seat, message: Move, now: int) -> list[Effect]:
    play = seat.play
    if play and message.n <= play.n:
        return [Reply(_old_diff(play, message))]
    if race.phase(now) == "closed":
        raise Refusal("phase", transitions.REASONS["closed"])
    if play is None:
        raise Refusal("phase", "Your clock has not started; send ready to see the cards.")
    if seat.last is not None:
        raise Refusal("phase", play.broken)
    if message.n > play.n + 1:
        raise Refusal("gap", f"Your next move is number {play.n + 1}.")
    if now >= race.closes_at:
        raise Refusal("phase", transitions.TIME_OVER)
    append, diff = race.play(seat, message.move, now)
    # Subscribe: the diff is the acknowledgement, and only subscribers are told.
    return [append, Subscribe(), Tell(seat.player, diff)]


def _old_diff(play: Play, message: Move) -> Diff:
    """The original answer to a move of the log. Raises Refusal if it was another one."""
    if message.n < 1:
        raise Refusal("gap", "Moves are numbered from 1.")
    if play.log[message.n - 1].move == events.TIMEOUT:
        raise Refusal("phase", transitions.TIME_OVER)
    if not play.same(message.n, message.move):
        raise Refusal("conflict", f"You already played a different move {message.n}.")
    return play.diff(message.n)


def _seat(race: Race, player: Player) -> Seat:
    if player.id not in race.seats:
        raise Refusal("seat", "You have no seat in this race; join it first.")
    return race.seats[player.id]

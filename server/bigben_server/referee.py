"""What a message does to a race, and what time does. Decides; a driver carries the effects out.

``receive`` and ``tick`` return effects. The driver makes their appends durable, and only then
carries out the rest. When an append is refused it throws the race away and reads it again.
"""

from hmac import compare_digest

from msgspec.structs import replace

from bigben_protocol import (
    ClientMessage,
    GetRecord,
    GetStandings,
    Join,
    Leave,
    Left,
    Move,
    Phase,
    PlayerId,
    Ready,
    Record,
    Refused,
    Resume,
    Start,
    Unready,
    Watch,
)
from bigben_rules import IllegalMove, NotationError
from bigben_server import announce, log, phases
from bigben_server.effects import Effect, Follow, Player, Reply, Tell, Unfollow
from bigben_server.phases import Refusal
from bigben_server.play import Play
from bigben_server.race import Race
from bigben_server.rooms import invite_named
from bigben_server.seat import Seat

COUNTDOWN_MS = 3_000
MOST_SEATS = 100
"""In a live room; a daily has no end of them."""
MOST_MOVES = 2_000
"""Of one seat: a log without end (cards can go to and fro) would be a burden on everybody."""
_TIME_OVER = "The time for this race is over."
DIFFS_WORTH_A_SNAPSHOT = 8
"""More missed diffs than these are longer than the snapshot."""

RaceMessage = (
    Join | Watch | Leave | Ready | Unready | Start | Move | Resume | GetStandings | GetRecord
)


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
    return known > (seat.mark.moves if seat else 0)


def receive(race: Race, player: Player, message: RaceMessage, now: int) -> list[Effect]:
    """Decide what ``message`` does. Nothing has changed where the answer is Refused."""
    try:
        phases.check(race.opened.kind, race.phase(now), message)
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
            return [race.write(log.Cancelled(now))] if now >= race.next_at(now) else []
        case "countdown" | "closed" | "cancelled":
            return []
        case "running":
            playing = [seat for seat in race.seats.values() if seat.playing]
            if now >= race.closes_at:
                return [race.stop(seat) for seat in playing] or [race.write(log.Closed(now))]
            waits = race.opened.kind == "daily" or not race.seats or playing
            begun = all(seat.begun_at for seat in race.seats.values())
            return [] if waits or not begun else [race.write(log.Closed(now))]


def _decide(race: Race, player: Player, message: RaceMessage, now: int) -> list[Effect]:
    match message:
        case Join():
            return _join(race, player, message, now)
        case Watch():
            room = Reply(announce.room(race, now, message.ref, player.id))
            return [Follow(), room, *_rest(race, race.seats.get(player.id), now)]
        case Leave():
            return _leave(race, player, message.ref, now)
        case Ready():
            return _ready(race, player, message, now)
        case Unready():
            seat = _seat(race, player)
            effects: list[Effect] = []
            if seat.mark.state == "ready":
                effects.append(race.write(log.Unreadied(player.id, now)))
            return [*effects, Reply(announce.room(race, now, message.ref))]
        case Start():
            return _start(race, player, message.ref, now)
        case Move():
            return _move(race, _seat(race, player), message, now)
        case Resume():
            return _resume(race, player, message, now)
        case GetStandings(_, ref, start, only):
            return [Reply(announce.standings(race, now, ref, start=start, only=only))]
        case GetRecord():
            return [Reply(_record(race, player, message, now))]


def _join(race: Race, player: Player, message: Join, now: int) -> list[Effect]:
    effects: list[Effect] = []
    seat = race.seats.get(player.id)
    phase = race.phase(now)
    if seat is None and phase not in ("closed", "cancelled"):
        _check_joining(race, phase, now)
        _check_invited(race, player, invite_named(message.race))
        effects.append(race.write(log.Joined(player.id, player.name, now)))
    return [*effects, Follow(), *_all_that_is_theirs(race, player.id, message.ref, now)]


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
                raise Refusal("phase", _TIME_OVER)
        case "practice":
            raise Refusal("seat", "This is somebody's practice; create your own.")


def _all_that_is_theirs(race: Race, player: PlayerId, ref: int, now: int) -> list[Effect]:
    """The room, the player's own game if its cards are out, and the deal if they may see it."""
    seat = race.seats.get(player)
    room = announce.room(race, now, ref, player)
    if seat and race.opened.invite:
        room = replace(room, invite=f"{race.id}-{race.opened.invite}")
    effects: list[Effect] = [Reply(room)]
    if seat and seat.play and race.phase(now) in ("running", "closed"):
        effects.append(Reply(seat.play.snapshot()))
    return effects + _rest(race, seat, now)


def _rest(race: Race, seat: Seat | None, now: int) -> list[Effect]:
    """What one who comes late to an end has missed of it."""
    effects: list[Effect] = []
    if race.phase(now) == "closed":
        effects.append(Reply(announce.standings(race, now)))
    if race.phase(now) == "closed" or (seat and seat.over):
        effects.append(Reply(announce.reveal(race)))
    return effects


def _leave(race: Race, player: Player, ref: int, now: int) -> list[Effect]:
    """Before the start the seat is free again; later it stays, and only the news stop."""
    effects: list[Effect] = []
    if race.phase(now) == "open" and player.id in race.seats:
        effects.append(race.write(log.Left(player.id, now)))
        if not race.seats:
            effects.append(race.write(log.Cancelled(now)))
        elif race.seats and _all_ready(race):
            effects.append(race.write(log.Counted(now + COUNTDOWN_MS, now)))
    return [*effects, Unfollow(), Reply(Left(race.id, ref))]


def _ready(race: Race, player: Player, message: Ready, now: int) -> list[Effect]:
    seat = _seat(race, player)
    effects: list[Effect] = []
    if race.live and race.phase(now) == "open":
        if seat.mark.state == "joined":
            effects.append(race.write(log.Readied(player.id, message.nonce, now)))
        if _all_ready(race):
            effects.append(race.write(log.Counted(now + COUNTDOWN_MS, now)))
        return [*effects, Reply(announce.room(race, now, message.ref))]
    if not race.live and not seat.begun_at:
        if now >= race.closes_at:
            raise Refusal("phase", _TIME_OVER)
        effects.append(race.begin(seat, now))
    return [*effects, *_all_that_is_theirs(race, player.id, message.ref, now)]


def _start(race: Race, player: Player, ref: int, now: int) -> list[Effect]:
    if player.id != race.host:
        raise Refusal("seat", "Only the host starts the race for all.")
    if race.phase(now) != "open":
        return [Reply(announce.room(race, now, ref))]
    if not any(seat.mark.state == "ready" for seat in race.seats.values()):
        raise Refusal("phase", "Nobody is ready yet.")
    return [
        race.write(log.Counted(now + COUNTDOWN_MS, now)),
        Reply(announce.room(race, now, ref)),
    ]


def _move(race: Race, seat: Seat, message: Move, now: int) -> list[Effect]:
    play = seat.play
    if play and message.n <= play.n:
        return _again(play, message)
    if race.phase(now) == "closed":
        raise Refusal("phase", phases.REASONS["closed"])
    if play is None:
        raise Refusal("phase", "Your clock has not started; send ready to see the cards.")
    if message.n > play.n + 1:
        raise Refusal("gap", f"Your next move is number {play.n + 1}.")
    if now >= race.closes_at:
        raise Refusal("phase", _TIME_OVER)
    move = play.read(message.move)
    if play.n >= MOST_MOVES and move != log.RESIGN:
        raise Refusal("limit", f"A game has at most {MOST_MOVES} moves; you can resign.")
    append, diff = race.play(seat, move, now)
    # Follow: the diff is the acknowledgement, and only followers are told.
    effects: list[Effect] = [append, Follow(), Tell(seat.player, diff)]
    if seat.over:
        effects.append(Tell(seat.player, announce.reveal(race)))
    return effects


def _again(play: Play, message: Move) -> list[Effect]:
    """The original answer to a move that is in the log already, or a refusal of another one."""
    if message.n < 1:
        raise Refusal("gap", "Moves are numbered from 1.")
    entry = play.log[message.n - 1]
    if entry.move == log.TIMEOUT:
        raise Refusal("phase", _TIME_OVER)
    before = play.before(message.n)
    try:
        same = before.read(message.move) == entry.move
    except (IllegalMove, NotationError):
        same = False
    if not same:
        raise Refusal("conflict", f"Move {message.n} has been played already, as another one.")
    return [Reply(before.play(entry.move, entry.ms))]


def _resume(race: Race, player: Player, message: Resume, now: int) -> list[Effect]:
    seat = race.seats.get(player.id)
    if seat is None or seat.play is None or race.phase(now) not in ("running", "closed"):
        return [Follow(), *_all_that_is_theirs(race, player.id, message.ref, now)]
    missed = seat.play.n - message.since
    if message.since == 0 or not 0 <= missed <= DIFFS_WORTH_A_SNAPSHOT:
        return [Follow(), *_all_that_is_theirs(race, player.id, message.ref, now)]
    diffs = seat.play.diffs(message.since)
    return [
        Follow(),
        Reply(announce.room(race, now, message.ref, player.id)),
        *map(Reply, diffs),
        *_rest(race, seat, now),
    ]


def _record(race: Race, player: Player, message: GetRecord, now: int) -> Record:
    """Every move of a seat; the deal only for those who may see it."""
    own = race.seats.get(player.id)
    whose = race.seats.get(PlayerId(message.player)) if message.player else own
    if whose is None:
        raise Refusal("seat", "There is no such seat in this race.")
    open_to_them = race.phase(now) == "closed" or (own is not None and own.over)
    if whose is not own and not open_to_them:
        raise Refusal("phase", "Others' moves are shown when your own game is over.")
    play = whose.play
    moves = tuple((entry.ms, entry.move) for entry in play.log) if play else ()
    record = Record(race.id, whose.standing, (), moves, message.ref, whose.begun_at)
    if not open_to_them:
        return record
    if play is None:
        return replace(record, order=race.order)
    return replace(record, order=race.order, piles=play.first_seen(), steps=play.steps())


def _all_ready(race: Race) -> bool:
    return all(seat.mark.state == "ready" for seat in race.seats.values())


def _seat(race: Race, player: Player) -> Seat:
    if player.id not in race.seats:
        raise Refusal("seat", "You have no seat in this race; join it first.")
    return race.seats[player.id]

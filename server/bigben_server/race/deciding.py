"""Decides what a request does to a race; ``timers`` decides what time does.

The caller of ``decide`` must make the appends of the decision durable, and only then carry out the
rest. If an append is refused, it must drop the race and read it again.
"""

from typing import Final, NamedTuple, cast

import bigben_protocol as wire
from bigben_protocol import PlayerId
from bigben_protocol.sentence import sentence
from bigben_rules import IllegalMove, NotationError, nonce_hash
from bigben_server.race import choosing, events, lobby, transitions, views, weeks
from bigben_server.race.decisions import (
    Asked,
    Broadcast,
    Decision,
    Effects,
    Played,
    Reply,
    Request,
    Subscribe,
    Tell,
    Unsubscribe,
)
from bigben_server.race.events import Append, Player, Refusal, RoomAppend, SeatAppend
from bigben_server.race.game import Seat
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage

NOT_BEGUN = sentence("race.not_begun")
FEWEST_SEATS = 2
"""A live room with fewer starts only by its host: nobody races alone by mistake."""
MOST_SEATS = 100
"""The most seats in a room; see also ``weeks``. A daily has no limit."""


class Needs(NamedTuple):
    """What must be known of a race, beyond its events and statuses, before a request is decided."""

    log: PlayerId | None = None
    """The player whose log must be read (``Race.remember``)."""
    later: bool = False
    """Whether the request claims unknown moves, which another process may have written."""
    house: tuple[PlayerId, ...] = ()
    """The house players who must have a seat free."""


NO_NEEDS: Final = Needs()


def needs(race: Race, request: Request) -> Needs:
    """What is needed before ``decide``."""
    player, claimed = request.player.id, 0
    match request.message:
        case wire.Move(n=n):  # first, because most are
            claimed = n - 1
        case wire.Resume(since=since):
            claimed = since
        case wire.Join() | wire.Ready() | wire.Explain():
            pass
        case wire.GetRecord(player=whose) | wire.GetHint(player=whose):
            seat = views.seat_of(race, request.player, whose)
            player = seat.player if seat else PlayerId(whose or player)
        case wire.AddHouse(strength=strength):
            added = wire.house_player(strength)
            is_new = added in wire.HOUSE_PLAYERS and added not in race.seats
            return Needs(house=(added,)) if is_new else NO_NEEDS
        case wire.Rematch(race=name) if race.live and lobby.code_named(name) == race.id:
            return Needs(house=tuple(each for each in race.seats if each in wire.HOUSE_PLAYERS))
        case _:
            return NO_NEEDS
    seat = race.seats.get(player)
    is_unread = seat and seat.status.begun_at and seat.play is None
    is_later = claimed > (seat.status.moves if seat else 0)
    return Needs(player if is_unread else None, is_later) if is_unread or is_later else NO_NEEDS


def may_take_seat(race: Race, player: PlayerId, now: int) -> bool:
    """Whether a Join of this player takes a new seat, unless something else refuses it."""
    is_open = race.phase(now) in (("open",) if race.live else ("running",))
    return is_open and race.opened.kind != "practice" and player not in race.seats


def takes_other_name(race: Race, player: Player, now: int) -> events.Renamed | None:
    """What a Join writes if this player's seat still has the name of before a renaming."""
    seat = race.seats.get(player.id)
    changed = seat and seat.name != player.name and player.id not in wire.HOUSE_PLAYERS
    return events.Renamed(player.id, player.name, now) if changed else None


def decide(race: Race, request: Asked, now: int) -> Decision[Asked]:
    """Decide what a request does. If the answer is Refused, nothing has changed.

    What ``needs`` names must be there.
    """
    player, message = request.player, cast("RaceMessage", request.message)  # or the table has none
    try:
        _check(race, player, message, now)
        appends, reactions = _decide(race, player, message, now)
    except Refusal as refusal:
        return _refused(race, request, refusal)
    except (IllegalMove, NotationError) as error:
        return _refused(race, request, events.refusal_of(error))
    return Decision(race.id, request, appends, reactions)


def _refused(race: Race, request: Asked, refusal: Refusal) -> Decision[Asked]:
    return Decision(race.id, request, reactions=[Reply(refusal.message(race.id, request.ref))])


def _check(race: Race, player: Player, message: RaceMessage, now: int) -> None:
    """Raises Refusal if nobody may send such a message now, or not this player."""
    phase, kind = race.phase(now), race.opened.kind
    phases = transitions.MESSAGES[type(message), kind]
    if not phases:
        command = str(message.__struct_config__.tag)
        raise Refusal("phase", sentence("race.no_command", command=command))
    if kind == "practice" and player.id not in race.seats:
        raise Refusal("seat", transitions.NOT_YOURS)
    if phase not in phases:
        raise Refusal("phase", transitions.REASONS[phase])
    if type(message) in transitions.OF_SPECTATORS and not race.may_follow(player.id, phase):
        raise Refusal("seat", sentence("race.players_only"))


def end_broken(race: Race, now: int) -> tuple[list[SeatAppend], list[Tell]]:
    """End the seats whose logs, read before, have lost entries; tell their players what is left."""
    appends: list[SeatAppend] = []
    reactions: list[Tell] = []
    for player in race.broken if race.phase(now) == "running" else ():
        seat = race.seats[player]
        if seat.play and seat.last is not None and not seat.over:
            appends.append(race.end_broken(seat))
            refused = seat.play.broken.message(race.id)
            reactions += [Tell(player, seat.play.snapshot()), Tell(player, refused)]
    return appends, reactions


def _decide(race: Race, player: Player, message: RaceMessage, now: int) -> Effects:
    match message:
        case wire.Move():  # first, because most are
            return _move(race, _seat(race, player), message, now)
        case wire.Join(_, ref):
            taken = _take_seat(race, player, message, now)
            return taken, [Subscribe(), *views.joined(race, player.id, ref, now)]
        case wire.Watch(_, ref):
            room = Reply(views.room(race, now, ref, player.id))
            return (), [Subscribe(), room, *views.final(race, now)]
        case wire.Leave(_, ref):
            return _free_seat(race, player.id, now), [Unsubscribe(), Reply(wire.Left(race.id, ref))]
        case wire.Ready():
            return _ready(race, player, message, now)
        case wire.SendNonce():
            return _send_nonce(race, player, message, now)
        case wire.Unready(_, ref):
            ready = _seat(race, player).status.state == "ready"
            unreadied = [race.write(events.Unreadied(player.id, now))] if ready else []
            return unreadied, [Reply(views.room(race, now, ref))]
        case wire.Start(_, ref):
            return _start(race, player, now), [Reply(views.room(race, now, ref))]
        case wire.AddHouse(_, strength, ref) | wire.RemoveHouse(_, strength, ref):
            if player.id != race.host:
                raise Refusal("seat", sentence("house.host_chooses"))
            joined = lobby.house_joined(wire.house_player(strength), now)
            changed: list[RoomAppend] = []
            if isinstance(message, wire.RemoveHouse):
                changed = _free_seat(race, joined.player, now)
            elif joined.player not in race.seats:
                _check_free(race)
                changed = [race.write(joined)]
            return changed, [Reply(views.room(race, now, ref))]
        case wire.Resume():
            return (), views.resumed(race, player, message, now)
        case wire.GetStandings():
            return (), [Reply(views.standings_for(race, player, message, now))]
        case wire.Explain():
            if (play := _seat(race, player).play) is None:
                raise Refusal("phase", NOT_BEGUN)
            return (), [Reply(play.explained(message))]
        case wire.GetCurves():
            return (), [Reply(views.curves(race, player, message, now))]
        case wire.GetRecord():
            return (), [Reply(views.record(race, player, message, now))]
        case wire.Cheer(_, cheer, ref):
            said = race.cheering.cheered(player.id, cheer, seated=player.id in race.seats, now=now)
            return (), [Reply(wire.Cheers(race.id, ref=ref)), Broadcast(said)]


def _seat(race: Race, player: Player) -> Seat:
    if player.id not in race.seats:
        raise Refusal("seat", sentence("race.no_seat"))
    return race.seats[player.id]


def _take_seat(race: Race, player: Player, message: wire.Join, now: int) -> list[RoomAppend]:
    phase, opened = race.phase(now), race.opened
    if phase in ("closed", "cancelled"):
        return []
    if player.id in race.seats:
        renamed = takes_other_name(race, player, now)
        return [race.write(renamed)] if renamed else []
    if player.id in wire.HOUSE_PLAYERS:
        raise Refusal("seat", sentence("house.only_by_host"))
    if not race.deleted.isdisjoint(player.marks):
        raise Refusal("seat", sentence("race.deleted_since"))
    _check_tied(race, player)
    if race.live and phase != "open":
        text = sentence("race.started")
        if not opened.rules.spectate:
            text = sentence("race.started_closed")
        raise Refusal("phase", text)
    _check_free(race)
    if not race.live and now >= race.closes_at:
        raise Refusal("phase", transitions.TIME_OVER)
    if opened.invite and {player.id, *player.tied}.isdisjoint(opened.invited):
        lobby.check_invite(opened, lobby.invite_named(message.race))
    return [race.write(events.Joined(player.id, player.name, now, player.bot))]


def _check_tied(race: Race, player: Player) -> None:
    """Raises Refusal if the player has a game in this race under an id that was tied to them."""
    for tied in player.tied:
        seat = race.seats.get(tied)
        if seat and (race.live or seat.status.begun_at):
            which = "race.as_guest" if tied.startswith("guest:") else "race.as_tied"
            raise Refusal("seat", sentence(which, name=seat.name))


def _check_free(race: Race) -> None:
    most = weeks.MOST_SEATS if weeks.is_week(race.id) else MOST_SEATS
    if race.opened.kind != "daily" and len(race.seats) >= most:
        raise Refusal("limit", sentence("race.full", most=most))


def _free_seat(race: Race, player: wire.PlayerId, now: int) -> list[RoomAppend]:
    """Before the start the seat is free again; later it stays the player's.

    A room without people is closed.
    """
    if race.phase(now) != "open" or player not in race.seats:
        return []
    left = race.write(events.Left(player, now))
    if race.seats.keys() <= wire.HOUSE_PLAYERS:
        return [left, race.write(events.Cancelled(now))]
    return [left, *_start_if_all_ready(race, now)]


def _ready(race: Race, player: Player, message: wire.Ready, now: int) -> Effects:
    seat, is_open = _seat(race, player), race.phase(now) == "open"
    appends: list[Append] = []
    # The operator of the server runs the house players, whose nonces would be the operator's.
    house = player.id in wire.HOUSE_PLAYERS
    nonce, promised = ("", "") if house else (message.nonce, message.nonce_hash)
    if race.live and nonce and promised:
        raise Refusal("conflict", sentence("nonce.hash_alone"))
    sent = "" if seat.promised else seat.nonce
    if race.live and seat.status.state != "joined" and (nonce, promised) != (sent, seat.promised):
        again = sentence("nonce.other")
        fixed = sentence("nonce.fixed")
        raise Refusal("conflict", again if is_open else fixed)
    if is_open:
        if seat.status.state == "joined":
            appends.append(race.write(events.Readied(player.id, nonce, now, promised)))
        appends += _start_if_all_ready(race, now)
        return appends, [Reply(views.room(race, now, message.ref))]
    if not race.live and not seat.status.begun_at:
        if now >= race.closes_at:
            raise Refusal("phase", transitions.TIME_OVER)
        _check_tied(race, player)
        appends.append(race.begin(seat, now))
    return appends, views.joined(race, player.id, message.ref, now)


def _send_nonce(race: Race, player: Player, message: wire.SendNonce, now: int) -> Effects:
    """Take the nonce of a seat, once, while they are waited for. Nobody else learns of it."""
    seat = _seat(race, player)
    if not seat.promised:
        raise Refusal("conflict", sentence("nonce.no_hash"))
    sent = bytes.fromhex(message.nonce)
    if not sent or nonce_hash(race.id, player.id, sent) != seat.promised:
        text = sentence("nonce.wrong")
        raise Refusal("conflict", text)
    appends: list[Append] = []
    if not seat.nonce:
        if not race.mixing_until:
            raise Refusal("phase", sentence("nonce.late"))
        appends.append(race.write(events.Nonced(player.id, message.nonce, now)))
        if not race.awaited:
            appends.append(race.write(choosing.mixed(race.opened.rules, now)))
    return appends, [Reply(views.room(race, now, message.ref, player.id))]


def _start(race: Race, player: Player, now: int) -> list[RoomAppend]:
    if player.id != race.host:
        raise Refusal("seat", sentence("race.host_starts"))
    if race.phase(now) != "open":
        return []
    # Start has no nonce, so it makes nobody ready: a host who is alone sends Ready first.
    if not any(seat.status.state == "ready" for seat in race.seats.values()):
        raise Refusal("phase", sentence("race.nobody_ready"))
    return [race.write(_counted(race, now))]


def _counted(race: Race, now: int) -> events.Counted:
    ready = (seat for seat in race.seats.values() if seat.status.state == "ready")
    waits = any(seat.promised for seat in ready)
    return choosing.counted(race.opened.rules, now, waits=waits)


def _start_if_all_ready(race: Race, now: int) -> list[RoomAppend]:
    if len(race.seats) < FEWEST_SEATS:
        return []
    ready = all(seat.status.state == "ready" for seat in race.seats.values())
    return [race.write(_counted(race, now))] if ready else []


def _move(race: Race, seat: Seat, message: wire.Move, now: int) -> Effects:
    play = seat.play
    if play and message.n <= play.n:
        return (), [Reply(play.old_diff(message))]
    if play and seat.last is not None:  # also if that has closed the race
        raise play.broken
    if race.ended:
        raise Refusal("phase", transitions.REASONS["closed"])
    if play is None:
        raise Refusal("phase", NOT_BEGUN)
    if message.n > play.n + 1:
        raise Refusal("gap", sentence("move.next", next=play.n + 1))
    if now >= race.ends_at(seat):
        raise Refusal("phase", transitions.TIME_OVER)
    return [race.play(seat, message.move, now)], [Played(seat.player, message.n, play.diff)]

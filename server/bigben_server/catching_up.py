"""What is shown to who enters a race, comes back to it or looks back at it. Changes nothing."""

from msgspec.structs import replace

from bigben_protocol import GetRecord, PlayerId, Record, Resume
from bigben_server import announce
from bigben_server.effects import Effect, Follow, Player, Reply
from bigben_server.phases import Refusal
from bigben_server.race import Race
from bigben_server.seat import Seat

DIFFS_WORTH_A_SNAPSHOT = 8
"""More missed diffs than these are longer than the snapshot."""


def all_that_is_theirs(race: Race, player: PlayerId, ref: int, now: int) -> list[Effect]:
    """The room, the player's own game if its cards are out, and the deal if they may see it."""
    seat = race.seats.get(player)
    room = announce.room(race, now, ref, player)
    if seat and race.opened.invite:
        room = replace(room, invite=f"{race.id}-{race.opened.invite}")
    effects: list[Effect] = [Reply(room)]
    if seat and seat.play and race.phase(now) in ("running", "closed"):
        effects.append(Reply(seat.play.snapshot()))
    return effects + rest(race, seat, now)


def rest(race: Race, seat: Seat | None, now: int) -> list[Effect]:
    """What one who comes late to an end has missed of it."""
    effects: list[Effect] = []
    if race.phase(now) == "closed":
        effects.append(Reply(announce.standings(race, now)))
    if race.phase(now) == "closed" or (seat and seat.over):
        effects.append(Reply(announce.reveal(race)))
    return effects


def resume(race: Race, player: Player, message: Resume, now: int) -> list[Effect]:
    """The diffs that were missed, or the snapshot where that is shorter."""
    seat = race.seats.get(player.id)
    if seat is None or seat.play is None or race.phase(now) not in ("running", "closed"):
        return [Follow(), *all_that_is_theirs(race, player.id, message.ref, now)]
    missed = seat.play.n - message.since
    if message.since == 0 or not 0 <= missed <= DIFFS_WORTH_A_SNAPSHOT:
        return [Follow(), *all_that_is_theirs(race, player.id, message.ref, now)]
    diffs = seat.play.diffs(message.since)
    return [
        Follow(),
        Reply(announce.room(race, now, message.ref, player.id)),
        *map(Reply, diffs),
        *rest(race, seat, now),
    ]


def record(race: Race, player: Player, message: GetRecord, now: int) -> Record:
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
    told = Record(race.id, whose.standing, (), moves, message.ref, whose.begun_at)
    if not open_to_them:
        return told
    if play is None:
        return replace(told, order=race.order)
    return replace(told, order=race.order, piles=play.first_seen(), steps=play.steps())

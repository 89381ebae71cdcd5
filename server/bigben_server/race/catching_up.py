"""What is shown to who enters a race, comes back to it or looks back at it. Changes nothing."""

from msgspec.structs import replace

from bigben_protocol import GetRecord, PlayerId, Record, Refused, Resume
from bigben_server.race import views
from bigben_server.race.effects import Effect, Player, Reply, Subscribe
from bigben_server.race.state import Race
from bigben_server.race.transitions import Refusal

DIFFS_WORTH_A_SNAPSHOT = 8
"""More missed diffs than these are longer than the snapshot."""


def all_that_is_theirs(race: Race, player: PlayerId, ref: int, now: int) -> list[Effect]:
    """The room, the player's own game if its cards are out, and how a closed race ended."""
    seat = race.seats.get(player)
    room = views.room(race, now, ref, player)
    if seat and race.opened.invite:
        room = replace(room, invite=f"{race.id}-{race.opened.invite}")
    effects: list[Effect] = [Reply(room)]
    if seat and seat.play and race.phase(now) in ("running", "closed"):
        effects.append(Reply(seat.play.snapshot()))
        if seat.last is not None:
            effects.append(Reply(Refused("phase", seat.play.broken, race.id)))
    return effects + end(race, now)


def end(race: Race, now: int) -> list[Effect]:
    """The final standings and the deal for a client that arrives after the close; else nothing."""
    if race.phase(now) != "closed":
        return []
    return [Reply(views.standings(race, now)), Reply(views.reveal(race))]


def resume(race: Race, player: Player, message: Resume, now: int) -> list[Effect]:
    """The diffs that were missed, or the snapshot where that is shorter."""
    seat = race.seats.get(player.id)
    if seat is None or seat.play is None or race.phase(now) not in ("running", "closed"):
        return [Subscribe(), *all_that_is_theirs(race, player.id, message.ref, now)]
    missed = seat.play.n - message.since
    if message.since == 0 or not 0 <= missed <= DIFFS_WORTH_A_SNAPSHOT:
        return [Subscribe(), *all_that_is_theirs(race, player.id, message.ref, now)]
    diffs = seat.play.diffs(message.since)
    return [
        Subscribe(),
        Reply(views.room(race, now, message.ref, player.id)),
        *map(Reply, diffs),
        *end(race, now),
    ]


def record(race: Race, player: Player, message: GetRecord, now: int) -> Record:
    """Every move of a seat. Others' seats, and the order of the deal, only once the race is closed.

    A player's own record shows at any time what they have seen so far, and no card more.
    """
    own = race.seats.get(player.id)
    whose = race.seats.get(PlayerId(message.player)) if message.player else own
    if whose is None:
        raise Refusal("seat", "There is no such seat in this race.")
    phase = race.phase(now)
    if whose is not own and phase != "closed":
        raise Refusal("phase", "You can see the moves of others when the race is closed.")
    told = Record(
        *(race.id, whose.standing, race.order if phase == "closed" else (), ()),
        ref=message.ref,
        begun_at=whose.begun_at,
    )
    play = whose.play
    if play is None or phase not in ("running", "closed"):  # in a countdown the cards are secret
        return told
    moves = tuple((entry.ms, entry.move) for entry in play.log)
    return replace(told, moves=moves, piles=play.first_seen(), steps=play.steps())

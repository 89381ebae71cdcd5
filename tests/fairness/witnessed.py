"""Races as one racer saw them, played through the server's objects at virtual times."""

from random import Random
from typing import NamedTuple

from tests.fairness.races import ADA, BOB, CYD, Racing, recorded_daily
from tests.support.times import NOON

from bigben_client import Kept
from bigben_client.evidence.kept import (
    with_acknowledgement,
    with_deal,
    with_diff,
    with_nonce,
    with_promise,
    with_room,
    with_snapshot,
)
from bigben_protocol import Create, GetRecord, Join, RaceId, Ready, Record, Reveal, Room, SendNonce
from bigben_rules import nonce_hash
from bigben_server.race import lobby, timers, views
from bigben_server.race.deciding import decide
from bigben_server.race.decisions import Reply, Request
from bigben_server.race.events import Player
from bigben_server.race.state import Race
from bigben_server.rooms.descriptions import games

NONCE = "ab" * 32
BOBS = "cd" * 32
DEALS = {game.name: game.deal for game in games().games}


class Witnessed(NamedTuple):
    """What Ada kept of a race, and what the server says about it at its end."""

    kept: Kept
    room: Room
    reveal: Reveal
    record: Record


def live(*moves: str, nonce: str = NONCE, undo: bool = False, game: str = "bigben") -> Witnessed:
    """Ada in the second seat of a live race of three; she plays these and resigns."""
    wanted = Create(game, limit_ms=600_000, undo=undo)
    events = lobby.created(wanted, BOB, NOON, Random(7).randbytes)
    racing = Racing(Race(RaceId("K7QPXM"), events), NOON)
    for player in (BOB, ADA, CYD):
        racing.say(player, Join(racing.race.id))
    kept = _seen(None, racing)
    _promise(racing, BOB, BOBS)
    kept = with_promise(kept, nonce) if nonce else with_nonce(kept, "")
    _promise(racing, ADA, nonce)
    kept = _seen(kept, racing)
    racing.say(CYD, Ready(racing.race.id))
    kept = _seen(kept, racing)
    racing.say(BOB, SendNonce(racing.race.id, BOBS))
    if nonce:
        racing.say(ADA, SendNonce(racing.race.id, nonce))
        kept = with_acknowledgement(kept)
    kept = _seen(kept, racing)
    racing.now = racing.race.starts_at
    racing.play(BOB, "resign")
    racing.play(CYD, "resign")
    return _played(_seen(kept, racing), racing, moves)


def _promise(racing: Racing, player: Player, nonce: str) -> None:
    hashed = nonce and nonce_hash(racing.race.id, player.id, bytes.fromhex(nonce))
    racing.say(player, Ready(racing.race.id, nonce_hash=hashed))


def daily(*moves: str) -> Witnessed:
    """Ada plays these in a daily and resigns."""
    racing = recorded_daily("won_standard")
    racing.say(ADA, Join(racing.race.id))
    kept = _seen(None, racing)
    racing.say(ADA, Ready(racing.race.id))
    return _played(_seen(kept, racing), racing, moves)


def _played(kept: Kept, racing: Racing, moves: tuple[str, ...]) -> Witnessed:
    """Ada's game from her first sight of the cards to the close."""
    play = racing.race.seats[ADA.id].play
    assert play is not None
    kept = with_snapshot(kept, play.snapshot())
    racing.play(ADA, *moves, "resign")
    for diff in play.diffs(0):
        kept = with_diff(kept, diff)
    while racing.race.phase(racing.now) != "closed":
        if not timers.tick(racing.race, racing.now):
            racing.now = racing.race.closes_at
    room = views.room(racing.race, racing.now)
    return Witnessed(kept, room, views.reveal(racing.race), _record(racing, ADA))


def _seen(kept: Kept | None, racing: Racing) -> Kept:
    seen = with_room(kept, views.room(racing.race, racing.now), ADA.id)
    assert seen is not None, "Ada has a seat"
    return with_deal(seen, DEALS[seen.rules.game])


def _record(racing: Racing, player: Player) -> Record:
    asked = Request(GetRecord(racing.race.id), player)
    [effect] = decide(racing.race, asked, racing.now).reactions
    assert isinstance(effect, Reply)
    assert isinstance(effect.message, Record)
    return effect.message

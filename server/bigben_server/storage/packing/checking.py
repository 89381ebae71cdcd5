"""Packs a part so that nothing is lost. It asks no store."""

from collections.abc import Sequence

from bigben_protocol import RaceId
from bigben_server.race.events import RoomEvent
from bigben_server.storage.games import Games, damage
from bigben_server.storage.keys import Keys
from bigben_server.storage.packing.parts import Part, pack_part, unpack_part


def checked_part(keys: Keys, race: RaceId, events: Sequence[RoomEvent], part: Part) -> bytes | None:
    """The packed part; None unless it comes back as it was and all of its games can be played."""
    packed = pack_part(race, part)
    if not unpack_part(race, packed).is_same(part):
        return None
    seats = {player: log for player, log in part.logs.items() if player is not None}
    return None if damage(keys, [Games(race, events, seats)]) else packed

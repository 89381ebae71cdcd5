"""Plays stored games again, to find what is damaged in them. It asks no store."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import RoomEvent
from bigben_server.race.state import Race
from bigben_server.storage.client import Damaged, reading
from bigben_server.storage.entries import RawLog, read_entries, status_in, write_status
from bigben_server.storage.keys import Keys


class Games(NamedTuple):
    """Some seats of a race, with all events of its room that concern them."""

    race: RaceId
    events: Sequence[RoomEvent]
    logs: Mapping[PlayerId, RawLog]


def damage(keys: Keys, games: Sequence[Games]) -> list[Damaged]:
    """What is damaged in the logs of these seats."""
    found: list[Damaged] = []
    for one in games:
        race = Race(one.race, one.events)
        for player, log in one.logs.items():
            try:
                _check(race, player, keys.log(one.race, player), log)
            except Damaged as damaged:
                found.append(damaged)
    return found


def _check(race: Race, player: PlayerId, key: str, log: RawLog) -> None:
    """Play a seat's game, and compare its end with the status in its last entry. Raises Damaged."""
    seat, stored = race.seats[player], None
    with reading(key):
        for _, words in log[-1:]:
            stored = status_in(words)
            race.take_status(player, stored)
        if not seat.status.begun_at:
            return
        race.remember(player, read_entries(log))
    if seat.last is not None:
        raise Damaged(
            key,
            f"entries are missing before entry {seat.last}; ended after move {seat.status.moves}",
        )
    if stored and seat.play and seat.play.status != stored:
        told, folded = write_status(stored), write_status(seat.play.status)
        raise Damaged(key, f"its status is {told!r}, and its moves give {folded!r}")

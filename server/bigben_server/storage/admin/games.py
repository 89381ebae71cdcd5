"""Plays stored games again, to find what is damaged in them. It asks no store."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import RoomEvent
from bigben_server.race.state import Race
from bigben_server.storage import race_log
from bigben_server.storage.client import Damaged, reading
from bigben_server.storage.keys import MARK, Keys

RawLog = Sequence[tuple[bytes, Sequence[bytes]]]
"""The entries of a log as Redis sends them: each has an id, and its fields and values in turn."""


class Games(NamedTuple):
    """Some seats of a race, with all events of its room that concern them."""

    race: RaceId
    events: Sequence[RoomEvent]
    logs: Mapping[PlayerId, RawLog]


def _fields_of(log: Any) -> list[Iterable[tuple[bytes, bytes]]]:
    """The fields and values of each entry; they can be read once."""
    # A node of a cluster that has redirected a command gives dicts.
    if log and isinstance(log[0][1], dict):
        return [words.items() for _, words in log]
    return [zip(each := iter(words), each, strict=True) for _, words in log]


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
        for last in _fields_of(log[-1:]):
            stored = race_log.read_status(dict(last)[MARK].decode())
            race.take_status(player, stored)
        if not seat.status.begun_at:
            return
        race.remember(player, race_log.read_entries(_fields_of(log)))
    if seat.last is not None:
        raise Damaged(
            key,
            f"entries are missing before entry {seat.last}; ended after move {seat.status.moves}",
        )
    if stored and seat.play and seat.play.status != stored:
        told, folded = race_log.write_status(stored), race_log.write_status(seat.play.status)
        raise Damaged(key, f"its status is {told!r}, and its moves give {folded!r}")

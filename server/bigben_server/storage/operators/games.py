"""Plays stored games again, to find what is damaged in them. It asks no store."""

from collections.abc import Mapping, Sequence
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


def fields_of(log: RawLog) -> list[dict[bytes, bytes]]:
    """The fields of each entry."""
    found: list[dict[bytes, bytes]] = []
    for _, words in log:
        # A node of a cluster that has redirected a command gives a dict.
        is_dict: Any = isinstance(words, dict)
        found.append(words if is_dict else dict(zip(words[::2], words[1::2], strict=True)))  # type: ignore[arg-type]
    return found


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
        entries = fields_of(log)
        if entries:
            stored = race_log.read_status(entries[-1][MARK].decode())
            race.take_status(player, stored)
        if not seat.status.begun_at:
            return
        race.remember(player, race_log.read_entries(entries))
    if seat.last is not None:
        after = f"ended after move {seat.status.moves}"
        raise Damaged(key, f"entries are missing before entry {seat.last}; {after}")
    if stored and seat.play and seat.play.status != stored:
        told, folded = race_log.write_status(stored), race_log.write_status(seat.play.status)
        raise Damaged(key, f"its status is {told!r}, and its moves give {folded!r}")

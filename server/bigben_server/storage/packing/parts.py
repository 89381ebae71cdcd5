"""One part of a packed value: some of the logs of a race, with their checksum."""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.entries import RawLog
from bigben_server.storage.packing import rooms, seats
from bigben_server.storage.packing.columns import Columns, ReadColumns
from bigben_server.storage.packing.numbers import put

_CHECKSUM: Final = 4
"""Bytes of the checksum, which come first."""
_EVENTS, _MOVES, _ANY, _LAST = range(4)
"""How a log is written: a room's, a seat's, any other, and the last entry of a seat."""


class Part(NamedTuple):
    """What a part has."""

    logs: Mapping[PlayerId | None, RawLog]
    """Whole logs by the player; that of the room at None."""
    last: Mapping[PlayerId, RawLog] = {}
    """The last entries of logs that are in other parts."""

    def is_same(self, other: "Part") -> bool:
        """Whether all bytes are the same; Redis sends entries as lists."""
        mine, others = ((*part.logs.items(), *part.last.items()) for part in (self, other))
        return [*map(_plain, mine)] == [*map(_plain, others)]

    @property
    def checksum(self) -> bytes:
        """The CRC-32 of the player, and the ids, fields and values, of each log; each on a line."""
        crc = 0
        for player, log in (*self.logs.items(), *self.last.items()):
            lines = [b"\n".join((id_, *words)) for id_, words in log]
            crc = zlib.crc32(b"\n".join([(player or "").encode(), *lines, b""]), crc)
        return crc.to_bytes(_CHECKSUM, "big")


def _plain(of: tuple[PlayerId | None, RawLog]) -> tuple[PlayerId | None, list[list[bytes]]]:
    player, log = of
    return player, [[id_, *words] for id_, words in log]


def pack_part(race: RaceId, part: Part) -> bytes:
    columns = Columns()
    columns.texts.append(race.encode())
    put(columns.head, len(part.logs) + len(part.last))
    for player, log in part.logs.items():
        _write_name(columns, player)
        if rooms.is_numbered(log):
            put(columns.head, _EVENTS)
            rooms.write_events(columns, race, log)
        elif seat := seats.seat_of(log):
            put(columns.head, _MOVES)
            seats.write_seat(columns, seat)
        else:
            put(columns.head, _ANY)
            rooms.write_any(columns, log)
    for player, log in part.last.items():
        _write_name(columns, player)
        put(columns.head, _LAST)
        rooms.write_any(columns, log)
    return part.checksum + columns.deflated()


def _write_name(columns: Columns, player: PlayerId | None) -> None:
    put(columns.head, int(player is not None))
    if player is not None:
        columns.texts.append(player.encode())


def unpack_part(race: RaceId, packed: bytes) -> Part:
    """Raises ValueError if it can't be read, or is another race's."""
    logs: dict[PlayerId | None, RawLog] = {}
    last: dict[PlayerId, RawLog] = {}
    with _unpacking():
        for player, log, is_whole in _logs(race, packed):
            if is_whole or player is None:
                logs[player] = log
            else:
                last[player] = log
    part = Part(logs, last)
    if part.checksum != packed[:_CHECKSUM]:
        raise ValueError("it can't be unpacked: its checksum is another one")
    return part


def room_in(race: RaceId, packed: bytes) -> RawLog | None:
    """The log of the room if the part begins with it; else None. It is read in little time.

    Only the whole part shows whether its checksum is right. Raises ValueError.
    """
    with _unpacking():
        player, log, _ = next(_logs(race, packed), (None, None, False))
        return log if player is None else None


@contextmanager
def _unpacking() -> Iterator[None]:
    try:
        yield
    except (zlib.error, LookupError, StopIteration, RuntimeError, ValueError) as error:
        raise ValueError(f"it can't be unpacked: {error!r}") from error


def _logs(race: RaceId, packed: bytes) -> Iterator[tuple[PlayerId | None, RawLog, bool]]:
    """Each log with its player, and whether it is whole."""
    columns = ReadColumns.inflated(packed[_CHECKSUM:])
    if (name := next(columns.texts)) != race.encode():
        raise ValueError(f"it is the race {name!r}")
    for _ in range(columns.head.number()):
        player = PlayerId(next(columns.texts).decode()) if columns.head.number() else None
        match columns.head.number():
            case 0:
                yield player, rooms.read_events(columns, race), True
            case 1:
                yield player, seats.read_seat(columns), True
            case 2:
                yield player, rooms.read_any(columns), True
            case 3 if player is not None:
                yield player, rooms.read_any(columns), False
            case other:
                raise ValueError(f"no log is written like {other}")

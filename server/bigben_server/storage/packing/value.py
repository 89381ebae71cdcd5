"""Packs the logs of a race into one value, and unpacks it. ``docs/packed.md`` has the format."""

import zlib
from collections.abc import Mapping
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.entries import RawLog
from bigben_server.storage.packing import rooms, seats
from bigben_server.storage.packing.columns import Columns, ReadColumns
from bigben_server.storage.packing.numbers import put

Logs = Mapping[PlayerId | None, RawLog]
"""The logs of a race: that of its room at None, and those of its seats by their players."""

FORMAT: Final = b"\1"
"""The first byte of a value. With other tables, or another dictionary, it is another one."""
_BEGIN: Final = 5
"""The columns follow the first byte and the checksum."""

_EVENTS: Final = 0
_MOVES: Final = 1
_OTHER: Final = 2
"""Kinds of logs: a room's, a seat's, and those that have anything else in them."""


def pack(race: RaceId, logs: Logs) -> bytes:
    """The logs of this race as one value."""
    columns = Columns()
    columns.texts.append(race.encode())
    put(columns.head, len(logs))
    for player, log in logs.items():
        put(columns.head, int(player is not None))
        if player is not None:
            columns.texts.append(player.encode())
        if rooms.is_numbered(log):
            put(columns.head, _EVENTS)
            rooms.write_events(columns, log)
        elif seat := seats.seat_of(log):
            put(columns.head, _MOVES)
            seats.write_seat(columns, seat)
        else:
            put(columns.head, _OTHER)
            rooms.write_any(columns, log)
    return FORMAT + _checksum(logs) + columns.deflated()


def unpack(race: RaceId, value: bytes) -> dict[PlayerId | None, RawLog]:
    """The logs in a value, exactly as they were.

    Raises ValueError if it can't be read, or is another race's.
    """
    if value[:1] != FORMAT:
        raise ValueError(f"it can't be unpacked: its format is {value[:1].hex()}")
    try:
        name, logs = _read(ReadColumns.inflated(value[_BEGIN:]))
    except (zlib.error, LookupError, StopIteration, ValueError) as error:
        raise ValueError(f"it can't be unpacked: {error!r}") from error
    if _checksum(logs) != value[1:_BEGIN]:
        raise ValueError("it can't be unpacked: its checksum is another one")
    if name != race.encode():
        raise ValueError(f"it can't be unpacked: it is the race {name!r}")
    return logs


def _read(columns: ReadColumns) -> tuple[bytes, dict[PlayerId | None, RawLog]]:
    """Raises LookupError, StopIteration and ValueError."""
    logs: dict[PlayerId | None, RawLog] = {}
    name = next(columns.texts)
    for _ in range(columns.head.number()):
        player = PlayerId(next(columns.texts).decode()) if columns.head.number() else None
        kind = columns.head.number()
        read = (rooms.read_events, seats.read_seat, rooms.read_any)[kind]
        logs[player] = read(columns)
    return name, logs


def _checksum(logs: Logs) -> bytes:
    """The CRC-32 of each log's player, and its ids, fields and values, each on a line."""
    crc = 0
    for player, log in logs.items():
        lines = [b"\n".join((id_, *words)) for id_, words in log]
        crc = zlib.crc32(b"\n".join([(player or "").encode(), *lines, b""]), crc)
    return crc.to_bytes(4, "big")

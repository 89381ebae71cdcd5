"""Packs the logs of a race into one value, and reads it. ``docs/packed.md`` has the format.

A large field is in several parts, so that neither packing nor reading a seat takes long.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.client import chunks
from bigben_server.storage.entries import RawLog
from bigben_server.storage.packing.numbers import Reading, put_bytes
from bigben_server.storage.packing.parts import Part, pack_part, room_in, unpack_part

Logs = Mapping[PlayerId | None, RawLog]
"""The logs of a race: that of its room at None, and those of its seats by their players."""

FORMAT: Final = b"\1"
"""The first byte of a value. With other tables, or another dictionary, it is another one."""
SEATS: Final = 8
"""With more seats, the first part has the room and the last entry of each seat, and each other part
has so many seats."""
LARGE: Final = 4_000
"""Bytes. A larger value is read in a thread: it takes longer than a move may wait."""


def pack(race: RaceId, logs: Logs) -> bytes:
    """These logs as one value. A large field must have the log of its room too."""
    return value_of(pack_part(race, part) for part in parts_of(logs))


def parts_of(logs: Logs) -> Iterator[Part]:
    """What each part has."""
    seats = [player for player in logs if player is not None]
    if len(seats) <= SEATS:
        yield Part(logs)
        return
    yield Part({None: logs[None]}, {player: logs[player][-1:] for player in seats})
    for some in chunks(seats, SEATS):
        yield Part({player: logs[player] for player in some})


def value_of(parts: Iterable[bytes]) -> bytes:
    """The value with these packed parts."""
    value = bytearray(FORMAT)
    for part in parts:
        put_bytes(value, part)
    return bytes(value)


def unpack(race: RaceId, value: bytes) -> dict[PlayerId | None, RawLog]:
    """The logs in a value, exactly as they were.

    Raises ValueError if it can't be read, or is another race's.
    """
    return Packed(race, value).logs()


@dataclass(slots=True, eq=False)
class Packed:
    """A value that is read as far as is needed. Every method raises ValueError like ``unpack``."""

    race: RaceId
    value: bytes
    _packed: list[bytes] = field(default_factory=list)
    """The parts as they are in the value."""
    _parts: dict[int, Part] = field(default_factory=dict)
    """Those that were read."""
    _places: dict[PlayerId | None, int] = field(default_factory=dict)
    """In which part a log is, once the first part was read."""
    _room: RawLog | None = None
    """The log of the room, if it was read alone."""

    def __post_init__(self) -> None:
        if self.value[:1] != FORMAT:
            raise ValueError(f"it can't be unpacked: its format is {self.value[:1].hex()}")
        reading = Reading(self.value)
        try:
            reading.take(len(FORMAT))
            while reading.left:
                self._packed.append(reading.take(reading.number()))
        except IndexError:
            raise ValueError("it can't be unpacked: its end is missing") from None

    def part(self, number: int) -> Part:
        """A part that may have been read before."""
        if number not in self._parts:
            if number >= len(self._packed):
                raise ValueError(f"it can't be unpacked: part {number} is missing")
            self._parts[number] = unpack_part(self.race, self._packed[number])
        return self._parts[number]

    def log(self, player: PlayerId | None) -> RawLog:
        """A whole log; empty if there is none."""
        if player is None and not self._parts and self._packed:
            # Much is asked of rooms alone: who played, and when.
            if self._room is None:
                self._room = room_in(self.race, self._packed[0])
            if self._room is not None:
                return self._room
        place = self._place(player)
        return self.part(place).logs.get(player, ()) if place is not None else ()

    def _place(self, player: PlayerId | None) -> int | None:
        """In which part a log is."""
        first = self.part(0)
        if not self._places:
            places = dict.fromkeys(first.logs, 0)
            places |= {player: 1 + i // SEATS for i, player in enumerate(first.last)}
            self._places = places  # at once: another thread may read the same value
        return self._places.get(player)

    def last(self, player: PlayerId | None) -> RawLog:
        """The last entry of a log; empty if there is none."""
        if player is None:
            return self.log(None)[-1:]
        first = self.part(0)
        if player in first.last:
            return first.last[player]
        return first.logs.get(player, ())[-1:]

    def logs(self) -> dict[PlayerId | None, RawLog]:
        """All logs."""
        found: dict[PlayerId | None, RawLog] = {}
        for number in range(len(self._packed)):
            found |= self.part(number).logs
        first = self.part(0)
        if found.keys() != {*first.logs, *first.last}:
            raise ValueError("it can't be unpacked: a seat is missing")
        return found

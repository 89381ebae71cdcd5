"""The keys of races and their logs, and what lies under them. Does not talk to Redis.

Everything of one race shares the hash tag ``{race id}``, so that a cluster keeps it together.
"""

from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from bigben_protocol import PlayerId, RaceId, State
from bigben_server.race.events import Append, Entry, RoomAppend, RoomEvent, SeatAppend, SeatStatus

SECRET = "bb:secret"
AGENDA = "bb:agenda"
"""Races that time will change: a sorted set by when, ms since 1970."""
NAMES = "bb:names"
"""Display names by player."""
MARK = b"is"
"""The field of a seat's entry that says where the seat then stands."""

_events = msgspec.json.Decoder(RoomEvent)
_encode = msgspec.json.Encoder().encode


def spent(once: str) -> str:
    """There while a one-time link that was used could still be tried again."""
    return f"bb:spent:{once}"


def open_seed(digest: str) -> str:
    """The race of a seed, by the seed's digest; the race may be closed by now. Expires."""
    return f"bb:seed:{digest}"


def room_log(race: RaceId) -> str:
    """A stream; entry ``k-0`` holds event k in field ``k``, and those written with it."""
    return f"bb:{{{race}}}:room"


def seat_log(race: RaceId, player: PlayerId) -> str:
    """A stream; entry ``n-0`` holds ``ms move`` in field ``n``, and those written with it."""
    return f"bb:{{{race}}}:seat:{player}"


def news_channel(race: RaceId) -> str:
    """The channel on which processes tell each other of a race."""
    return f"bb:{{{race}}}:news"


PROCESSES = "bb:processes"
"""The channel that every process listens on. Nothing is said there; Redis counts who does."""


def process_channel(process: str) -> str:
    """The channel that one process alone listens on."""
    return f"{PROCESSES}:{process}"


def race_of_channel(channel: str) -> RaceId:
    """The race of a news channel."""
    return RaceId(channel.removeprefix("bb:{").removesuffix("}:news"))


def log_of(append: Append) -> str:
    """The stream an append belongs to."""
    match append:
        case SeatAppend():
            return seat_log(append.race, append.player)
        case RoomAppend():
            return room_log(append.race)


def entry_of(appends: list[Append]) -> list[str | bytes]:
    """The id and the fields of one stream entry for appends that follow on one another.

    The id is the number of the first, or of what it follows plus one where that is greater. An
    entry is written and read whole. Number 0 has the id ``0-1``, since streams have no ``0-0``.
    """
    words: list[str | bytes] = []
    first = max(_number(appends[0]), appends[0].follows + 1)
    for append in appends:
        match append:
            case SeatAppend():
                words += [str(append.entry.n), f"{append.entry.ms} {append.entry.move}"]
            case RoomAppend():
                words += [str(append.k), _encode(append.event)]
    last = appends[-1]
    if isinstance(last, SeatAppend):
        words += [MARK, write_status(last.status)]
    return [f"{first}-0" if first else "0-1", *words]


def _number(append: Append) -> int:
    return append.k if isinstance(append, RoomAppend) else append.entry.n


def read_events(fields: Iterable[Mapping[bytes, bytes]], *, after: int = 0) -> list[RoomEvent]:
    """The events in the entries of a room's stream that follow event ``after``, in order.

    Raises ValueError for an event that can't be read, or is missing.
    """
    numbered = {int(k): _events.decode(event) for entry in fields for k, event in entry.items()}
    for k in range(after + 1, after + 1 + len(numbered)):
        if k not in numbered:
            raise ValueError(f"event {k} is missing before event {max(numbered)}")
    return [numbered[k] for k in sorted(numbered)]


def read_entries(fields: Iterable[Mapping[bytes, bytes]]) -> list[Entry]:
    """The entries of a seat's log, in order."""
    entries: list[Entry] = []
    for entry in fields:
        for n, text in entry.items():
            if n != MARK:
                ms, move = text.decode().split(" ", 1)
                entries.append(Entry(int(n), int(ms), move))
    return sorted(entries)


def write_status(status: SeatStatus) -> str:
    """``moves home home_ms ms begun_at state``."""
    state, moves, home, ms, home_ms, begun_at = status
    return f"{moves} {home} {home_ms} {ms} {begun_at} {state}"


def read_status(text: str) -> SeatStatus:
    """The status written so."""
    moves, home, home_ms, ms, begun_at, state = text.split(" ", 5)
    return SeatStatus(
        cast(State, state), int(moves), int(home), int(ms), int(home_ms), int(begun_at)
    )

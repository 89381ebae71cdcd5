"""How an entry of a log is written as an entry of a stream, and read again. It asks no store."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final, cast

import msgspec

from bigben_protocol import State
from bigben_server.race.events import Append, Entry, RoomEvent, SeatAppend, SeatStatus
from bigben_server.storage.keys import MARK

RawLog = Sequence[tuple[bytes, Sequence[bytes]]]
"""The entries of a log as Redis sends them: each has an id, and its fields and values in turn."""

_events = msgspec.json.Decoder(RoomEvent)
_encode = msgspec.json.Encoder().encode
_MARK: Final = MARK.decode()


def as_sent(answer: Any) -> RawLog:  # Any: a node of a cluster that has redirected gives dicts
    """The entries in an answer of Redis."""
    if answer and isinstance(answer[0][1], dict):
        return [(number, [*chain(*fields.items())]) for number, fields in answer]
    return cast(RawLog, answer)


def entry_of(appends: Sequence[Append]) -> list[str]:
    """The id and the fields of one stream entry for consecutive appends.

    The id is the number of the first append, or one more than what it follows if that is greater.
    An entry is written and read as a whole. Number 0 has the id ``0-1``; streams have no ``0-0``.
    """
    head, last = appends[0], appends[-1]
    n = head.entry.n if isinstance(head, SeatAppend) else head.number
    first = n if n > head.follows else head.follows + 1
    words = [f"{first}-0" if first else "0-1"]
    for append in appends:
        if isinstance(append, SeatAppend):
            words += (str(append.entry.n), f"{append.entry.ms} {append.entry.move}")
        else:
            words += (str(append.number), _encode(append.event).decode())
    if isinstance(last, SeatAppend):
        words += (_MARK, write_status(last.status))
    return words


def fields_of(words: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    """The fields and values of an entry; they can be read once."""
    return zip(each := iter(words), each, strict=True)


def read_events(log: RawLog, *, after: int = 0) -> list[RoomEvent]:
    """The events in these entries of a room's log that follow event ``after``, in order.

    Raises ValueError for an event that can't be read, or is missing.
    """
    numbered = {int(k): _events.decode(event) for _, words in log for k, event in fields_of(words)}
    for k in range(after + 1, after + 1 + len(numbered)):
        if k not in numbered:
            raise ValueError(f"event {k} is missing before event {max(numbered)}")
    return [numbered[k] for k in sorted(numbered)]


def read_entries(log: RawLog) -> list[Entry]:
    """The entries in those of a seat's log, in order."""
    entries: list[Entry] = []
    for _, words in log:
        for n, text in fields_of(words):
            if n != MARK:
                ms, move = text.split(b" ", 1)
                entries.append(Entry(int(n), int(ms), move.decode()))
    return sorted(entries)


def status_in(words: Sequence[bytes]) -> SeatStatus:
    """The status that is written in an entry of a seat's log."""
    return read_status(dict(fields_of(words))[MARK].decode())


def write_status(status: SeatStatus) -> str:
    """``moves home home_ms ms begun_at state``."""
    s = status
    return f"{s.moves} {s.home} {s.home_ms} {s.ms} {s.begun_at} {s.state}"


def read_status(text: str) -> SeatStatus:
    """The status in such a text."""
    moves, home, home_ms, ms, begun_at, state = text.split(" ", 5)
    return SeatStatus(cast(State, state), *map(int, (moves, home, ms, home_ms, begun_at)))

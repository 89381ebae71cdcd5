"""The log of a seat as columns, and back."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from operator import add
from typing import Final

from bigben_server.storage.entries import RawLog
from bigben_server.storage.keys import MARK
from bigben_server.storage.packing.columns import Columns, ReadColumns
from bigben_server.storage.packing.expected import Expected, Status
from bigben_server.storage.packing.numbers import put, put_signed
from bigben_server.storage.packing.words import ESCAPE, FIRST, REST

_CODES: Final = {
    b"%b %b" % (first, rest) if rest else first: (code, rest_code)
    for code, first in enumerate(FIRST)
    for rest_code, rest in enumerate(REST)
}
"""The codes of each move."""
_MOVES: Final = {codes: move for move, codes in _CODES.items()}


@dataclass(slots=True)
class SeatLog:
    """A log whose moves have consecutive numbers, and each of whose entries has a status."""

    first: int = 0
    """The number of the first move: 0 for ``begin``."""
    counts: list[int] = field(default_factory=list)
    """How many moves each entry has."""
    moves: list[tuple[int, bytes]] = field(default_factory=list)
    """The ms and the words of each move."""
    statuses: list[Status] = field(default_factory=list)
    """The status in each entry."""

    def entries(self) -> Iterator[tuple[bytes, list[bytes]]]:
        """The log as Redis has it."""
        n, moves = self.first, iter(self.moves)
        for count, status in zip(self.counts, self.statuses, strict=True):
            id_ = b"%d-0" % n if n else b"0-1"
            words: list[bytes] = []
            for ms, move in islice(moves, count):
                words += b"%d" % n, b"%d %b" % (ms, move)
                n += 1
            yield id_, [*words, MARK, status.text]


def seat_of(log: RawLog) -> SeatLog | None:
    """The seat with this log; None if the log has anything that a ``SeatLog`` has not."""
    seat = SeatLog()
    try:
        seat.first = int(log[0][1][0])
        for _, words in log:
            seat.counts.append(len(words) // 2 - 1)
            for text in words[1:-2:2]:
                ms, move = text.split(b" ", 1)
                seat.moves.append((int(ms), move))
            seat.statuses.append(Status.read(words[-1]))
        is_whole = [*seat.entries()] == [(id_, [*words]) for id_, words in log]
    except (ValueError, LookupError):
        return None
    return seat if is_whole and min(seat.counts) > 0 and seat.first >= 0 else None


def write_seat(columns: Columns, seat: SeatLog) -> None:
    """Append a seat to the columns."""
    head, begun_at, home = columns.head, seat.statuses[0].begun_at, seat.statuses[0].home
    columns.put_all([count - 1 for count in seat.counts])
    put(head, seat.first)
    put_signed(head, home)
    columns.texts.append(b"%d" % begun_at)
    expected = Expected(seat.first, begun_at, home)
    moves, usual = iter(enumerate(seat.moves, seat.first)), 0
    for count, status in zip(seat.counts, seat.statuses, strict=True):
        guess = status
        for n, (ms, move) in islice(moves, count):
            _write_move(columns, ms - expected.ms, move)
            guess = expected.add(n, ms, move)
        if guess == status:
            usual += 1
            continue
        put(head, usual)
        _write_difference(head, status, guess)
        expected.correct(status)
        usual = 0
    put(head, usual)


def _write_move(columns: Columns, passed: int, move: bytes) -> None:
    columns.low.append(passed & 255)
    put_signed(columns.high, passed >> 8)
    if codes := _CODES.get(move):
        columns.moves.extend(codes)
    else:
        columns.moves.append(ESCAPE)
        columns.texts.append(move)


def _write_difference(head: bytearray, status: Status, guess: Status) -> None:
    """Which numbers are other ones, as bits, and by how much each."""
    differences = [told - guessed for told, guessed in zip(status, guess, strict=True)]
    put(head, sum(bool(difference) << i for i, difference in enumerate(differences)))
    for difference in filter(None, differences):
        put_signed(head, difference)


def read_seat(columns: ReadColumns) -> RawLog:
    """The next seat. Raises LookupError, StopIteration and ValueError."""
    head, seat = columns.head, SeatLog()
    seat.counts = [count + 1 for count in columns.all()]
    n = seat.first = head.number()
    expected = Expected(n, home=head.signed(), begun_at=int(next(columns.texts)))
    usual = head.number()
    for count in seat.counts:
        status = Status(n, 0, 0, 0, 0, 0)  # every entry has a move
        for _ in range(count):
            passed = next(columns.low) + (columns.high.signed() << 8)
            seat.moves.append((expected.ms + passed, _read_move(columns)))
            status = expected.add(n, *seat.moves[-1])
            n += 1
        if not usual:
            status = _read_difference(columns, status)
            expected.correct(status)
            usual = head.number() + 1
        usual -= 1
        seat.statuses.append(status)
    return [*seat.entries()]


def _read_move(columns: ReadColumns) -> bytes:
    first = next(columns.moves)
    return next(columns.texts) if first == ESCAPE else _MOVES[first, next(columns.moves)]


def _read_difference(columns: ReadColumns, guess: Status) -> Status:
    bits = columns.head.number()
    differences = (columns.head.signed() if bits >> i & 1 else 0 for i in range(len(guess)))
    return Status(*map(add, guess, differences))

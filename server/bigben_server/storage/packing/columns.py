"""The columns of a packed race: what is alike together, which deflate packs best."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bigben_server.storage.packing import texts
from bigben_server.storage.packing.numbers import Reading, put
from bigben_server.storage.packing.words import DICTIONARY

_RAW: Final = -15
"""Deflate without a header."""


@dataclass(slots=True)
class Columns:
    """Columns that are written, the logs one after another."""

    head: bytearray = field(default_factory=bytearray)
    """How the logs are divided, and what is unusual in them."""
    texts: list[bytes] = field(default_factory=list)
    """Ids, events, and moves that have no code."""
    moves: bytearray = field(default_factory=bytearray)
    """The codes of each move."""
    low: bytearray = field(default_factory=bytearray)
    """The ms that have passed since the move before, modulo 256."""
    high: bytearray = field(default_factory=bytearray)
    """The same ms, divided by 256."""

    def put_all(self, numbers: Sequence[int]) -> None:
        """Append numbers to the head, after how many they are."""
        for number in (len(numbers), *numbers):
            put(self.head, number)

    def deflated(self) -> bytes:
        """The sizes of the columns, and the columns, of which each kind has codes of its own."""
        text, values, digits = texts.write(self.texts)
        sizes = bytearray()
        for column in (text, self.head, values, digits, self.moves, self.low):
            put(sizes, len(column))
        deflate = zlib.compressobj(9, wbits=_RAW, memLevel=9, zdict=DICTIONARY)
        parts: list[bytes] = []
        for block in (sizes + text + self.head + values, digits, self.moves, self.low, self.high):
            parts += deflate.compress(block), deflate.flush(zlib.Z_BLOCK)
        return b"".join([*parts, deflate.flush()])


@dataclass(slots=True)
class ReadColumns:
    """The columns of a part, which are read from their beginnings."""

    head: Reading
    texts: Iterator[bytes]
    moves: Iterator[int]
    low: Iterator[int]
    high: Reading

    @classmethod
    def inflated(cls, deflated: bytes) -> "ReadColumns":
        """Raises zlib.error, IndexError and ValueError."""
        inflate = zlib.decompressobj(_RAW, zdict=DICTIONARY)
        columns = Reading(inflate.decompress(deflated))
        if not inflate.eof or inflate.unused_data:
            raise ValueError("the end is not where it should be")
        sizes = [columns.number() for _ in range(6)]
        text, head, values, digits, moves, low = map(columns.take, sizes)
        read = texts.read(text, Reading(values), Reading(digits))
        return cls(Reading(head), iter(read), iter(moves), iter(low), columns)

    def all(self) -> list[int]:
        """The next numbers in the head that ``put_all`` has written."""
        return [self.head.number() for _ in range(self.head.number())]

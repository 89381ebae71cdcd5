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
    """Columns that are written, the logs of a race one after another."""

    head: bytearray = field(default_factory=bytearray)
    """How the logs are divided, and what is unusual in them."""
    texts: list[bytes] = field(default_factory=list)
    """Ids, events, and moves that have no code."""
    first: bytearray = field(default_factory=bytearray)
    """The code of the first word of each move."""
    rest: bytearray = field(default_factory=bytearray)
    """The code of its other words."""
    low: bytearray = field(default_factory=bytearray)
    """The ms that have passed since the move before, modulo 256."""
    high: bytearray = field(default_factory=bytearray)
    """The same ms, divided by 256."""

    def put_all(self, numbers: Sequence[int]) -> None:
        """Append numbers to the head, after their number."""
        for number in (len(numbers), *numbers):
            put(self.head, number)

    def deflated(self) -> bytes:
        """The sizes of the columns, then each in a block of deflate with codes of its own."""
        columns = self.head, texts.write(self.texts), self.first, self.rest, self.low, self.high
        sizes = bytearray()
        for column in columns:
            put(sizes, len(column))
        deflate = zlib.compressobj(9, wbits=_RAW, memLevel=9, zdict=DICTIONARY)
        parts = [deflate.compress(sizes)]
        for column in columns:
            parts += deflate.compress(column), deflate.flush(zlib.Z_BLOCK)
        return b"".join([*parts, deflate.flush()])


@dataclass(slots=True)
class ReadColumns:
    """The columns of a value, which are read from their beginnings."""

    head: Reading
    texts: Iterator[bytes]
    first: Iterator[int]
    rest: Iterator[int]
    low: Iterator[int]
    high: Reading

    @classmethod
    def inflated(cls, value: bytes) -> "ReadColumns":
        """The columns in a value. Raises zlib.error, IndexError, and ValueError for more bytes."""
        inflate = zlib.decompressobj(_RAW, zdict=DICTIONARY)
        all_columns = Reading(inflate.decompress(value))
        if not inflate.eof or inflate.unused_data:
            raise ValueError("its end is not where it should be")
        sizes = [all_columns.number() for _ in range(6)]
        head, text, first, rest, low, high = (all_columns.take(size) for size in sizes)
        read = iter(texts.read(text))
        return cls(Reading(head), read, iter(first), iter(rest), iter(low), Reading(high))

    def all(self) -> list[int]:
        """The next numbers in the head that ``put_all`` has written."""
        return [self.head.number() for _ in range(self.head.number())]

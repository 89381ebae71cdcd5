"""Texts whose hex digits, times and ids are bytes elsewhere, so that what is left is alike.

In a text are the codes

    01    64 hex digits, which are 32 bytes in the column of digits
    02    24 hex digits, which are 12 bytes there
    03    13 decimal digits, in the column of values as the difference to those before
    04    the next byte is one of 00 to 05 and 0A
    05    24 hex digits that were there before; in the column of values is which, from 0
    0A    the end of a text
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bigben_server.storage.packing.numbers import Reading, put, put_signed

_PLAIN: Final = re.compile(
    rb"[0-9a-f]{64}|[0-9a-f]{24}|(?<![0-9])[1-9][0-9]{12}(?![0-9])|[\x00-\x05\n]"
)
_CODE: Final = re.compile(rb"[\x01\x02\x03\x05]|\x04.", re.DOTALL)
_LINE: Final = re.compile(rb"((?:[^\x04\n]|\x04.)*)\n", re.DOTALL)


def write(texts: Iterable[bytes]) -> tuple[bytes, bytes, bytes]:
    """The columns of texts, values and digits."""
    values, digits = bytearray(), bytearray()
    known: dict[bytes, int] = {}
    last = 0

    def code(found: re.Match[bytes]) -> bytes:
        nonlocal last
        text = found.group()
        if text in known:
            put(values, known[text])
            return b"\5"
        match len(text):
            case 64:
                digits.extend(bytes.fromhex(text.decode()))
                return b"\1"
            case 24:
                known[text] = len(known)
                digits.extend(bytes.fromhex(text.decode()))
                return b"\2"
            case 13:
                put_signed(values, int(text) - last)
                last = int(text)
                return b"\3"
            case _:
                return b"\4" + text

    column = b"".join(_PLAIN.sub(code, text) + b"\n" for text in texts)
    return column, bytes(values), bytes(digits)


def read(column: bytes, values: Reading, digits: Reading) -> Sequence[bytes]:
    """The texts in these columns. Raises IndexError if something is missing."""
    known: list[bytes] = []
    last = 0

    def plain(found: re.Match[bytes]) -> bytes:
        nonlocal last
        match found.group():
            case b"\1":
                return digits.take(32).hex().encode()
            case b"\2":
                known.append(digits.take(12).hex().encode())
                return known[-1]
            case b"\3":
                last += values.signed()
                return b"%d" % last
            case b"\5":
                return known[values.number()]
            case escaped:
                return escaped[1:]

    lines = _LINE.findall(column)
    if sum(map(len, lines)) + len(lines) != len(column):
        raise IndexError("the last text has no end")
    return [_CODE.sub(plain, line) for line in lines]

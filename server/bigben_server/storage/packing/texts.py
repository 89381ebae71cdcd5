"""Texts with their hex digits, times and names as bytes, for deflate to find what is the same.

01 and 32 bytes        64 hex digits
02 and 12 bytes        24 hex digits
03 and a number        13 decimal digits, as the difference from those before; see ``numbers``
04 and a byte          one of the bytes 00 to 04 and 0A
0A                     the end of a text
"""

import re
from collections.abc import Iterable
from typing import Final

from bigben_server.storage.packing.numbers import Reading, put_signed

_WRITTEN: Final = re.compile(
    rb"[0-9a-f]{64}|[0-9a-f]{24}|(?<![0-9])[1-9][0-9]{12}(?![0-9])|[\x00-\x04\n]"
)
_CODED: Final = re.compile(
    rb"\x01(.{32})|\x02(.{12})|\x03([\x80-\xff]*[\x00-\x7f])|\x04(.)|\n", re.DOTALL
)


def write(texts: Iterable[bytes]) -> bytes:
    """The texts as one column."""
    last = 0

    def coded(found: re.Match[bytes]) -> bytes:
        nonlocal last
        text = found.group()
        match len(text):
            case 64:
                return b"\1" + bytes.fromhex(text.decode())
            case 24:
                return b"\2" + bytes.fromhex(text.decode())
            case 13:
                column, before, last = bytearray(b"\3"), last, int(text)
                put_signed(column, last - before)
                return bytes(column)
            case _:
                return b"\4" + text

    return b"".join(_WRITTEN.sub(coded, text) + b"\n" for text in texts)


def read(column: bytes) -> list[bytes]:
    """The texts of a column. Raises IndexError if its end is missing."""
    texts: list[bytes] = []
    parts: list[bytes] = []
    at = last = 0
    for found in _CODED.finditer(column):
        parts.append(column[at : found.start()])
        at = found.end()
        match found.lastindex:
            case 1 | 2 as group:
                parts.append(found.group(group).hex().encode())
            case 3:
                last += Reading(found.group(3)).signed()
                parts.append(b"%d" % last)
            case 4:
                parts.append(found.group(4))
            case _:
                texts.append(b"".join(parts))
                parts = []
    if at < len(column) or parts:
        raise IndexError(at)
    return texts

"""Checks a file of certificates: every line by the rules. It may be compressed by xz or gzip."""

import gzip
import lzma
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Final

from bigben_solver import solve
from bigben_solver.certificates import (
    HEADER,
    LONGEST,
    Certificate,
    Wrong,
    moves_of,
    parse,
    start,
)
from bigben_terminal.receipts.receipt_form import Altered, Unreadable

Stream = BytesIO | gzip.GzipFile | lzma.LZMAFile

_OPENERS: Final[Mapping[bytes, Callable[[BytesIO], Stream]]] = {
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x1f\x8b": lambda compressed: gzip.GzipFile(fileobj=compressed),
    HEADER.encode(): lambda plain: plain,
}
"""By its first bytes: how a file is read."""

Tally = Counter[tuple[str, str, str]]
"""How many lines there are of each game, rules and result."""


def holds_certificates(content: bytes) -> bool:
    """Whether a file with this content has to be checked here; else it may be a receipt."""
    return content.startswith(tuple(_OPENERS))


def check(content: bytes, *, prove: bool, progress: Callable[[int, int], None]) -> Tally:
    """Check every line, and count them.

    Lines that say ``lost`` are only proved again with ``prove``. ``progress`` is told how many
    lines of how many have been checked. Raises Altered with the line that does not hold, and
    Unreadable.
    """
    tally: Tally = Counter()
    seen: set[tuple[str, str, str]] = set()
    try:
        lines = _lines(content)
        total = _total(next(lines, ""))
        for number, line in enumerate(lines, 1):
            try:
                certificate = _checked(line, prove=prove)
            except Wrong as wrong:
                raise Altered(f"certificate {number}: {wrong}") from None
            if certificate[:3] in seen:
                raise Altered(f"certificate {number}: Its deal has come before.")
            seen.add(certificate[:3])
            tally[certificate.game, certificate.rules, certificate.result] += 1
            progress(number, total)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise Unreadable(f"the compressed file is damaged: {error}") from None
    if len(seen) != total:
        raise Altered(f"the file has {len(seen):,} certificates; its first line says {total:,}")
    return tally


def _lines(content: bytes) -> Iterator[str]:
    """The lines without their ends."""
    opener = next(opener for first, opener in _OPENERS.items() if content.startswith(first))
    with opener(BytesIO(content)) as stream:
        while line := stream.readline(LONGEST):
            if not line.endswith(b"\n"):
                raise Unreadable("a line is too long, or the last one has no end")
            yield line.decode("ascii", "replace").rstrip("\n")


def _total(header: str) -> int:
    """How many lines the first one says will follow."""
    name, _, total = header.partition(" ")
    if name != HEADER or not (total.isascii() and total.isdigit() and len(total) < 12):
        raise Unreadable(f"this does not begin with {HEADER} and the number of its lines")
    return int(total)


def _checked(line: str, *, prove: bool) -> Certificate:
    certificate = parse(line)
    if certificate.result == "won":
        moves_of(certificate)
    elif certificate.result == "lost" and prove:
        found = solve(start(certificate), nodes=certificate.nodes).result
        if found != "lost":
            raise Wrong(f"The solver does not prove that it is lost, but says {found}.")
    else:
        start(certificate)
    return certificate


def in_words(tally: Tally) -> Iterator[str]:
    """One line for each game and rules of the file."""
    for game, rules in dict.fromkeys((game, rules) for game, rules, _ in tally):
        counts = {result: tally[game, rules, result] for result in ("won", "lost", "unknown")}
        told = ", ".join(f"{count:,} {result}" for result, count in counts.items())
        yield f"{game} {rules}: {sum(counts.values()):,} deals, {told}"

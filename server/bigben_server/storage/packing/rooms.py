"""The log of a room, and any other log, as columns, and back."""

from itertools import islice

from bigben_server.storage.entries import RawLog
from bigben_server.storage.packing.columns import Columns, ReadColumns


def is_numbered(log: RawLog) -> bool:
    """Whether this is a log of events as this version writes them."""
    k = 1
    for id_, words in log:
        numbers = [b"%d" % number for number in range(k, k + len(words) // 2)]
        if not words or id_ != b"%d-0" % k or list(words[::2]) != numbers:
            return False
        k += len(numbers)
    return True


def write_events(columns: Columns, log: RawLog) -> None:
    """Append a numbered log to the columns."""
    columns.put_all([len(words) // 2 - 1 for _, words in log])
    columns.texts += (event for _, words in log for event in words[1::2])


def read_events(columns: ReadColumns) -> RawLog:
    """The next numbered log."""
    log: list[tuple[bytes, list[bytes]]] = []
    k = 1
    for count in columns.all():
        words: list[bytes] = []
        for number in range(k, k + count + 1):
            words += b"%d" % number, next(columns.texts)
        log.append((b"%d-0" % k, words))
        k += count + 1
    return log


def write_any(columns: Columns, log: RawLog) -> None:
    """Append a log to the columns, whatever is in it."""
    columns.put_all([len(words) for _, words in log])
    for id_, words in log:
        columns.texts += id_, *words


def read_any(columns: ReadColumns) -> RawLog:
    """The next log that was written by ``write_any``."""
    texts = columns.texts
    return [(next(texts), list(islice(texts, count))) for count in columns.all()]

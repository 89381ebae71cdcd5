"""The log of a room, and any other log, as columns, and back."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from bigben_protocol import RaceId
from bigben_rules import nonce_hash
from bigben_server.storage.entries import RawLog
from bigben_server.storage.packing.columns import Columns, ReadColumns

_READIED: Final = re.compile(
    rb'(\{"type":"readied","player":"([^"\\]*)","nonce":"","at":[0-9]+,"nonce_hash":")([0-9a-f]*)("\})'
)
_NONCED: Final = re.compile(rb'\{"type":"nonced","player":"([^"\\]*)","nonce":"([0-9a-f]{64})"')


def is_numbered(log: RawLog) -> bool:
    """Whether this is a log of events as this version writes them."""
    k = 1
    for id_, words in log:
        numbers = [b"%d" % number for number in range(k, k + len(words) // 2)]
        if not words or id_ != b"%d-0" % k or list(words[::2]) != numbers:
            return False
        k += len(numbers)
    return True


def write_events(columns: Columns, race: RaceId, log: RawLog) -> None:
    """Append a numbered log to the columns."""
    columns.put_all([len(words) // 2 - 1 for _, words in log])
    events = [event for _, words in log for event in words[1::2]]
    hashes = _hashes(race, events)
    known: list[int] = []
    for k, event in enumerate(events):
        if (ready := _READIED.fullmatch(event)) and ready[3] and hashes.get(ready[2]) == ready[3]:
            known.append(k)
            event = ready[1] + ready[4]
        columns.texts.append(event)
    columns.put_all(known)


def _hashes(race: RaceId, events: Iterable[bytes]) -> dict[bytes, bytes]:
    """The hash of the last nonce of each player who sent one in the countdown."""
    sent = (found for event in events if (found := _NONCED.match(event)))
    return {
        player: nonce_hash(
            race, player.decode(errors="replace"), bytes.fromhex(nonce.decode())
        ).encode()
        for player, nonce in (found.groups() for found in sent)
    }


def read_events(columns: ReadColumns, race: RaceId) -> RawLog:
    """The next numbered log."""
    counts = [count + 1 for count in columns.all()]
    events = [next(columns.texts) for _ in range(sum(counts))]
    if known := columns.all():
        hashes = _hashes(race, events)
        for k in known:
            ready = _READIED.fullmatch(events[k])
            if ready is None:
                raise ValueError(f"event {k} has no hash")
            events[k] = ready[1] + hashes[ready[2]] + ready[4]
    log: list[tuple[bytes, list[bytes]]] = []
    numbered = enumerate(events, 1)
    k = 1
    for count in counts:
        words = [
            word for number, event in islice(numbered, count) for word in (b"%d" % number, event)
        ]
        log.append((b"%d-0" % k, words))
        k += count
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

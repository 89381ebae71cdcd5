"""Compares acknowledged moves with the logs in Redis."""

from collections.abc import Iterable, Iterator

from redis import Redis

from benchmarks.driver.players import Seat
from bigben_server.storage.entries import as_sent, read_entries
from bigben_server.storage.keys import Keys

_AT_ONCE = 500
_KEYS = Keys()


class Lost(RuntimeError):
    """An acknowledged move is not in its log; the text says which."""


def check_logs(redis_url: str, seats: Iterable[Seat], keys: Keys = _KEYS) -> int:
    """Raises Lost unless the logs have every acknowledged move. Return how many were compared."""
    compared = 0
    with Redis.from_url(redis_url) as redis:
        for seat, logged in _logs(redis, list(seats), keys):
            for n, move in enumerate(seat.acknowledged, start=1):
                if logged.get(n) != move:
                    raise Lost(f"{seat.race}, {seat.player}: move {n} {move!r}: {logged.get(n)!r}")
            compared += len(seat.acknowledged)
    return compared


def _logs(redis: Redis, seats: list[Seat], keys: Keys) -> Iterator[tuple[Seat, dict[int, str]]]:
    """Each seat with the moves of its log by their numbers."""
    for start in range(0, len(seats), _AT_ONCE):
        some = seats[start : start + _AT_ONCE]
        pipeline = redis.pipeline(transaction=False)
        for seat in some:
            pipeline.xrange(keys.seat_log(seat.race, seat.player))
        for seat, entries in zip(some, pipeline.execute(), strict=True):
            yield seat, {e.n: e.move for e in read_entries(as_sent(entries))}

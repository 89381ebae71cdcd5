"""How fast a peer may send."""

from hypothesis import given
from hypothesis import strategies as st

from bigben_server.rate import Bucket


def taken(bucket: Bucket, now: float, tries: int) -> int:
    return sum(bucket.take(now) for _ in range(tries))


def test_a_burst_is_taken_at_once_and_no_more() -> None:
    assert taken(Bucket(50, 100, 0.0), 0.0, 150) == 100


def test_tokens_come_back_with_time_up_to_a_burst() -> None:
    bucket = Bucket(50, 100, 0.0)
    taken(bucket, 0.0, 100)
    assert taken(bucket, 0.5, 100) == 25
    assert taken(bucket, 3600.0, 500) == 100


def test_whoever_keeps_the_rate_is_never_refused() -> None:
    bucket = Bucket(50, 2, 0.0)
    assert all(bucket.take(turn / 50) for turn in range(1000))


@given(st.lists(st.floats(0, 0.1), max_size=200))
def test_nobody_gets_more_than_a_burst_and_the_rate(pauses: list[float]) -> None:
    bucket, now, got = Bucket(50, 10, 0.0), 0.0, 0
    for pause in pauses:
        now += pause
        got += bucket.take(now)
    assert got <= 10 + 50 * now + 1e-6

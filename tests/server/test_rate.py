"""How fast a peer may send."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigben_server.rate_limit import Bucket, Buckets


def taken(bucket: Bucket, now: float, tries: int) -> int:
    return sum(bucket.take(now) for _ in range(tries))


def test_a_burst_is_taken_at_once_and_no_more() -> None:
    assert taken(Bucket(50, 100, 0.0), 0.0, 150) == 100


def test_tokens_come_back_with_time_up_to_a_burst() -> None:
    bucket = Bucket(50, 100, 0.0)
    taken(bucket, 0.0, 100)
    assert taken(bucket, 0.5, 100) == 25
    assert taken(bucket, 3600.0, 500) == 100


def test_a_peer_within_the_rate_is_never_refused() -> None:
    bucket = Bucket(50, 2, 0.0)
    assert all(bucket.take(turn / 50) for turn in range(1000))


@given(st.lists(st.floats(0, 0.1), max_size=200))
def test_no_bucket_gives_more_than_a_burst_and_the_rate(pauses: list[float]) -> None:
    bucket, now, got = Bucket(50, 10, 0.0), 0.0, 0
    for pause in pauses:
        now += pause
        got += bucket.take(now)
    assert got <= 10 + 50 * now + 1e-6


def test_a_clock_that_is_set_back_takes_nothing_away() -> None:
    bucket = Bucket(50, 100, 1000.0)
    assert taken(bucket, 1000.0, 50) == 50
    assert taken(bucket, 10.0, 100) == 50


def test_a_charge_may_be_owed_and_never_more_than_one_charge() -> None:
    bucket = Bucket(10, 100, 0.0)
    taken(bucket, 0.0, 95)
    for _ in range(3):
        bucket.charge(0.0, 20)
    assert not bucket.take(2.0)
    assert bucket.take(2.1)
    assert taken(bucket, 3600.0, 200) == 100


def test_a_small_charge_forgives_nothing_of_a_large_debt() -> None:
    bucket = Bucket(10, 100, 0.0)
    bucket.charge(0.0, 300)
    bucket.charge(0.0, 9)
    assert bucket.tokens(19.9) < 0
    assert not bucket.take(20.0)
    assert bucket.take(20.1)


def test_a_token_that_is_given_back_can_be_taken_again_up_to_a_burst() -> None:
    bucket = Bucket(10, 100, 0.0)
    taken(bucket, 0.0, 100)
    bucket.give_back(0.0)
    assert taken(bucket, 0.0, 5) == 1
    for _ in range(200):
        bucket.give_back(0.0)
    assert taken(bucket, 0.0, 200) == 100


def test_everyone_has_a_bucket_of_their_own() -> None:
    buckets = Buckets(1, 2)
    assert [buckets.take("ada", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("bob", 0.0)
    assert buckets.take("ada", 1.0)


def test_full_buckets_are_forgotten_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bigben_server.rate_limit._MOST_KEPT", 10)
    buckets = Buckets(1, 1)
    for now in range(100):
        assert all(buckets.take((now, n), now) for n in range(20))
        assert not buckets.take((now, 0), now), "who has just come is known"
    assert len(vars(buckets)["_buckets"]) < 100

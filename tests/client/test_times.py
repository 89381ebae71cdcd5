"""How long a client waits, how fast it sends, and how it measures the server's clock."""

from hypothesis import given
from hypothesis import strategies as st
from tests.support.clock import Clock

from bigben_client.connection.backoff import Backoff
from bigben_client.connection.send_rate import SendRate
from bigben_client.connection.server_clock import ServerClock


def test_the_bound_of_each_wait_doubles_up_to_the_longest() -> None:
    backoff = Backoff(first=1, longest=10, draw=lambda: 1.0)
    assert [backoff.wait() for _ in range(6)] == [1, 2, 4, 8, 10, 10]


def test_every_wait_up_to_the_bound_is_equally_likely() -> None:
    draws = iter([0.0, 0.5, 0.25])
    backoff = Backoff(first=1, longest=10, draw=lambda: next(draws))
    assert [backoff.wait() for _ in range(3)] == [0, 1, 1]


def test_a_connection_that_lasts_makes_the_next_wait_short_again() -> None:
    clock = Clock(0.0)
    backoff = Backoff(first=1, longest=10, draw=lambda: 1.0, clock=clock)
    assert [backoff.wait(), backoff.wait()] == [1, 2]
    backoff.up()
    clock.now += 10
    assert [backoff.wait(), backoff.wait()] == [1, 2]


def test_a_connection_that_ends_at_once_does_not() -> None:
    """Clients do not storm a server that accepts and then closes all connections."""
    clock = Clock(0.0)
    backoff = Backoff(first=1, longest=10, draw=lambda: 1.0, clock=clock)
    waits = []
    for _ in range(4):
        waits.append(backoff.wait())
        backoff.up()
        clock.now += 9
    assert waits == [1, 2, 4, 8]


def test_a_burst_goes_out_at_once_and_the_rest_at_the_servers_pace() -> None:
    clock = Clock(0.0)
    pace = SendRate(burst=3, per_second=2, clock=clock)
    assert [pace.wait() for _ in range(5)] == [0, 0, 0, 0.5, 1.0]


def test_a_pause_lets_the_next_burst_go_out_at_once() -> None:
    clock = Clock(0.0)
    pace = SendRate(burst=3, per_second=2, clock=clock)
    assert [pace.wait() for _ in range(3)] == [0, 0, 0]
    clock.now += 100
    assert [pace.wait() for _ in range(4)] == [0, 0, 0, 0.5]


@given(gaps=st.lists(st.floats(0, 2), max_size=300))
def test_no_second_has_more_than_the_burst_and_the_rate(gaps: list[float]) -> None:
    clock = Clock(0.0)
    pace = SendRate(burst=5, per_second=10, clock=clock)
    sent: list[float] = []
    for gap in gaps:
        clock.now += gap
        clock.now += pace.wait()
        sent.append(clock.now)
    for first in sent:
        assert sum(first <= at < first + 1 for at in sent) <= 5 + 10 + 1


def test_the_offset_is_measured_at_the_middle_of_the_round_trip() -> None:
    clock = ServerClock()
    clock.sample(sent=1_000, received=1_200, now_at=5_000)
    assert clock.offset_ms == 3_900


def test_the_quickest_answer_is_the_most_exact() -> None:
    clock = ServerClock()
    clock.sample(sent=0, received=100, now_at=50)
    clock.sample(sent=1_000, received=1_900, now_at=9_999)
    assert clock.offset_ms == 0
    clock.sample(sent=2_000, received=2_010, now_at=2_012)
    assert clock.offset_ms == 7


def test_another_connection_measures_again() -> None:
    clock = ServerClock()
    clock.sample(sent=0, received=2, now_at=1)
    clock.restart()
    clock.sample(sent=5_000, received=6_000, now_at=9_500)
    assert clock.offset_ms == 4_000


@given(st.integers(-(10**9), 10**9), st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_offset_is_wrong_by_at_most_half_the_round_trip(
    true: int, there: int, back: int
) -> None:
    clock = ServerClock()
    clock.sample(sent=0, received=there + back, now_at=there + true)
    assert abs(clock.offset_ms - true) <= (there + back + 1) // 2

"""When a process says that players should be sent elsewhere, and why."""

from tests.support.clock import Clock

from bigben_server.readiness import AWAY, SILENT_S, Readiness


def test_a_process_whose_store_works_is_ready() -> None:
    assert Readiness(Clock(5.0)).reasons() == []


def test_a_store_that_fails_or_says_nothing_is_away_until_it_answers() -> None:
    clock = Clock(5.0)
    readiness = Readiness(clock)
    readiness.store_fails()
    assert readiness.reasons() == [AWAY.sentence]
    readiness.store_works()
    assert readiness.reasons() == []
    clock.now += SILENT_S
    assert (readiness.reasons(), readiness.away_s()) == ([], 0)
    clock.now += 0.5
    assert (readiness.reasons(), readiness.away_s()) == ([AWAY.sentence], SILENT_S + 0.5)
    readiness.store_works()
    assert readiness.reasons() == []


def test_a_drain_lasts_until_it_is_ended_whatever_the_store_does() -> None:
    readiness = Readiness(Clock(5.0))
    readiness.drain()
    readiness.drain("An update begins.")
    readiness.store_fails()
    assert readiness.reasons() == [AWAY.sentence, "An update begins."]
    readiness.store_works()
    assert readiness.reasons() == ["An update begins."]
    readiness.end_drain()
    readiness.end_drain()
    assert readiness.reasons() == []

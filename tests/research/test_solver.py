"""The solver's measurement counts what it did not decide, and knows different answers."""

from research.solver import Measured, measure, report


def test_a_deal_that_stays_unknown_is_never_quick() -> None:
    found = [Measured(deal, "won", 100, 1000, 0.02) for deal in range(99)]
    found.append(Measured(99, "unknown", 0, 10, 0.0001))
    text = report(found)
    assert text.startswith("100 deals: 99 won, 1 unknown\n")
    assert "99 % 0.020, 99.9 % inf;" in text
    assert "\nunknown: 99\n" in text


def test_the_same_deals_have_the_same_last_line_whatever_the_time() -> None:
    once, again, others = (
        report(list(measure("standard", deals, 3_000)))
        for deals in (range(3), range(3), range(1, 4))
    )
    assert once.splitlines()[-1] == again.splitlines()[-1]
    assert once.splitlines()[-1] != others.splitlines()[-1]

"""Attempts that copy another one are told from independent ones by how unlikely choices were."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from research.alike import GAME, MEMBERS, RULES, copied, order_of, played, style_of

from bigben_solver.alike import LIMIT, Attempt, Reading, compared, crowd_of, read, score_of

DEALS = 1_000_002, 1_000_003
INDEPENDENT = 1, 4, 7
COPY = MEMBERS
"""The number of who copies member 1."""
MOVES = 45
"""The first ones of each attempt."""


def readings(deal: int) -> dict[int, Reading]:
    logs = {one: played(deal, style_of(one), Random(f"{deal} {one}")) for one in INDEPENDENT}
    logs[COPY] = copied(deal, style_of(11), Random(f"{deal} c"), logs[1][:MOVES], 0.9)
    order = order_of(deal)
    return {one: read(GAME, RULES, order, moves[:MOVES]) for one, moves in logs.items()}


def spoilt(reading: Reading) -> Reading:
    """With the likelihoods of each position in another order."""
    return tuple(
        step._replace(likely=tuple(Random(step.n).sample(step.likely, len(step.likely))))
        for step in reading
    )


def scores(deals: Sequence[Mapping[int, Reading]]) -> dict[tuple[int, int], float]:
    """Of each two players, the earlier one first, over all deals."""
    found: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for deal in deals:
        attempts = {
            one: Attempt(at * 10**8, [1_000 * n for n in range(MOVES)], reading)
            for at, (one, reading) in enumerate(deal.items())
        }
        crowd = crowd_of(attempts.values())
        for one, two in combinations(attempts, 2):
            likeness = compared(attempts[one], attempts[two], crowd)
            found.setdefault((one, two), []).append((likeness.copying, likeness.foresight))
    return {pair: score_of(weeks) for pair, weeks in found.items()}


def test_a_copy_is_found_among_independent_attempts_by_the_likelihoods_alone() -> None:
    deals = [readings(deal) for deal in DEALS]
    found = scores(deals)
    assert found.pop((1, COPY)) > LIMIT + 2
    assert max(found.values()) < LIMIT - 3
    assert max(scores([{o: spoilt(r) for o, r in deal.items()} for deal in deals]).values()) > 20
    independent = [{o: spoilt(r) for o, r in deal.items() if o != COPY} for deal in deals]
    assert max(scores(independent).values()) > LIMIT

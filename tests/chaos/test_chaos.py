"""Acknowledged means durable, with real processes that are killed at random moments.

`make torture` kills more often, and `make chaos` much more often.
"""

import random
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from benchmarks.chaos import chaos
from tests.processes.playing import serving
from tests.support.server_process import ServerProcess
from tests.support.torture import a_seed, often

pytestmark = [pytest.mark.timeout(600), pytest.mark.longer]
"""Ten seconds on an idle machine. A player who waits in vain fails the test long before."""


@pytest.mark.parametrize(
    ("servers", "workers", "kills"),
    [
        pytest.param(1, 1, often(3, 40), id="one server"),
        pytest.param(2, 1, often(3, 20), id="two servers"),
        pytest.param(1, 3, often(5, 20), id="three workers"),
    ],
)
async def test_no_acknowledged_move_is_lost_doubled_or_forked_by_kills(
    tmp_path: Path, servers: int, workers: int, kills: int
) -> None:
    seed = a_seed()
    async with AsyncExitStack() as stack:
        started: list[ServerProcess] = [
            await stack.enter_async_context(serving(tmp_path / "data", "--workers", str(workers)))
            for _ in range(servers)
        ]
        tally = await chaos(started, kills, 20, random.Random(seed))
    assert tally.faults == [], f"seed {seed}"
    assert sum(tally.kills.values()) == kills
    assert tally.acknowledged > kills * 20
    assert tally.races > 0
    assert tally.packed > 0
    assert min(tally.finished) > 0, "at each kill some seats were over in races that went on"

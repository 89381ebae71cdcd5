"""Acknowledged means durable, with real processes that are killed at random moments."""

import random
from pathlib import Path

from benchmarks.chaos import chaos
from benchmarks.servers import ServerProcess


async def test_no_acknowledged_move_is_lost_doubled_or_forked_in_thirty_kills(
    tmp_path: Path,
) -> None:
    seed = random.randrange(2**32)
    server = ServerProcess(tmp_path / "data")
    await server.start()
    try:
        tally = await chaos(server, kills=30, clients=20, draw=random.Random(seed))
    finally:
        said = await server.stop()
    assert tally.faults == [], f"seed {seed}"
    assert sum(tally.kills.values()) == 30
    assert tally.acknowledged > 30 * 20
    assert "Traceback" not in said

"""How often messages are edited: the newest state, once a tick, whatever happens in between."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from itertools import pairwise

import pytest

from bigben_discord.edits import Edits

EVERY = 0.05


@pytest.fixture
async def edits() -> AsyncIterator[Edits]:
    one = Edits(every=EVERY)
    yield one
    await one.close()


class Diary:
    """Writes down when a job ran, and what was true then."""

    def __init__(self) -> None:
        self.truth = 0
        self.entries: list[tuple[float, str, int]] = []
        self._written = asyncio.Event()

    async def write(self, name: str = "") -> None:
        self.entries.append((asyncio.get_running_loop().time(), name, self.truth))
        self._written.set()
        self._written = asyncio.Event()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(10):
            while len(self.entries) < count:
                await self._written.wait()


async def test_the_first_comes_at_once_and_the_rest_as_one(edits: Edits) -> None:
    diary = Diary()
    start = asyncio.get_running_loop().time()
    edits.ask("lane", "message", diary.write)
    await diary.until(1)
    assert diary.entries[0][0] - start < EVERY
    for truth in range(1, 100):
        diary.truth = truth
        edits.ask("lane", "message", diary.write)
    await diary.until(2)
    assert [truth for _, _, truth in diary.entries] == [0, 99]


async def test_ticks_are_counted_from_the_start_of_the_job_before(edits: Edits) -> None:
    diary = Diary()

    async def slow() -> None:
        await diary.write()
        edits.ask("lane", "message", slow)
        await asyncio.sleep(EVERY * 0.6)

    edits.ask("lane", "message", slow)
    await diary.until(5)
    times = [at for at, _, _ in diary.entries]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert min(gaps) >= EVERY - 0.01
    # Had the work been added to the tick, four of them would have taken 6.4 ticks.
    assert times[4] - times[0] >= 4 * EVERY - 0.01


async def test_two_messages_of_a_lane_share_its_ticks(edits: Edits) -> None:
    diary = Diary()
    for name in ("one", "two", "one"):
        edits.ask("lane", name, partial(diary.write, name))
    await diary.until(2)
    (first, second) = diary.entries
    assert [first[1], second[1]] == ["one", "two"]
    assert second[0] - first[0] >= EVERY - 0.01


async def test_lanes_do_not_wait_for_each_other(edits: Edits) -> None:
    diary, never = Diary(), asyncio.Event()

    async def stuck() -> None:
        await never.wait()

    edits.ask("stuck", "message", stuck)
    edits.ask("free", "message", diary.write)
    await diary.until(1)


async def test_all_lanes_together_are_not_quicker_than_discord_allows() -> None:
    edits, diary = Edits(every=0.0, per_second=50), Diary()
    for lane in range(6):
        edits.ask(lane, "message", diary.write)
    diary.truth = 1
    await diary.until(6)
    times = [at for at, _, _ in diary.entries]
    assert times[-1] - times[0] > 5 * 0.02 * 0.9
    await edits.close()


async def test_a_job_that_fails_does_not_stop_its_lane(edits: Edits) -> None:
    diary = Diary()

    async def failing() -> None:
        raise ValueError("as asked")

    edits.ask("lane", "broken", failing)
    edits.ask("lane", "sound", diary.write)
    await diary.until(1)

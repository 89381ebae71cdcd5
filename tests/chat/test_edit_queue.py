"""How often messages are edited: the newest state, once a tick, whatever happens in between."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
from tests.chat.diary import EVERY, LATE, Diary, own_time
from tests.support.clock import Clock

from bigben_chat.edit_queue import EditQueue, RateLimit


@pytest.fixture
async def clock() -> AsyncIterator[Clock[float]]:
    with own_time() as clock:
        yield clock


@pytest.fixture
async def edits(clock: Clock[float]) -> AsyncIterator[EditQueue]:
    one = EditQueue(every=EVERY)
    yield one
    await one.close()


@pytest.fixture
def diary(clock: Clock[float]) -> Diary:
    return Diary(clock)


async def test_the_first_edit_is_made_at_once_and_later_ones_as_one(
    edits: EditQueue, diary: Diary
) -> None:
    edits.ask("lane", "message", diary.write)
    await diary.until(1)
    for truth in range(1, 100):
        diary.truth = truth
        edits.ask("lane", "message", diary.write)
    await diary.until(2)
    (first, _, nothing), (second, _, last) = diary.entries
    assert first <= LATE
    assert EVERY <= second <= EVERY + LATE
    assert (nothing, last) == (0, 99)


async def test_ticks_are_counted_from_the_start_of_the_job_before(
    edits: EditQueue, diary: Diary
) -> None:
    async def slow() -> None:
        await diary.write()
        edits.ask("lane", "message", slow)
        await asyncio.sleep(EVERY * 0.6)

    edits.ask("lane", "message", slow)
    await diary.until(5)
    for tick, (at, _, _) in enumerate(diary.entries):
        # Had the work been added to the tick, the last one would have come after 6.4 of them.
        assert tick * EVERY <= at <= tick * (EVERY + LATE) + LATE


async def test_after_a_slow_job_a_lane_rests(clock: Clock[float], diary: Diary) -> None:
    resting = EditQueue(every=EVERY, rest=EVERY)
    ends: list[float] = []

    async def slow() -> None:
        await diary.write()
        resting.ask("lane", "message", slow)
        await asyncio.sleep(EVERY * 0.6)
        ends.append(clock.now)

    resting.ask("lane", "message", slow)
    await diary.until(4)
    await resting.close()
    for end, (start, _, _) in zip(ends, diary.entries[1:], strict=False):
        assert EVERY <= start - end <= EVERY + LATE


async def test_two_messages_of_a_lane_share_its_ticks(edits: EditQueue, diary: Diary) -> None:
    for name in ("one", "two", "one"):
        edits.ask("lane", name, partial(diary.write, name))
    await diary.until(2)
    (first, second) = diary.entries
    assert [first[1], second[1]] == ["one", "two"]
    assert EVERY <= second[0] - first[0] <= EVERY + LATE


async def test_lanes_do_not_wait_for_each_other(edits: EditQueue, diary: Diary) -> None:
    never = asyncio.Event()

    async def stuck() -> None:
        await never.wait()

    edits.ask("stuck", "message", stuck)
    edits.ask("free", "message", diary.write)
    await diary.until(1)


async def test_all_lanes_together_are_not_quicker_than_discord_allows(
    clock: Clock[float], edits: EditQueue, diary: Diary
) -> None:
    gate = RateLimit(per_second=1 / EVERY)

    async def edit() -> None:
        await gate.passed()
        await diary.write()

    for lane in range(6):
        edits.ask(lane, "message", edit)
    await diary.until(6)
    for number, (at, _, _) in enumerate(diary.entries):
        assert number * EVERY <= at <= number * (EVERY + LATE) + LATE


async def test_after_the_end_nothing_is_edited(edits: EditQueue, diary: Diary) -> None:
    edits.ask("lane", "message", diary.write)
    await edits.close()
    edits.ask("lane", "message", diary.write)
    edits.ask("other", "message", diary.write)
    await asyncio.sleep(0)
    assert diary.entries == []


async def test_a_job_that_fails_does_not_stop_its_lane(edits: EditQueue, diary: Diary) -> None:
    async def failing() -> None:
        raise ValueError("as asked")

    edits.ask("lane", "broken", failing)
    edits.ask("lane", "sound", diary.write)
    await diary.until(1)

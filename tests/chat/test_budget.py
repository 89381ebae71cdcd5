"""How many events a platform bears: a bot begins carefully, and learns from "too fast"."""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from tests.chat.diary import LATE, Diary, own_time
from tests.support.clock import Clock

from bigben_chat.budget import FASTEST, REFUSED, SLOWEST, Budget, BudgetedEdits
from bigben_chat.records import Post

GAP = 200.0
BURST = 10
LEAVE = 3


class Platform:
    """Counts what it is sent."""

    def __init__(self, clock: Clock[float]) -> None:
        self.sent = 0
        self.limited = 0
        self.budget = Budget(GAP, BURST, lambda: (self.sent, self.limited))
        self.diary = Diary(clock)

    async def edit(self, count: int) -> None:
        for _ in range(count):
            await self.budget.passed(LEAVE)
            self.sent += 1
            await self.diary.write()


@pytest.fixture
async def clock() -> AsyncIterator[Clock[float]]:
    with own_time() as clock:
        yield clock


async def times(platform: Platform, count: int, seconds: float = 40 * GAP) -> list[float]:
    """When so many edits were let pass, one after another."""
    already = len(platform.diary.entries)
    editing = asyncio.create_task(platform.edit(count))
    await platform.diary.until(already + count, seconds)
    await editing
    return [at for at, _, _ in platform.diary.entries[already:]]


async def test_edits_leave_some_of_the_bucket_to_answers(clock: Clock[float]) -> None:
    platform = Platform(clock)
    at = await times(platform, BURST - LEAVE + 1)
    assert at[BURST - LEAVE - 1] <= LATE, "what is in the bucket is used at once"
    assert at[-1] - at[-2] >= GAP / 3, "then it waits"
    assert not platform.budget.has(LEAVE + 2)


async def test_answers_take_from_the_bucket_too(clock: Clock[float]) -> None:
    platform = Platform(clock)
    platform.sent += BURST
    assert not platform.budget.has(1)
    (at,) = await times(platform, 1)
    assert at >= LEAVE * GAP


async def test_answers_that_go_through_although_it_should_be_empty_show_that_it_is_not(
    clock: Clock[float],
) -> None:
    platform = Platform(clock)
    platform.sent += 5 * BURST
    first, second = await times(platform, 2)
    assert first <= LEAVE * GAP / 4
    assert second - first <= GAP / 4


async def test_a_platform_that_says_too_fast_is_sent_less_and_later_more(
    clock: Clock[float],
) -> None:
    platform = Platform(clock)
    quick = await times(platform, 60, seconds=400 * GAP)
    assert quick[-1] - quick[-2] <= GAP / 4, "nobody said that it is too fast"
    platform.limited += 1
    slow = await times(platform, 3)
    assert slow[0] - quick[-1] >= LEAVE * GAP
    assert slow[2] - slow[1] >= GAP / 2
    for _ in range(9):
        platform.limited += 1
        await times(platform, 1, seconds=100 * GAP)
    first, second = await times(platform, 2, seconds=40 * GAP)
    assert GAP <= second - first <= SLOWEST * GAP + LATE
    last = [at for _ in range(30) for at in await times(platform, 20, seconds=1000 * GAP)]
    assert FASTEST * GAP <= last[-1] - last[-2] <= GAP / 2


@pytest.mark.parametrize("refused", [False, True])
async def test_posts_of_a_place_are_edited_one_at_a_time_and_refused_ones_later(
    clock: Clock[float], refused: bool
) -> None:
    rate = BudgetedEdits(GAP, 1000, lambda: (0, 0))
    diary = Diary(clock)

    def ask(message: str) -> None:
        async def edit() -> None:
            await rate.passed("room")
            await diary.write()
            ask(message)

        rate.ask(Post("K7QPXM", "room", message), edit, refused=refused)

    for message in ("one", "other"):
        ask(message)
    await diary.until(4, seconds=40 * GAP)
    await rate.close()
    at = [at for at, _, _ in diary.entries[:4]]
    gap = REFUSED * GAP if refused else GAP
    for before, after in pairwise(at):
        assert gap <= after - before <= gap + LATE


async def test_answers_that_are_too_fast_for_an_empty_bucket_slow_no_edit_down(
    clock: Clock[float],
) -> None:
    platform = Platform(clock)
    platform.sent += BURST
    assert not platform.budget.has(1)
    for _ in range(9):
        platform.limited += 1
        assert not platform.budget.has(1)
    (at,) = await times(platform, 1)
    assert at <= (LEAVE + 1) * GAP + LATE


async def test_what_nobody_waits_for_has_room_until_something_was_too_fast(
    clock: Clock[float],
) -> None:
    sent, limited = BURST, 0
    rate = BudgetedEdits(GAP, BURST, lambda: (sent, limited))
    sent += BURST
    assert rate.has_spare()
    limited += 1
    assert not rate.has_spare()
    clock.now += 2 * BURST * GAP
    assert rate.has_spare()
    sent += BURST // 2
    assert not rate.has_spare()
    await rate.close()


async def test_edits_in_many_rooms_of_one_player_do_not_delay_those_of_another(
    clock: Clock[float],
) -> None:
    diary = Diary(clock)
    rate = BudgetedEdits(GAP, BURST, lambda: (len(diary.entries), 0))

    def ask(of: str, room: str) -> None:
        async def edit() -> None:
            await rate.passed(of)
            await diary.write(of)

        rate.ask(Post("K7QPXM", room, "message"), edit, refused=False)

    for number in range(100):
        ask("Ada", f"room {number}")
    ask("Ben", "another room")
    await diary.until(BURST, seconds=40 * GAP)
    await rate.close()
    assert "Ben" in [name for _, name, _ in diary.entries]

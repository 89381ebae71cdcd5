"""Values that are made once and kept for a while."""

import asyncio

import pytest

from bigben_server.sharing.once import Once


class Maker:
    """Makes 1, 2, 3, when it is let."""

    def __init__(self) -> None:
        self.made = 0
        self.go = asyncio.Event()
        self.go.set()

    async def __call__(self) -> int:
        self.made += 1
        mine = self.made
        await self.go.wait()
        return mine


class Failing(Maker):
    async def __call__(self) -> int:
        await super().__call__()
        raise ValueError(f"failure {self.made}")


async def test_it_is_made_once_for_all_who_ask_meanwhile() -> None:
    kept, make = Once[str, int](9), Maker()
    make.go.clear()
    asking = [asyncio.create_task(kept.get("a", make)) for _ in range(5)]
    await asyncio.sleep(0)
    assert not kept.has("a")
    make.go.set()
    assert await asyncio.gather(*asking) == [1] * 5
    assert kept.has("a")
    assert await kept.get("a", make) == 1
    assert await kept.get("b", make) == 2


async def test_it_is_made_again_when_it_is_too_old_or_forgotten() -> None:
    make = Maker()
    assert [await Once[str, int](9, for_s=0).get("a", make) for _ in range(2)] == [1, 2]
    kept = Once[str, int](9, for_s=3_600)
    assert [await kept.get("a", make) for _ in range(2)] == [3, 3]
    kept.clear()
    assert await kept.get("a", make) == 4


async def test_who_asks_after_it_was_forgotten_does_not_get_what_was_being_made() -> None:
    kept, make = Once[str, int](9), Maker()
    make.go.clear()
    before = asyncio.create_task(kept.get("a", make))
    await asyncio.sleep(0)
    kept.clear()
    after = asyncio.create_task(kept.get("a", make))
    await asyncio.sleep(0)
    make.go.set()
    assert (await before, await after) == (1, 2)
    assert await kept.get("a", make) == 2


async def test_a_failure_is_told_to_all_who_wait_and_not_kept() -> None:
    kept, failing = Once[str, int](9), Failing()
    failing.go.clear()
    asking = [asyncio.create_task(kept.get("a", failing)) for _ in range(2)]
    await asyncio.sleep(0)
    failing.go.set()
    for task in asking:
        with pytest.raises(ValueError, match="failure 1"):
            await task
    assert await kept.get("a", Maker()) == 1


async def test_the_oldest_make_room() -> None:
    kept, make = Once[str, int](2), Maker()
    for key in "abc":
        await kept.get(key, make)
    assert [kept.has(key) for key in "abc"] == [False, True, True]

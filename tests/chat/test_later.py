"""What nobody waits for: in its room one after another, and other rooms do not wait either."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bigben_chat.later import MOST_WAITING, Later
from bigben_chat.platform import Away


@pytest.fixture
async def later() -> AsyncIterator[Later]:
    one = Later()
    yield one
    await one.close()


def sending(sent: "asyncio.Queue[str]", what: str) -> Callable[[], Awaitable[None]]:
    """Sends this."""
    return lambda: sent.put(what)


async def test_a_room_that_is_limited_holds_up_itself_alone(later: Later) -> None:
    sent, limited = asyncio.Queue[str](), asyncio.Event()
    later.put("limited", limited.wait)
    later.put("limited", sending(sent, "behind it"))
    later.put("free", sending(sent, "elsewhere"))
    assert await sent.get() == "elsewhere"
    limited.set()
    assert await sent.get() == "behind it"


async def test_in_a_room_all_is_sent_in_order_also_after_what_was_refused(later: Later) -> None:
    sent = asyncio.Queue[str]()

    async def refused() -> None:
        raise Away("as asked")

    later.put("room", sending(sent, "first"))
    later.put("room", refused)
    later.put("room", sending(sent, "last"))
    assert [await sent.get(), await sent.get()] == ["first", "last"]


async def test_where_too_much_waits_the_rest_is_left_out_of_that_room_alone(later: Later) -> None:
    sent = asyncio.Queue[str]()
    for number in range(2 * MOST_WAITING):
        later.put("room", sending(sent, f"{number}"))
    later.put("other", sending(sent, "elsewhere"))
    there = [await sent.get() for _ in range(MOST_WAITING + 1)]
    assert sorted(there) == sorted([*map(str, range(MOST_WAITING)), "elsewhere"])
    later.put("room", sending(sent, "again"))
    assert await sent.get() == "again"

"""How often public messages are edited, on a clock of its own."""

from collections.abc import AsyncIterator
from datetime import timedelta

import discord
import pytest
from tests.chat.diary import LATE, Diary, own_time
from tests.support.clock import Clock

from bigben_chat.posts.race_post import RacePost
from bigben_chat.records import Post
from bigben_discord.posts.edit_rate import OLD, OLD_S, REFUSED, EditRate

TICK = 1000.0
CHANNEL = 7


@pytest.fixture
async def clock() -> AsyncIterator[Clock[float]]:
    with own_time() as clock:
        yield clock


@pytest.fixture
async def rate(clock: Clock[float]) -> AsyncIterator[EditRate]:
    one = EditRate(TICK)
    yield one
    await one.close()


def message(age_s: float) -> RacePost:
    """The message of a race that was posted so long ago."""
    posted = discord.utils.utcnow() - timedelta(seconds=age_s)
    return RacePost(Post("K7QPXM", CHANNEL, discord.utils.time_snowflake(posted)))


async def edited_again_and_again(
    rate: EditRate, clock: Clock[float], posts: list[RacePost], count: int
) -> list[float]:
    """When these messages were edited, if there is always something new to say."""
    diary = Diary(clock)

    def ask(post: RacePost) -> None:
        async def edit() -> None:
            await diary.write()
            ask(post)

        rate.ask(post.post, edit, refused=post.refused)

    for post in posts:
        ask(post)
    await diary.until(count, seconds=40 * TICK)
    return [at for at, _, _ in diary.entries[:count]]


async def test_the_messages_of_a_channel_are_edited_once_a_tick(
    rate: EditRate, clock: Clock[float]
) -> None:
    times = await edited_again_and_again(rate, clock, [message(60.0), message(90.0)], 5)
    for number, at in enumerate(times):
        assert number * TICK <= at <= number * (TICK + LATE) + LATE


async def test_old_messages_are_edited_as_often_as_discord_allows_and_never_more(
    rate: EditRate, clock: Clock[float]
) -> None:
    """Discord takes three edits in six seconds, of all messages of a channel older than an hour."""
    old = [message(OLD_S + 60), message(OLD_S + 3600)]
    times = await edited_again_and_again(rate, clock, old, 7)
    for before, fourth in zip(times, times[3:], strict=False):
        assert fourth - before > 6 * TICK
    for number, at in enumerate(times):
        assert at <= number * (OLD * TICK + LATE) + LATE


async def test_a_refused_edit_is_tried_again_after_a_long_pause(
    rate: EditRate, clock: Clock[float]
) -> None:
    refused = message(60.0)
    refused.tries = 1
    first, second = await edited_again_and_again(rate, clock, [refused], 2)
    assert REFUSED * TICK <= second - first <= REFUSED * TICK + LATE

"""A daily whose deal was chosen: its grade before the close, par after it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.discord.playing import sees_cards
from tests.discord.running import KEY, bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.support.graded_days import Graded, serving_graded

from bigben_protocol import PlayerId
from bigben_server.race.events import Player


@pytest.fixture
async def graded(world: Discord, tmp_path: Path) -> AsyncIterator[Graded]:
    """A server whose dailies have grades, and a bot at it."""
    folder = tmp_path / "server"
    folder.mkdir()
    with serving_graded(folder, BIGBEN_ISSUER_DISCORD_KEY=KEY) as one:
        async with bot_on(world, one.server.url, tmp_path):
            yield one


def player(person: Person) -> Player:
    return Player(PlayerId(f"discord:{person.user.id}"), person.name)


async def test_a_grade_is_said_before_the_close_and_par_after_it(
    world: Discord, graded: Graded, channel: Channel
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    await sees_cards(ada, channel)
    await sees_cards(ada, channel, rules="book")
    await world.changes.until(lambda: len(world.public(channel)) == 2, "both messages")
    usual, book = sorted(world.public(channel), key=lambda message: "book" in message.content)
    assert "Big Ben\n" in usual.content  # no grade follows it
    assert "hard" in book.content
    assert "Best known win" not in usual.content + book.content

    yesterday = {"race": graded.close_yesterday(player(ada), player(bob))}
    own = await (await ada.types(channel, "bigben board", yesterday)).shown()
    assert f"Best known win: {graded.par} moves; you needed {graded.moves}." in own.content
    certain = f"Best known win: {graded.par} moves."
    others = await (await bob.types(channel, "bigben board", yesterday)).shown()
    assert certain in others.content
    assert "you needed" not in others.content
    await (await bob.types(channel, "bigben join", {"code": yesterday["race"]})).shown()
    closed = await world.changes.until(
        lambda: [m for m in world.public(channel) if "race is over" in m.content], "its message"
    )
    assert certain in closed[0].content
    assert "hard" in closed[0].content

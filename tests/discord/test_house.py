"""House players on Discord: an option of a new room, and a menu of its message."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.discord.playing import gives_up
from tests.discord.running import bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord
from tests.discord.test_room import board_of, opened
from tests.support.server_process import ServerProcess

from bigben_discord.bot import BigBen


@pytest.fixture
async def bot(world: Discord, housed: ServerProcess, tmp_path: Path) -> AsyncIterator[BigBen]:
    async with bot_on(world, housed.url, tmp_path) as one:
        yield one


async def test_a_room_with_house_players_who_are_marked_as_bots(
    world: Discord, channel: Channel, bot: BigBen
) -> None:
    ada = world.person("Ada")
    await bot.chat.feed.client()  # it has heard that the server has house players
    lobby = await opened(ada, channel, house="beginner")
    assert "**Pip (house)** 🤖" in lobby.content
    await (await ada.chooses(lobby, "casual")).shown()
    assert "**Tick (house)** 🤖" in lobby.content
    await (await ada.chooses(lobby, "casual")).shown()
    assert "Tick" not in lobby.content
    await world.changes.until(lambda: "✅ **Pip (house)**" in lobby.content, "it is ready")
    asked = await (await ada.presses(lobby, "Ready")).followed_up()
    await (await ada.presses(asked, "start now")).shown()
    await gives_up(ada, await board_of(world, ada, channel))
    await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")
    assert "**Pip (house)** 🤖" in lobby.content


async def test_ready_beside_house_players_alone_asks_before_friends_have_come(
    world: Discord, channel: Channel, bot: BigBen
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    await bot.chat.feed.client()
    lobby = await opened(ada, channel, house="beginner")
    await world.changes.until(lambda: "✅ **Pip (house)**" in lobby.content, "it is ready")
    asked = await (await ada.presses(lobby, "Ready")).followed_up()
    assert asked.only_for == ada.user
    assert "Only house players are here" in asked.content
    waits = await (await ada.presses(asked, "wait")).shown()
    assert "waits" in waits.content
    assert "⏳ **Ada**" in lobby.content
    # With a friend there is nothing to ask: the race waits for both.
    await (await bob.presses(lobby, "Join")).shown()
    ready = await (await ada.presses(lobby, "Ready")).followed_up()
    assert "You are ready" in ready.content
    await (await bob.presses(lobby, "Ready")).followed_up()
    await world.changes.until(lambda: "Get ready" in lobby.content, "the countdown")


async def test_only_the_host_chooses_them(world: Discord, channel: Channel, bot: BigBen) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    await bot.chat.feed.client()
    lobby = await opened(ada, channel)
    refused = await (await bob.chooses(lobby, "steady")).shown()
    assert "Only the host can choose" in refused.content
    assert "Tock" not in lobby.content


async def test_they_race_only_where_all_start_together(
    world: Discord, channel: Channel, bot: BigBen
) -> None:
    await bot.chat.feed.client()
    ada = world.person("Ada")
    told = await opened(ada, channel, house="steady", deadline="tomorrow")
    assert "in which all start together" in told.content

"""The page in a frame of Discord's: the command and the buttons that open it."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.discord.playing import room_of, sees_cards, starts_alone
from tests.discord.running import SECRET, bot_on
from tests.discord.standin.activities import Instance
from tests.discord.standin.commands import ENTRY_POINT
from tests.discord.standin.components import Button
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.problems import Json, Problem
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_chat.records import INSTANCE_TIME, InstanceRecord, put_instance, race_of_instance
from bigben_chat.store import Store
from bigben_discord.bot import BigBen

HERE = "Play here"


def code(message: Message) -> str:
    """Of the room whose message this is."""
    found = re.search(r"Race ([A-Z0-9]{6})", message.content)
    assert found, message.content
    return found[1]


async def race_of(bot: BigBen, instance: Instance) -> str:
    """What the bot says of this frame once it has heard which one it is."""
    await bot.answers.finish()
    return race_of_instance(bot.chat.store, instance.id, datetime.now(UTC))


def entry_points(world: Discord) -> list[Json]:
    """What Discord has of them."""
    return [command for command in world.state.commands.stored if command["type"] == ENTRY_POINT]


async def test_the_entry_point_is_synced_once_activities_are_enabled(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    async with bot_on(world, server.url, tmp_path):
        assert entry_points(world) == []
    world.state.activities.enabled = True
    for _ in range(2):
        async with bot_on(world, server.url, tmp_path):
            pass
    assert world.state.commands.syncs == 2
    (command,) = entry_points(world)
    assert len(world.state.commands.stored) == 2
    assert (command["name"], command["name_localizations"]) == ("play", {"de": "spielen"})
    assert set(command["description_localizations"]) == {"de"}
    assert sorted(command["contexts"]) == [0, 1, 2]
    assert sorted(command["integration_types"]) == [0, 1]


async def test_the_entry_point_opens_one_frame_for_all_in_a_channel(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    world.state.activities.enabled = True
    async with bot_on(world, server.url, tmp_path):
        opened = await (await ada.opens_app(channel)).opened()
        assert await (await bob.opens_app(channel)).opened() is opened
    assert opened.users == [ada.user, bob.user]


async def test_a_frame_that_discord_refuses_is_a_sentence(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ada = world.person("Ada")
    world.state.activities.enabled = True
    async with bot_on(world, server.url, tmp_path):
        world.state.activities.enabled = False
        told = await (await ada.opens_app(channel)).shown()
        assert "The page can’t be opened in here" in told.content
        assert told.only_for == ada.user


async def test_play_here_opens_a_frame_that_belongs_to_the_race(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    """The frame has the race of the button that was pressed last, also after a restart."""
    ada, bob = world.person("Ada"), world.person("Bob")
    elsewhere = world.channel("elsewhere", world.guilds[0])
    world.state.activities.enabled = True
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as bot:
        first = await room_of(ada, bob, channel)
        second = await (await bob.types(elsewhere, "bigben race")).shown()
        here = await (await ada.presses(first, HERE)).opened()
        there = await (await bob.presses(second, HERE)).opened()
        assert await race_of(bot, here) == code(first)
        assert await race_of(bot, there) == code(second)
        assert await (await bob.opens_app(channel)).opened() is here
        assert await race_of(bot, here) == code(first), "it was opened without a race"
        assert first.content.count("Bob") == 1
        assert "Ada" not in second.content, "a frame takes no seat"
        await (await bob.presses(second, "Ready")).shown()
        board = await starts_alone(bob, second)
        await world.changes.until(lambda: HERE in str(board.buttons), "the cards are dealt")
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as bot:
        assert await race_of(bot, here) == code(first)
        # A daily and a player's own board have the button, too.
        assert await (await bob.presses(board, HERE)).opened() is there
        board = await sees_cards(ada, channel)
        assert await (await ada.presses(board, HERE)).opened() is here
        today = await race_of(bot, here)
        assert today.startswith("daily.")
        (daily,) = await world.changes.until(lambda: world.public(channel)[1:], "the daily's post")
        assert await (await bob.presses(daily, HERE)).opened() is here
        assert await race_of(bot, here) == today
        world.state.activities.close(here)
        again = await (await ada.opens_app(channel)).opened()
        assert await race_of(bot, again) == "", "a new frame without a race"


async def test_a_frame_brings_the_invitation_that_its_message_has(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ada, world.state.activities.enabled = world.person("Ada"), True
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as bot:
        lobby = await (await ada.types(channel, "bigben race", {"who": "here"})).shown()
        opened = await (await ada.presses(lobby, HERE)).opened()
        assert (await race_of(bot, opened)).startswith(f"{code(lobby)}-")


@pytest.mark.parametrize(("enabled", "secret"), [(False, SECRET), (True, "")])
async def test_no_button_without_activities_or_without_a_login(
    world: Discord,
    server: ServerProcess,
    tmp_path: Path,
    channel: Channel,
    enabled: bool,
    secret: str,
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    world.state.activities.enabled = enabled
    async with bot_on(world, server.url, tmp_path, secret=secret):
        lobby = await room_of(ada, bob, channel)
        await sees_cards(ada, channel)
        await world.changes.until(lambda: world.public(channel)[1:], "the daily's post")
        labels = [one.label for m in world.state.messages.values() for one in m.buttons]
        assert HERE not in labels
        old = Button(HERE, f"bb:here:{code(lobby)}", 1, disabled=False)
        told = await (await bob.taps(lobby, old)).shown()
        assert "The page can’t be opened in here" in told.content


def test_a_frame_is_forgotten_after_a_day(tmp_path: Path) -> None:
    store, now = Store(tmp_path / "bot.sqlite"), datetime(2026, 11, 21, 8, tzinfo=UTC)
    put_instance(store, "one", "K7QPXM", now)
    assert race_of_instance(store, "one", now + INSTANCE_TIME / 2) == "K7QPXM"
    assert race_of_instance(store, "one", now + INSTANCE_TIME) == ""
    put_instance(store, "two", "AG348E", now + INSTANCE_TIME)
    assert [key for key, _ in store.all("instance", InstanceRecord)] == ["two"]
    store.close()


def test_the_stand_in_takes_one_entry_point_where_activities_are_enabled() -> None:
    world = Discord()
    commands, usual = world.state.commands, {"name": "bigben", "description": "Race"}
    entry_point = {**usual, "type": ENTRY_POINT, "handler": 1}

    def put(*body: Json, embedded: bool) -> None:
        commands.put(body, world.application, world.new_id, embedded=embedded)

    put(usual, embedded=False)
    put(usual, entry_point, embedded=True)
    with pytest.raises(Problem, match="cannot remove this app's Entry Point"):
        put(usual, embedded=True)
    with pytest.raises(Problem, match="one Entry Point command"):
        put(usual, entry_point, {**entry_point, "name": "again"}, embedded=True)
    with pytest.raises(Problem, match="of an application with Activities"):
        put(usual, entry_point, embedded=False)
    with pytest.raises(Problem, match="handler"):
        put({**usual, "handler": 1}, entry_point, embedded=True)

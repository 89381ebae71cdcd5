"""The page in a frame of Discord's: the command and the buttons that open it."""

from pathlib import Path

import pytest
from tests.discord.running import bot_on
from tests.discord.standin.commands import ENTRY_POINT
from tests.discord.standin.people import Channel
from tests.discord.standin.problems import Json, Problem
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess


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

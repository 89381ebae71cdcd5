"""The stand-in's login and gateway against discord.py itself."""

from collections.abc import AsyncIterator

import discord
import pytest
from tests.discord.parrot import Parrot, asked, running
from tests.discord.standin.server import Discord


@pytest.fixture
async def parrot(world: Discord) -> AsyncIterator[Parrot]:
    world.channel("general", world.guild("Friends"))
    async with running(world, Parrot()) as client:
        yield client


async def test_a_bot_logs_in_and_finds_its_guild(world: Discord, parrot: Parrot) -> None:
    assert parrot.user is not None
    assert str(parrot.user.id) == world.bot.id
    assert [guild.name for guild in parrot.guilds] == ["Friends"]
    assert world.gateway.intents == discord.Intents(guilds=True).value


async def test_a_wrong_token_is_no_login(world: Discord) -> None:
    async with Parrot() as client:
        with pytest.raises(discord.LoginFailure):
            await client.login("wrong")


async def test_intents_that_nobody_granted_are_refused(world: Discord) -> None:
    greedy = Parrot(intents=discord.Intents(guilds=True, message_content=True))
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(world, greedy):
            pass


async def test_a_bot_beats_as_often_as_it_is_told(world: Discord) -> None:
    world.gateway.heartbeat_ms = 200
    async with running(world, Parrot()):
        await world.changes.until(lambda: world.gateway.heartbeats >= 4, "the heart beats on")
    assert world.gateway.identifies == 1


async def test_after_a_drop_the_session_goes_on_and_nothing_is_lost(
    world: Discord, parrot: Parrot
) -> None:
    await world.gateway.drop()
    interaction = await asked(world, parrot)
    assert interaction.data is not None
    assert (world.gateway.identifies, world.gateway.resumes) == (1, 1)


async def test_a_bot_that_is_asked_to_reconnect_resumes(world: Discord, parrot: Parrot) -> None:
    await world.gateway.ask_to_reconnect()
    await world.changes.until(lambda: world.gateway.resumes, "the bot resumes")
    await asked(world, parrot)

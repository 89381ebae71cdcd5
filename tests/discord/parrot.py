"""A small bot of discord.py's, to try the stand-in with."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
from discord import app_commands
from tests.discord.standin.server import Discord


class Parrot(discord.Client):
    """A small bot: says what it is told, in the ways that there are."""

    def __init__(self, *, intents: discord.Intents | None = None) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.01,
        )
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(app_commands.Command(name="say", description="Say.", callback=say))
        self.told: asyncio.Queue[discord.Interaction] = asyncio.Queue()

    async def setup_hook(self) -> None:
        await self.tree.sync()


async def say(interaction: discord.Interaction[Parrot], words: str) -> None:
    """Hand the interaction to the test."""
    await interaction.client.told.put(interaction)


@asynccontextmanager
async def running(world: Discord, client: Parrot) -> AsyncIterator[Parrot]:
    task = asyncio.create_task(client.start(world.token))
    task.add_done_callback(lambda _: world.changes.notify())
    try:
        await world.changes.until(lambda: world.gateway.up or task.done(), "the bot has identified")
        if task.done():
            await task
        await client.wait_until_ready()
        yield client
    finally:
        await client.close()
        await asyncio.gather(task, return_exceptions=True)


async def asked(world: Discord, parrot: Parrot) -> discord.Interaction[discord.Client]:
    """Somebody uses the command, and the bot has it."""
    (channel,) = world.state.channels.values()
    await world.person("Ada").types(channel, "say", {"words": "hello"})
    return await parrot.told.get()

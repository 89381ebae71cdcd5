"""``bigben-discord``: reads the settings and runs the bot until a signal stops it."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

import discord

from bigben_chat import running
from bigben_chat.checking import Finding, race_server
from bigben_chat.store import Store
from bigben_discord.bot import BigBen
from bigben_discord.config import Settings, from_environment
from bigben_discord.login import checking
from bigben_discord.login.service import CantListen

_ENDS: Final[Mapping[type[Exception], str]] = {
    CantListen: "{}",
    discord.LoginFailure: (
        "Discord does not take BIGBEN_DISCORD_TOKEN; copy it again from "
        "https://discord.com/developers/applications, page Bot."
    ),
    discord.ConnectionClosed: "Discord has closed the connection for good: {}",
}


def main() -> int:
    """Run the bot; the exit code."""
    logging.getLogger("discord").setLevel(logging.WARNING)
    # The bot has no voice; discord.py need not warn that libraries for it are missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    return running.main("discord", from_environment, run, _ENDS)


def check() -> int:
    """Say of the race server and each step to a login with Discord if it is right; 1 if not."""
    return running.check("discord", from_environment, _findings)


async def _findings(settings: Settings) -> list[Finding]:
    server = await race_server(settings.server, settings.issuer)
    return [server, *await checking.findings(settings)]


async def run(settings: Settings, store: Store) -> None:
    """The bot, until cancelled. Raises what ends it, in a group."""
    async with asyncio.TaskGroup() as tasks, BigBen(settings, store, tasks) as bot:
        closing = tasks.create_task(bot.run_until_closed())
        # Whatever ends this wait, the bot is closed next.
        await asyncio.wait([closing])

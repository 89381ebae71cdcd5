"""``bigben-discord``: reads the settings and runs the bot until a signal stops it."""

import asyncio
import logging
import sqlite3
import sys

import discord

from bigben_chat.connections.feed_connection import WrongKey
from bigben_chat.running import first, until_stopped
from bigben_chat.settings import BadSetting
from bigben_chat.store import Store
from bigben_client import BadAddress
from bigben_discord.bot import BigBen
from bigben_discord.config import Settings, from_environment
from bigben_discord.login import checking
from bigben_discord.login.service import CantListen


def main() -> int:
    """Run the bot; the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("discord").setLevel(logging.WARNING)
    # The bot has no voice; discord.py need not warn that libraries for it are missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    try:
        settings = from_environment()
        store = Store(settings.store)
    except BadSetting as error:
        return _sorry(str(error))
    except (OSError, sqlite3.Error) as error:
        return _sorry(f"BIGBEN_DISCORD_DATA can't be used: {error}.")
    problem = ""
    try:
        asyncio.run(until_stopped(run(settings, store)))
    except* BadAddress as group:
        problem = f"BIGBEN_SERVER can't be used: {first(group)}"
    except* (WrongKey, CantListen) as group:
        problem = first(group)
    except* discord.LoginFailure:
        problem = (
            "Discord does not take BIGBEN_DISCORD_TOKEN; copy it again from "
            "https://discord.com/developers/applications, page Bot."
        )
    except* discord.ConnectionClosed as group:
        problem = f"Discord has closed the connection for good: {first(group)}"
    finally:
        store.close()
    return _sorry(problem) if problem else 0


def check() -> int:
    """Say of each step to a login with Discord whether it was taken; 1 if one was not."""
    try:
        settings = from_environment()
    except BadSetting as error:
        return _sorry(str(error))
    findings = asyncio.run(checking.findings(settings))
    for finding in findings:
        print(f"{'✓' if finding.right else '✗'} {finding.text}")
    return 0 if all(finding.right for finding in findings) else 1


async def run(settings: Settings, store: Store) -> None:
    """The bot, until cancelled. Raises what ends it, in a group."""
    async with asyncio.TaskGroup() as tasks, BigBen(settings, store, tasks) as bot:
        running = tasks.create_task(bot.run_until_closed())
        # Whatever ends this wait, the bot is closed next.
        await asyncio.wait([running])


def _sorry(sentence: str) -> int:
    print(f"bigben-discord: {sentence}", file=sys.stderr)
    return 1

"""``bigben-discord``: reads the settings and runs the bot until a signal stops it."""

import asyncio
import logging
import signal
import sqlite3
import sys
from contextlib import suppress

import discord

from bigben_chat.connections.feed_connection import WrongKey
from bigben_chat.store import Store
from bigben_client import BadAddress
from bigben_discord.bot import BigBen
from bigben_discord.config import BadSetting, Settings, from_environment
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
        asyncio.run(_until_stopped(settings, store))
    except* BadAddress as group:
        problem = f"BIGBEN_SERVER can't be used: {_first(group)}"
    except* (WrongKey, CantListen) as group:
        problem = _first(group)
    except* discord.LoginFailure:
        problem = (
            "Discord does not take BIGBEN_DISCORD_TOKEN; copy it again from "
            "https://discord.com/developers/applications, page Bot."
        )
    except* discord.ConnectionClosed as group:
        problem = f"Discord has closed the connection for good: {_first(group)}"
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


async def _until_stopped(settings: Settings, store: Store) -> None:
    """The bot, until SIGINT or SIGTERM."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    running = asyncio.create_task(run(settings, store))
    stopping = asyncio.create_task(stopped.wait())
    await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def run(settings: Settings, store: Store) -> None:
    """The bot, until cancelled. Raises what ends it, in a group."""
    async with asyncio.TaskGroup() as tasks, BigBen(settings, store, tasks) as bot:
        running = tasks.create_task(bot.run_until_closed())
        # Whatever ends this wait, the bot is closed next.
        await asyncio.wait([running])


def _first(group: BaseExceptionGroup[BaseException]) -> str:
    """What the first of them says."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error)


def _sorry(sentence: str) -> int:
    print(f"bigben-discord: {sentence}", file=sys.stderr)
    return 1

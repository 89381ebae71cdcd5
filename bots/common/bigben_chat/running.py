"""Runs a bot as a command: until a signal stops it, or something ends it."""

import asyncio
import logging
import signal
import sqlite3
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from bigben_chat import metrics
from bigben_chat.checking import Finding
from bigben_chat.connections.feed_connection import WrongKey
from bigben_chat.settings import BadSetting, BotSettings
from bigben_chat.store import Store
from bigben_client import BadAddress

Settings = TypeVar("Settings", bound=BotSettings)


def main(
    platform: str,
    read: Callable[[], Settings],
    run: Callable[[Settings, Store], Coroutine[Any, Any, None]],
    ends: Mapping[type[Exception], str],
) -> int:
    """Run the bot of a platform; the exit code.

    ``ends``: what ends this bot, and what that means for its operator, with the error in ``{}``.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        settings = read()
        store = Store(settings.store)
    except BadSetting as error:
        return _sorry(platform, str(error))
    except (OSError, sqlite3.Error) as error:
        return _sorry(platform, f"BIGBEN_{platform.upper()}_DATA can't be used: {error}.")
    problem = ""
    sentences: dict[type[Exception], str] = {
        BadAddress: "BIGBEN_SERVER can't be used: {}",
        WrongKey: "{}",
        BadSetting: "{}",
        **ends,
    }
    try:
        with metrics.served(settings.metrics):
            asyncio.run(_until_stopped(run(settings, store)))
    except* tuple(sentences) as group:
        first = _first(group)
        problem = next(text for kind, text in sentences.items() if isinstance(first, kind))
        problem = problem.format(first)
    finally:
        store.close()
    return _sorry(platform, problem) if problem else 0


def check(
    platform: str,
    read: Callable[[], Settings],
    find: Callable[[Settings], Coroutine[Any, Any, list[Finding]]],
) -> int:
    """Say of each step of a bot's setup whether it was taken; 1 if one was not."""
    logging.basicConfig(level=logging.ERROR)  # the findings say what is away
    try:
        findings = asyncio.run(find(read()))
    except BadSetting as error:
        return _sorry(platform, str(error))
    for finding in findings:
        print(f"{'✓' if finding.right else '✗'} {finding.text}")
    return 0 if all(finding.right for finding in findings) else 1


def _sorry(platform: str, sentence: str) -> int:
    """Say what is wrong; the exit code."""
    print(f"bigben-{platform}: {sentence}", file=sys.stderr)
    return 1


async def _until_stopped(bot: Coroutine[Any, Any, None]) -> None:
    """Run the bot until SIGINT or SIGTERM. Raises what ends it."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    running = asyncio.create_task(bot)
    stopping = asyncio.create_task(stopped.wait())
    await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


def _first(error: BaseException) -> BaseException:
    """The first error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error

"""A bot on the platform of plain text, over a real server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.chat.text_platform import KEY, AtOnce, TextPlatform
from tests.wire.in_process import server_here

from bigben_chat.chat import Chat, Pace
from bigben_chat.connections.identity import Issuer
from bigben_chat.store import Store


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[str]:
    """A server for the bot of that platform and of another one."""
    issuers = {"text": (KEY,), "other": (KEY,)}
    async with server_here(tmp_path / "server", issuers=issuers) as url:
        yield url


@pytest.fixture
async def chat(server: str, tmp_path: Path) -> AsyncIterator[tuple[Chat, TextPlatform]]:
    """A bot of that platform."""
    platform = TextPlatform()
    store = Store(tmp_path / "bot.sqlite")
    issuer = Issuer("text", KEY)
    one = Chat(server, issuer, store, platform, AtOnce(), Pace(tick=0.01), page="", browsers=False)
    async with asyncio.TaskGroup() as tasks:
        running = [
            tasks.create_task(one.feed.run("bot")),
            tasks.create_task(one.daily_posts.poster.run()),
        ]
        yield one, platform
        await one.close()
        for task in running:
            task.cancel()
    store.close()

"""A bot on the platform of plain text, over a real server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.chat.text_platform import KEY, TextPlatform, text_bot
from tests.wire.in_process import server_here

from bigben_chat.chat import Chat


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[str]:
    """A server for the bot of that platform and of another one."""
    issuers = {"text": (KEY,), "other": (KEY,)}
    async with server_here(tmp_path / "server", issuers=issuers) as url:
        yield url


@pytest.fixture
async def chat(server: str, tmp_path: Path) -> AsyncIterator[tuple[Chat, TextPlatform]]:
    """A bot of that platform."""
    async with text_bot(server, tmp_path) as bot:
        yield bot

"""Fixtures of the client's tests."""

from collections.abc import AsyncIterator

import pytest
from tests.client.scripted import ScriptedServer


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    """A server that sends what the test tells it to send."""
    async with ScriptedServer.listening() as server:
        yield server

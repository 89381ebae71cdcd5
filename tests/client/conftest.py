"""What the tests of the client share."""

from collections.abc import AsyncIterator

import pytest
from tests.client.scripted import ScriptedServer


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    """A server that says what the test says."""
    async with ScriptedServer.listening() as server:
        yield server

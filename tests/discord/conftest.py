"""The fixtures of the Discord tests: a Discord of one's own, and nothing left wrong behind."""

from collections.abc import AsyncIterator

import pytest
from tests.discord.standin.server import Discord, discord_on_loopback


@pytest.fixture
async def world() -> AsyncIterator[Discord]:
    """A Discord on loopback. The test fails if anybody was pinged or too much was asked."""
    async with discord_on_loopback() as discord:
        yield discord
        assert discord.rest.mistakes == []
        assert discord.desk.pings == []
        assert discord.rest.rates.refused == []

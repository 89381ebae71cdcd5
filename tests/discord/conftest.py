"""The fixtures of the Discord tests: a Discord of one's own, and nothing left wrong behind."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.discord.running import KEY, Pace, bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord, discord_on_loopback
from tests.support.server_process import UNHURRIED, ServerProcess, serving

from bigben_chat.chat import TICK_S
from bigben_discord.bot import BigBen


@pytest.fixture
async def world(request: pytest.FixtureRequest) -> AsyncIterator[Discord]:
    """A Discord on loopback. The test fails if the bot was careless with its users or Discord."""
    async with discord_on_loopback(seed=request.node.name) as discord:
        discord.rest.rates.hurry = TICK_S / Pace.tick
        yield discord
        assert discord.state.unanswered() == []
        assert discord.rest.editing.overlaps == []
        assert discord.rest.mistakes == []
        assert discord.state.pings == []
        assert discord.rest.rates.refused == []


@pytest.fixture
def channel(world: Discord) -> Channel:
    """The one channel of a guild."""
    return world.channel("general", world.guild("Friends"))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server with a real Redis, which knows the bot's key."""
    settings = {**UNHURRIED, "BIGBEN_ISSUER_DISCORD_KEY": KEY}
    with serving(tmp_path_factory.mktemp("server"), settings) as one:
        yield one
        assert one.complaints() == []


@pytest.fixture(scope="module")
def housed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a house, which knows the bot's key."""
    settings = {"BIGBEN_HOUSE": "1", "BIGBEN_HOUSE_PACE": "0", "BIGBEN_ISSUER_DISCORD_KEY": KEY}
    with serving(tmp_path_factory.mktemp("housed"), {**UNHURRIED, **settings}) as one:
        yield one


@pytest.fixture
async def bot(world: Discord, server: ServerProcess, tmp_path: Path) -> AsyncIterator[BigBen]:
    """A bot on that Discord, in a guild with one channel."""
    async with bot_on(world, server.url, tmp_path) as one:
        yield one

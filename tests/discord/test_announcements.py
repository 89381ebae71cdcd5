"""What the operator announces reaches each player once, with an answer, and pings nobody."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.discord.playing import sees_cards, taps_on
from tests.discord.running import KEY, bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.support.operator import order
from tests.support.server_process import UNHURRIED, ServerProcess, serving

SAID = "From the operator of the race server: Back at \\*20:00\\*, @\u200beveryone."


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server of one's own, because an announcement is for all who play."""
    settings = {**UNHURRIED, "BIGBEN_ISSUER_DISCORD_KEY": KEY}
    with serving(tmp_path / "own", settings) as server:
        yield server


async def test_each_player_reads_an_announcement_once(
    world: Discord, channel: Channel, own: ServerProcess, tmp_path: Path
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")

    def told(person: Person) -> int:
        return sum(SAID in message.content for message in person.sees(channel))

    async with bot_on(world, own.url, tmp_path):
        board = await sees_cards(ada, channel)
        assert told(ada) == 0
        await asyncio.to_thread(order, own.data, "announce", "Back at *20:00*, @everyone.")
        for _ in range(3):
            board = await taps_on(ada, board, 1)
        await sees_cards(bob, channel)
        await world.changes.until(lambda: told(ada) == told(bob) == 1, "both have read it")
        await taps_on(ada, board, 1)
        await asyncio.to_thread(order, own.data, "announce", "--withdraw")
    assert (told(ada), told(bob)) == (1, 1)

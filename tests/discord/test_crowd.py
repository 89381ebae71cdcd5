"""A race of many in one Discord server: everybody has a board, and keeps it.

``TORTURE=1 pytest -s`` prints the figures of docs/performance.md.
"""

import asyncio
import time
from itertools import pairwise
from pathlib import Path

import pytest
from tests.discord.running import KEY, Pace, bot_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.discord.test_room import opened
from tests.support.server_process import serving
from tests.support.torture import often

from bigben_chat.records import PlayerRecord


@pytest.mark.longer
async def test_a_race_of_a_hundred_in_one_server_works(
    world: Discord, tmp_path: Path, channel: Channel
) -> None:
    """With all limits of the server as they are; the bot's address may have 64 connections."""
    crowd = [world.person(f"Racer {number}") for number in range(often(70, 100))]
    (tmp_path / "server").mkdir()
    settings = {"BIGBEN_ISSUER_DISCORD_KEY": KEY}
    pace = Pace(server_patience=600.0)
    with serving(tmp_path / "server", settings) as server:
        async with bot_on(world, server.url, tmp_path, pace) as bot:
            for person in crowd:  # A text is a board too, and drawn sooner.
                bot.chat.store.put("player", int(person.user.id), PlayerRecord(text=True))
            host, *others = crowd
            lobby = await opened(host, channel)

            async def gets_ready(person: Person) -> None:
                if person is not host:
                    await (await person.presses(lobby, "Join")).shown()
                waiting[person.name] = await (await person.presses(lobby, "Ready")).followed_up()

            waiting: dict[str, Message] = {}
            took = [time.perf_counter()]
            # The host comes last: all who have joined are ready then.
            await asyncio.gather(*map(gets_ready, others))
            await gets_ready(host)
            took.append(time.perf_counter())
            await world.changes.until(
                lambda: all("no move yet" in board.content for board in waiting.values()),
                "everybody's board has come",
            )
            assert len(bot.chat.players) == len(crowd), "nobody has lost their connection"
            took.append(time.perf_counter())
            dealt = await asyncio.gather(*(one.types(channel, "bigben deal") for one in crowd))
            for answer in dealt:
                assert "home · move 1" in (await answer.shown()).content
            took.append(time.perf_counter())
            took_s = (f"{end - begin:.1f} s" for begin, end in pairwise(took))
            print(f"{len(crowd)} players are ready, have boards, have moved:", *took_s)
            assert len(bot.chat.players) == len(crowd)
        assert server.complaints() == []

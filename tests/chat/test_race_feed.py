"""The race feed of races that are larger than one message."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.client.said import RACE, room
from tests.client.scripted import ScriptedServer

from bigben_chat.connections.identity import Issuer
from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.games import KnownGames
from bigben_protocol import Games, GetGames, GetStandings, PlayerId, Standing, Standings, Watch

ROWS = tuple(
    Standing(PlayerId(f"guest:{n:03}"), "Ada", "won", ms=n, place=n) for n in range(1, 131)
)

ISSUER = Issuer("discord", "a key of more than thirty-two bytes")


async def test_the_final_places_of_a_daily_are_those_of_all_its_players() -> None:
    changed = asyncio.Event()
    async with ScriptedServer.listening() as server:
        feed = RaceFeed(server.url, ISSUER, KnownGames(), lambda *_: changed.set(), pytest.fail)
        feed.follow(RACE)
        running = asyncio.create_task(feed.run(1))
        peer, _ = await server.greets()
        asked_games = await peer.hears(GetGames)
        await peer.says(Games((), asked_games.ref))
        asked = await peer.hears(Watch)
        await peer.says(replace(room(ref=asked.ref), kind="live", seats=()))
        await peer.says(Standings(RACE, ROWS[:100], True, players=130))
        for start in (0, 100):
            page = await peer.hears(GetStandings)
            assert page.start == start
            await peer.says(Standings(RACE, ROWS[start : start + 100], True, page.ref, 130))
        while (final := feed.standings(RACE)) is None or len(final.rows) < 130:
            changed.clear()
            await changed.wait()
        assert final.rows == ROWS
        running.cancel()

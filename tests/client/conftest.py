"""Fixtures of the client's tests."""

from collections.abc import AsyncIterator

import pytest
from tests.client.said import room, snapshot
from tests.client.scripted import Peer, ScriptedServer

from bigben_client import Client


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    """A server that sends what the test tells it to send."""
    async with ScriptedServer.listening() as server:
        yield server


@pytest.fixture
async def playing(server: ScriptedServer) -> AsyncIterator[tuple[Client, Peer]]:
    """Ada sees the cards after move 1, and has read all events."""
    async with server.connected() as (client, peer):
        await peer.says(room(), snapshot(1))
        news = client.events()
        assert [await anext(news), await anext(news)] == [room(), snapshot(1)]
        yield client, peer

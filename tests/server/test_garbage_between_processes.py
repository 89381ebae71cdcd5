"""What is published between processes may be garbage: nothing of it brings a traceback, and none
of their races gets stuck."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON
from tests.support.torture import a_seed, often
from tests.wire.hostile import damaged

from bigben_protocol import (
    Diff,
    GetStandings,
    Hello,
    Join,
    Move,
    Progress,
    RaceId,
    Ready,
    Snapshot,
    Standings,
    Watch,
    Welcome,
)
from bigben_server.storage.client import Client
from bigben_server.storage.listener import Subscription

DAILY: Final = RaceId("daily.2026-11-21.bigben.standard")
Published = tuple[str, bytes]
"""A channel, and what was published on it."""


@asynccontextmanager
async def listening(client: Client) -> AsyncIterator[Subscription]:
    """Everything that is published."""
    pubsub = client.pubsub()
    await pubsub.psubscribe("bb:*")
    await pubsub.get_message(timeout=PATIENCE_S)
    yield pubsub
    await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py's gap


async def heard(pubsub: Subscription) -> list[Published]:
    """What was published since the last call."""
    found: list[Published] = []
    while message := await pubsub.get_message(timeout=0.01):
        found.append((message["channel"].decode(), message["data"]))
    return found


async def play_on(mover: Guest, n: int, watcher: Guest) -> None:
    """Move, until the other has heard of it."""
    await mover.ask(Move(DAILY, n, "turn"), Diff)
    await watcher.until(Progress, lambda told: any(seat.moves == n for seat in told.seats))


@pytest.mark.longer
@pytest.mark.parametrize("run", range(often(1, 40)))
async def test_garbage_in_any_channel_harms_no_process_and_no_race(
    client: Client, caplog: pytest.LogCaptureFixture, run: int
) -> None:
    rng = random.Random(f"{a_seed()} {run}")
    async with (
        running(client, Clock(NOON), process="here") as here,
        running(client, Clock(NOON), process="there") as there,
        listening(client) as pubsub,
    ):
        ada, bob = Guest(here), Guest(there)
        for guest, name in ((ada, "Ada"), (bob, "Bob")):
            await guest.ask(Hello(name), Welcome)
            guest.say(Watch(DAILY), Join(DAILY), Ready(DAILY))
            await guest.until(Snapshot)
        published: list[Published] = []
        for n in range(1, 20):
            await play_on(ada, n, bob)
            published += await heard(pubsub)
            await spoil(client, published, rng)
            await play_on(bob, n, ada)
        published += await heard(pubsub)
        assert any(":to:" in channel for channel, _ in published), "they relay"
        async with asyncio.timeout(PATIENCE_S):
            # What is forged well is believed until a race is read again.
            while await standings(ada) != await standings(bob):
                pass
        assert [row.moves for row in (await standings(ada)).rows] == [19, 19]
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def standings(guest: Guest) -> Standings:
    return await guest.ask(GetStandings(DAILY), Standings)


async def spoil(client: Client, published: list[Published], rng: random.Random) -> None:
    """Publish garbage, and again what was published before: cut, late, twice, or to another."""
    for _ in range(10):
        channel, data = rng.choice(published)
        match rng.randrange(5):
            case 0:
                data = rng.randbytes(rng.randrange(60))
            case 1:
                data = data[: rng.randrange(len(data) + 1)]
            case 2:
                channel, _ = rng.choice(published)
            case 3 if data:
                data = damaged(data, rng)
            case _:
                pass  # replayed
        await client.publish(channel, data)

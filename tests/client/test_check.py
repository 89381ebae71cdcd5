"""The check of a closed race requests what it needs, and does not wait forever."""

import asyncio

from tests.client.said import RACE, room
from tests.client.scripted import ADA, ScriptedServer

from bigben_protocol import GetRecord, Join, Leave, Left, Record, Reveal, Standing, Watch


async def test_a_reveal_that_never_comes_is_a_finding(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        joining = asyncio.create_task(client.join(RACE))
        asked = await peer.hears(Join)
        await peer.says(room(phase="closed", state="joined", ref=asked.ref))
        await joining
        [finding] = await client.check(RACE, patience=0)
        assert (finding.what, finding.holds) == ("server seed", None)
        assert "has not revealed the deal" in finding.text


async def test_a_race_that_was_not_followed_is_left_after_the_check(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        joining = asyncio.create_task(client.join(RACE))
        asked = await peer.hears(Join)
        await peer.says(room(phase="open", state="joined", ref=asked.ref))
        await joining
        kept = client.kept[RACE]
    async with server.connected(kept=[kept]) as (client, peer):
        checking = asyncio.create_task(client.check(RACE))
        watch = await peer.hears(Watch)
        await peer.says(room(phase="closed", ref=watch.ref), Reveal(RACE, "c0", "", ""))
        record = await peer.hears(GetRecord)
        assert record.player == "", "one's own"
        await peer.says(Record(RACE, Standing(ADA, "Ada", "won"), (), (), record.ref))
        leave = await peer.hears(Leave)
        await peer.says(Left(RACE, leave.ref))
        assert {finding.what for finding in await checking} > {"commitment", "deal", "moves"}
        assert RACE not in client.rooms

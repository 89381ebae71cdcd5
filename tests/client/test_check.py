"""The check of a closed race asks for what it needs, and waits for nothing that does not come."""

import asyncio

from tests.client.said import RACE, room
from tests.client.scripted import ADA, ScriptedServer

from bigben_protocol import GetRecord, Join, Leave, Left, Record, Reveal, Standing, Watch


async def test_a_deal_that_is_never_told_is_a_finding(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        joining = asyncio.create_task(client.join(RACE))
        asked = await peer.hears(Join)
        await peer.says(room(phase="closed", state="joined", ref=asked.ref))
        await joining
        [finding] = await client.check(RACE, patience=0)
        assert (finding.what, finding.holds) == ("server seed", None)
        assert "has not revealed the deal" in finding.text


async def test_a_race_that_is_not_followed_is_left_again(server: ScriptedServer) -> None:
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

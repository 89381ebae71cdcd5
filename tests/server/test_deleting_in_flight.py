"""What a player has asked for before they are deleted writes nothing of them later."""

import asyncio

import pytest
from tests.server.guests import SECRET, SentAway
from tests.server.test_deleting_seats import names_nobody, seats
from tests.server.test_hints import Waiting, practising
from tests.server.test_two_processes import DAILY, arrive, two
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    ClientMessage,
    Create,
    GetHint,
    Join,
    RaceId,
    Refused,
    Reveal,
    Room,
    Watch,
)
from bigben_server.accounts.tokens import Issuers
from bigben_server.ops.people.delete import delete
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store

ISSUERS = Issuers(SECRET, {})


@pytest.mark.parametrize("asked", [Join(DAILY), Create()])
async def test_a_seat_that_is_being_taken(
    client: Client, store: Store, asked: ClientMessage
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        await ada.ask(Create(), Room)
        await ada.ask(Watch(DAILY), Room)
        await both.hold_back(ada, asked)
        (mark,) = ISSUERS.marks(me.player)
        deleting = asyncio.create_task(delete(store, me.player, "0123", mark, clock=both.clock))
        with pytest.raises(SentAway, match="1008 This player was deleted"):
            await ada.until(Reveal)
        assert not deleting.done(), "it waits for what was decided before"
        both.store.writes.set()
        await deleting
        await names_nobody(store, me.player, "Ada")


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_seat_for_which_the_room_is_still_read(
    client: Client, store: Store, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, he = await arrive(both.there, "Bob")
        await ada.ask(Create(), Room)
        race = (await bob.ask(Create(), Room)).race
        reads, subscribe = asyncio.Event(), both.here.hub.rooms.pubsub.subscribe

        async def slowly(*races: RaceId) -> None:
            await reads.wait()
            await subscribe(*races)

        monkeypatch.setattr(both.here.hub.rooms.pubsub, "subscribe", slowly)
        ada.say(Join(race))
        if leaves:
            both.here.hub.leave(ada)
        (mark,) = ISSUERS.marks(me.player)
        await delete(store, me.player, "0123", mark, clock=both.clock)
        if not leaves:
            with pytest.raises(SentAway):
                await ada.until(Reveal)
        reads.set()
        assert (await ada.until(Refused)).code == "token"
        eve, _ = await arrive(both.here, "Eve")
        assert list(await seats(eve, race)) == [he.player]
        await names_nobody(store, me.player, "Ada")


async def test_a_hint_that_takes_long_delays_no_deletion(client: Client, store: Store) -> None:
    async with practising(client, pool := Waiting()) as (app, ada, race):
        eve, she = await arrive(app, "Eve")
        await eve.ask(Create(), Room)
        ada.say(GetHint(race, 0))
        (mark,) = ISSUERS.marks(she.player)
        await delete(store, she.player, "0123", mark, clock=Clock(NOON))
        await names_nobody(store, she.player, "Eve")
        assert len(pool.asked) == 1, "and is not found yet"

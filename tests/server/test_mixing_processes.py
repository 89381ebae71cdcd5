"""Nonces come to several server processes, any of which may die; each is stored first."""

import pytest
from tests.server.guests import Guest, SlowStore, running
from tests.server.stage import NONCE
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Hello,
    Join,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Refused,
    Resume,
    Reveal,
    Room,
    SendNonce,
    Snapshot,
    Watch,
    Welcome,
)
from bigben_rules import nonce_hash
from bigben_server.race.choosing import ALONE_MS, COUNTDOWN_MS, MIXING_MS
from bigben_server.race.events import Nonced, Renewed
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store

OTHER = "ab" * 32


async def arrive(at: App, name: str = "", token: str = "") -> tuple[Guest, Welcome]:
    guest = Guest(at)
    return guest, await guest.ask(Hello(name, token), Welcome)


def promise(race: str, player: PlayerId, nonce: str) -> Ready:
    return Ready(race, nonce_hash=nonce_hash(race, player, bytes.fromhex(nonce)))


async def mixing(ada: Guest, me: Welcome, bob: Guest, him: Welcome) -> RaceId:
    """Ada and Bob have promised nonces, and know that the server waits for them."""
    race = RaceId((await ada.ask(Create(), Room)).race)
    await bob.ask(Join(race), Room)
    ada.say(promise(race, me.player, NONCE))
    bob.say(promise(race, him.player, OTHER))
    for guest in (ada, bob):
        await guest.until(Room, lambda room: room.mixing)
    return race


def has_start(room: Room) -> bool:
    return room.starts_at > 0


async def nonces(store: Store, race: RaceId) -> list[str]:
    return [event.nonce for event in await store.events(race) if isinstance(event, Nonced)]


async def test_a_nonce_is_stored_before_it_is_answered(client: Client) -> None:
    store, clock = SlowStore(client), Clock(NOON)
    async with running(client, clock, store) as app:
        (ada, me), (bob, him) = await arrive(app, "Ada"), await arrive(app, "Bob")
        race = await mixing(ada, me, bob, him)
        store.writes.clear()
        ada.say(SendNonce(race, NONCE, 7))
        await store.asked_to_write.wait()
        assert await nonces(store, race) == []
        store.writes.set()
        await ada.until(Room, lambda room: room.ref == 7)
        assert await nonces(store, race) == [NONCE]


async def test_two_processes_mix_what_has_come_to_either(client: Client) -> None:
    clock = Clock(NOON)
    async with (
        running(client, clock, process="here") as here,
        running(client, clock, process="there") as there,
    ):
        (ada, me), (bob, him) = await arrive(here, "Ada"), await arrive(there, "Bob")
        race = await mixing(ada, me, bob, him)
        ada.say(SendNonce(race, NONCE, 7))
        bob.say(SendNonce(race, OTHER, 7))
        for guest in (ada, bob):
            await guest.until(Room, has_start)
        clock.now += COUNTDOWN_MS
        assert (await ada.until(Snapshot)).piles == (await bob.until(Snapshot)).piles
        for guest in (ada, bob):
            guest.say(Move(race, 1, "resign"))
        reveal = await ada.until(Reveal)
        assert (reveal.nonces, reveal.nonce_states) == ((NONCE, OTHER), ("late", "late"))


async def test_a_process_that_dies_leaves_the_nonces_to_the_next(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock, process="here") as here:
        (ada, me), (bob, him) = await arrive(here, "Ada"), await arrive(here, "Bob")
        race = await mixing(ada, me, bob, him)
        await ada.ask(SendNonce(race, NONCE), Room)
    clock.now += MIXING_MS + ALONE_MS
    async with running(client, clock, process="there") as there:
        bob, _ = await arrive(there, token=him.token)
        bob.say(Resume(race))
        await bob.until(Room, lambda room: room.mixing)
        await bob.ask(SendNonce(race, OTHER), Room)
        bob.say(Watch(race))
        await bob.until(Room, has_start)
    assert await nonces(store, race) == [NONCE, OTHER]


async def test_nobody_comes_back_and_the_race_is_cancelled_and_says_why(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock, process="here") as here:
        (ada, me), (bob, him) = await arrive(here, "Ada"), await arrive(here, "Bob")
        race = await mixing(ada, me, bob, him)
    clock.now += MIXING_MS + ALONE_MS
    async with running(client, clock, process="there") as there:
        carl, _ = await arrive(there, "Carl")
        while (room := await carl.ask(Watch(race), Room)).phase == "countdown":
            clock.now += MIXING_MS
            there.hub.tick()
        assert (room.phase, room.unmixed) == ("cancelled", True)
    renewed = [event for event in await Store(client).events(race) if isinstance(event, Renewed)]
    assert len(renewed) == 1


@pytest.mark.parametrize("version", [3, 4])
async def test_hashes_are_offered_only_if_all_servers_can_read_them(
    client: Client, version: int
) -> None:
    store = Store(client)
    async with running(client, Clock(NOON), store) as app:
        store.version = version
        ada, me = await arrive(app, "Ada")
        assert me.nonce_hashes is (version == 4)
        race = (await ada.ask(Create(), Room)).race
        ada.say(promise(race, me.player, NONCE))
        if version == 3:
            assert (await ada.until(Refused)).code == "busy"
        else:
            assert (await ada.until(Room)).nonce_hashes

"""A race is read again in the middle of a commit: nobody is set back to before it."""

from tests.server.guests import Guest, SlowStore, running
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Diff,
    GetProfile,
    Hello,
    Move,
    Profile,
    RaceId,
    Ready,
    Room,
    Snapshot,
    Welcome,
)
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys


async def listened_to(client: Client, race: RaceId) -> bool:
    """Whether anybody hears of this race."""
    ((_, listeners),) = await client.pubsub_numsub(Keys().news(race))
    return bool(listeners)


async def test_requests_wait_for_appends_under_way(client: Client) -> None:
    store = SlowStore(client)
    async with running(client, Clock(NOON), store, revive=store.ping) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        race = RaceId((await ada.ask(Create(practice=True), Room)).race)
        await ada.ask(Ready(race), Snapshot)

        store.writes.clear()
        ada.say(Move(race, 1, "turn"))
        await store.asked_to_write.wait()
        # The process loses its news, and has to read all that it holds.
        await client.client_kill_filter(_type="pubsub")
        while not await listened_to(client, race):
            pass
        for _ in range(20):  # more round trips than a reading takes
            await ada.ask(GetProfile(), Profile)
        store.writes.set()

        assert (await ada.until(Diff)).n == 1
        assert (await ada.until(Snapshot)).n == 1
        ada.say(Move(race, 2, "turn"))
        assert (await ada.until(Diff)).n == 2

"""A player with seats in open races is deleted while two processes have them, and nobody notices
more than that a deleted player has resigned.
"""

import asyncio
from itertools import count
from typing import Any

import pytest
from tests.server.boards.contents import everything
from tests.server.boards.made import Dies
from tests.server.guests import Guest
from tests.server.stage import NONCE
from tests.server.test_two_processes import CLOSE, DAILY, Two, arrive, two
from tests.support.patience import PATIENCE_S
from tests.support.times import HOUR
from tests.support.torture import often

from bigben_protocol import (
    Create,
    Diff,
    GetRecord,
    Join,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Record,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Standing,
    Watch,
)
from bigben_server.ops.check import damaged
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.delete import Deletion, delete
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.daily import is_daily
from bigben_server.race.state import Race
from bigben_server.rooms import app
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store

GONE = PlayerId("deleted:guest-0123")


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers look at the agenda often."""
    monkeypatch.setattr(app, "AGENDA_S", 0.1)


async def deleted(both: Two, store: Store, player: PlayerId, mark: str = "") -> Deletion:
    return await delete(store, player, "0123", mark, clock=both.clock)


async def started(both: Two, *racers: Guest) -> RaceId:
    """A live race whose clocks run; the first is its host, and the moves so far are none."""
    host, *others = racers
    race = (await host.ask(Create(), Room)).race
    for other in others:
        await other.ask(Join(race), Room)
    for racer in racers:
        racer.say(Ready(race, NONCE))
    for racer in racers:
        await racer.until(Room, lambda room: room.phase == "countdown")
    both.clock.now += COUNTDOWN_MS
    both.clock_there.now = both.clock.now
    for racer in racers:
        await racer.until(Snapshot)
    return race


async def seats(guest: Guest, race: RaceId) -> dict[PlayerId, Standing]:
    room = await guest.ask(Watch(race), Room)
    return {seat.player: seat for seat in room.seats}


async def until_gone(guest: Guest, race: RaceId, player: PlayerId) -> dict[PlayerId, Standing]:
    """The seats as soon as the process of this guest shows the player no more."""
    async with asyncio.timeout(PATIENCE_S):
        while player in (now := await seats(guest, race)):  # noqa: ASYNC110  # it asks
            await asyncio.sleep(0.01)
    return now


async def names_nobody(store: Store, *texts: str) -> None:
    left = repr(await everything(store))
    for text in texts:
        assert text not in left, left[max(0, left.index(text) - 200) : left.index(text) + 100]
    assert [one async for one in damaged(store, SILENT)] == []


@pytest.mark.parametrize("moves", [0, 3])
async def test_in_a_race_that_runs_they_resign_and_the_others_race_on(
    client: Client, store: Store, moves: int
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, he = await arrive(both.there, "Bob")
        race = await started(both, ada, bob)
        for n in range(1, moves + 1):
            await ada.ask(Move(race, n, "turn"), Diff)
        assert (await deleted(both, store, me.player)).instead == GONE

        eve, _ = await arrive(both.here, "Eve")
        for guest in (bob, eve):
            now = await until_gone(guest, race, me.player)
            assert list(now) == [GONE, he.player]
            assert (now[GONE].name, now[GONE].state) == ("deleted player", "resigned")
            assert now[GONE].moves == moves + 1
        assert (await ada.ask(Move(race, moves + 1, "turn"), Refused)).code == "seat"
        await bob.ask(Move(race, 1, "turn"), Diff)
        bob.say(Move(race, 2, "resign"))
        await bob.until(Reveal)
        told = await bob.ask(GetRecord(race, GONE), Record)
        assert [move for _, move in told.moves] == ["turn"] * moves + ["resign"]
        await _recorded(store)
        await names_nobody(store, me.player, "Ada")
        before = await everything(store)
        await rebuild(store)
        assert await everything(store) == before


@pytest.mark.parametrize("hosts", [True, False])
async def test_before_the_start_their_seat_is_free(
    client: Client, store: Store, hosts: bool
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, he = await arrive(both.there, "Bob")
        host, guest = (ada, bob) if hosts else (bob, ada)
        race = (await host.ask(Create(), Room)).race
        await guest.ask(Join(race), Room)
        await deleted(both, store, me.player, "a mark")
        room = await bob.until(Room, lambda room: len(room.seats) == 1)
        assert (room.host, room.phase) == (he.player, "open")
        await until_gone(bob, race, me.player)
        await names_nobody(store, me.player, "Ada")
        assert not Race(race, await store.events(race)).deleted


async def test_if_all_others_are_ready_the_race_starts(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, he = await arrive(both.there, "Bob")
        cat, she = await arrive(both.here, "Cat")
        race = (await bob.ask(Create(), Room)).race
        for guest in (ada, cat):
            await guest.ask(Join(race), Room)
        for guest in (bob, cat):
            guest.say(Ready(race, NONCE))
        await bob.until(Room, lambda room: [s.state for s in room.seats].count("ready") == 2)
        await deleted(both, store, me.player)
        await bob.until(Room, lambda room: room.phase == "countdown")
        both.clock.now += COUNTDOWN_MS
        both.clock_there.now = both.clock.now
        for guest in (bob, cat):
            await guest.until(Snapshot)
        assert {*await seats(bob, race)} == {he.player, she.player}
        await names_nobody(store, me.player, "Ada")


async def test_a_room_in_which_nobody_is_left_is_cancelled(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        race = (await ada.ask(Create(), Room)).race
        await deleted(both, store, me.player)
        eve, _ = await arrive(both.there, "Eve")
        assert (await eve.ask(Watch(race), Room)).phase == "cancelled"
        await names_nobody(store, me.player, "Ada")


async def test_a_countdown_is_waited_for(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        race = (await ada.ask(Create(), Room)).race
        await bob.ask(Join(race), Room)
        for racer in (ada, bob):
            racer.say(Ready(race, NONCE))
        await bob.until(Room, lambda room: room.phase == "countdown")
        deleting = asyncio.create_task(deleted(both, store, me.player))
        await asyncio.sleep(0.3)
        assert not deleting.done()
        both.clock.now += COUNTDOWN_MS
        both.clock_there.now = both.clock.now
        await deleting
        assert (await until_gone(bob, race, me.player))[GONE].state == "resigned"


@pytest.mark.parametrize("played", ["joined", "begun", "over"])
async def test_in_a_daily_their_place_stays_and_nobody_takes_it_again(
    client: Client, store: Store, played: str
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, he = await arrive(both.there, "Bob")
        for guest in (ada, bob):
            await guest.ask(Join(DAILY), Room)
        if played != "joined":
            await ada.ask(Ready(DAILY), Snapshot)
            await ada.ask(Move(DAILY, 1, "turn"), Diff)
        if played == "over":
            await ada.ask(Move(DAILY, 2, "resign"), Diff)
        await deleted(both, store, me.player, "a mark")
        now = await until_gone(bob, DAILY, me.player)
        assert now.keys() == {GONE, he.player}
        assert now[GONE].state == ("joined" if played == "joined" else "resigned")
        await bob.ask(Ready(DAILY), Snapshot)
        await names_nobody(store, me.player, "Ada")
        for guest in (ada, bob):
            assert guest.player
            guest.player = guest.player._replace(marks=("another", "a mark"))
        assert await until_gone(ada, DAILY, me.player)
        if played == "joined":
            await ada.ask(Join(DAILY), Room)
        else:
            assert "before you were deleted" in (await ada.ask(Join(DAILY), Refused)).text
        await bob.ask(Join(DAILY), Room)
        both.clock.now = both.clock_there.now = CLOSE
        await bob.until(Reveal)


async def test_practice_and_a_race_with_a_deadline_end_too(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        practice = (await ada.ask(Create(practice=True), Room)).race
        await ada.ask(Ready(practice), Snapshot)
        deadline = both.clock.now + HOUR
        race = (await ada.ask(Create(limit_ms=HOUR, deadline_at=deadline), Room)).race
        await ada.ask(Ready(race), Snapshot)
        await deleted(both, store, me.player)
        bob, _ = await arrive(both.there, "Bob")
        assert (await until_gone(bob, race, me.player))[GONE].state == "resigned"
        await bob.ask(Join(race), Room)
        await names_nobody(store, me.player, "Ada")


async def _recorded(store: Store) -> None:
    """Wait until every race that has ended is recorded and settled."""
    async with asyncio.timeout(PATIENCE_S):
        while await _unrecorded(store):  # noqa: ASYNC110  # the store tells nobody
            await asyncio.sleep(0.02)


async def _unrecorded(store: Store) -> bool:
    races = [race for race in await store.due() if not is_daily(race)]
    return bool(races or await Ledger(store).next())


async def test_what_was_decided_before_and_is_written_later_is_refused(
    client: Client, store: Store
) -> None:
    """The first entry of a seat's log, and one in the middle."""
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        race = await started(both, ada, bob)
        await both.hold_back(ada, Move(race, 1, "turn"))
        await deleted(both, store, me.player)
        both.store.writes.set()
        assert (await ada.until(Refused)).code == "seat"
        await names_nobody(store, me.player, "Ada")

        cat, she = await arrive(both.here, "Cat")
        await cat.ask(Join(DAILY), Room)
        await both.hold_back(cat, Ready(DAILY))
        await delete(store, she.player, "4567", clock=both.clock)
        both.store.writes.set()
        assert (await cat.until(Refused)).code == "seat"
        await names_nobody(store, she.player, "Cat")


@pytest.mark.longer
async def test_it_may_break_off_anywhere_and_is_started_again(client: Client, store: Store) -> None:
    """Two processes play on meanwhile, and end with the same. It breaks off twice each time."""
    async with two(client) as both:
        dies, ids = Failing(client, 0), list[PlayerId]()
        for at in count(1, often(12, 4)):
            ada, me = await arrive(both.here, "Ada")
            bob, _ = await arrive(both.there, "Bob")
            race = await started(both, ada, bob)
            await ada.ask(Join(DAILY), Room)
            await ada.ask(Ready(DAILY), Snapshot)
            await ada.ask(Move(race, 1, "turn"), Diff)
            ids.append(me.player)
            gone, died = PlayerId(f"deleted:guest-{at}"), 0
            for dies.left in (at, at + 2, 10_000):
                try:
                    await delete(dies, me.player, f"{at}", "m", clock=both.clock)
                except StoreLost:
                    died += 1
                    await bob.ask(Move(race, died, "turn"), Diff)
                    await store.ask(("DEL", "bb:settling"))  # which would expire
                except NotDone:  # at the very end only the lease was left to be given back
                    break
                else:
                    break
            for code in (race, DAILY):
                now = await until_gone(bob, code, me.player)
                assert now[gone].state == "resigned", f"died at {at}"
            bob.say(Move(race, died + 1, "resign"))
            if not died:
                break
        await _recorded(store)
        await names_nobody(store, *ids, "Ada")
        before = await everything(store)
        await rebuild(store)
        assert await everything(store) == before
    assert len(ids) > often(3, 8)


class Failing(Dies):
    """Dies with appends too."""

    async def append(self, appends: Any, agenda: Any) -> Any:
        self.left -= 1
        if self.left <= 0:
            raise StoreLost("died")
        return await super().append(appends, agenda)

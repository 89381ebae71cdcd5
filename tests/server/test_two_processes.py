"""Two processes on one Redis that write at the same moment. What each decides, all see alike."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

import pytest
from tests.server.guests import Guest, SlowStore, running
from tests.server.stage import NONCE
from tests.support.clock import Clock
from tests.support.times import DAY, MIDNIGHT, NOON

from bigben_protocol import (
    ClientMessage,
    Create,
    Diff,
    GetProfile,
    Hello,
    Join,
    Move,
    Profile,
    Progress,
    RaceId,
    Ready,
    Refused,
    Resume,
    Room,
    Snapshot,
    Standing,
    Standings,
    Start,
    Watch,
    Welcome,
)
from bigben_server.race import choosing
from bigben_server.rooms import app
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client

DAILY: Final = RaceId("daily.2026-11-21.bigben.standard")
CLOSE: Final = MIDNIGHT + DAY
"""When its time is up."""


class Two(NamedTuple):
    """Two processes; what one of them writes can be held back."""

    here: App
    there: App
    store: SlowStore
    """Of the one that is ``here``."""
    clock: Clock[int]
    clock_there: Clock[int]

    async def hold_back(self, guest: Guest, *messages: ClientMessage) -> None:
        """Have ``guest``, who is here, say this, and the answer decided and not yet written."""
        self.store.writes.clear()
        guest.say(*messages)
        await self.store.asked_to_write.wait()

    async def hold_back_the_end(self, at: int) -> None:
        """Let it be ``at`` here alone, and what that ends be decided and not yet written."""
        self.store.writes.clear()
        self.clock.now = at  # which the timer sees within a millisecond
        await self.store.asked_to_write.wait()


@asynccontextmanager
async def two(client: Client, now: int = NOON) -> AsyncIterator[Two]:
    store, clock, clock_there = SlowStore(client), Clock(now), Clock(now)
    async with (
        running(client, clock, store, process="here") as here,
        running(client, clock_there, process="there") as there,
    ):
        yield Two(here, there, store, clock, clock_there)


async def arrive(at: App, name: str = "", token: str = "") -> tuple[Guest, Welcome]:
    """A player who has said hello."""
    guest = Guest(at)
    return guest, await guest.ask(Hello(name, token), Welcome)


async def test_a_clock_does_not_start_before_its_seat_is_taken(client: Client) -> None:
    """Another process takes the next seat first, and this one has to take one after it."""
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        await bob.ask(Watch(DAILY), Room)
        await both.hold_back(ada, Join(DAILY), Ready(DAILY))
        await bob.ask(Join(DAILY), Room)
        both.store.writes.set()

        assert (await ada.until(Snapshot)).n == 0
        assert (await ada.ask(Move(DAILY, 1, "turn"), Diff)).n == 1
        for guest in (ada, bob):
            seats = (await guest.ask(Watch(DAILY, ref=1), Room)).seats
            assert {seat.player: seat.state for seat in seats}[me.player] == "playing"


async def test_a_player_who_joins_and_is_ready_at_once_has_the_cards_on_all_devices(
    client: Client,
) -> None:
    async with two(client) as both:
        one, me = await arrive(both.here, "Ada")
        other, _ = await arrive(both.there, token=me.token)
        await other.ask(Watch(DAILY), Room)
        one.say(Join(DAILY), Ready(DAILY))
        assert await other.until(Snapshot) == await one.until(Snapshot)


async def test_events_after_a_seat_that_two_processes_took_are_read_correctly(
    client: Client,
) -> None:
    """Bob's seat is on its way to Redis here when Carl has it there, and is ready."""
    async with two(client) as both:
        ada, _ = await arrive(both.here, "Ada")
        bob, bobs = await arrive(both.here, "Bob")
        carl, carls = await arrive(both.there, "Carl")
        race = RaceId((await ada.ask(Create(), Room)).race)
        await carl.ask(Watch(race), Room)
        await both.hold_back(bob, Join(race, ref=7))
        carl.say(Join(race))
        await carl.ask(Ready(race, NONCE, ref=8), Room)
        for _ in range(20):  # more round trips than the news of Carl take
            await ada.ask(GetProfile(), Profile)
        both.store.writes.set()

        room = await bob.until(Room, lambda room: room.ref == 7)
        states = {seat.player: seat.state for seat in room.seats}
        assert (states[bobs.player], states[carls.player]) == ("joined", "ready")


async def test_a_move_of_which_nobody_told_is_found_while_a_quiet_room_is_compared(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player's seat is as new to the process as the moves in it."""
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        other, _ = await arrive(both.there, token=me.token)
        await bob.ask(Watch(DAILY), Room)
        monkeypatch.setattr(both.there.hub, "_hear", lambda update: None)
        ada.say(Join(DAILY), Ready(DAILY))
        await ada.until(Snapshot)
        for n in (1, 2):
            await ada.ask(Move(DAILY, n, "turn"), Diff)
        both.there.hub.reconcile(DAILY).compare = True
        assert (await other.ask(Resume(DAILY, since=1), Diff)).n == 2


async def test_a_countdown_that_began_on_another_process_ends_on_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timer has nothing else to do until long after the start."""
    monkeypatch.setattr(app, "AGENDA_S", 3_600)
    monkeypatch.setattr(choosing, "COUNTDOWN_MS", 100)
    async with two(client) as both:
        ada, _ = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        race = RaceId((await ada.ask(Create(), Room)).race)
        await bob.ask(Join(race), Room)
        await bob.ask(Ready(race, NONCE), Room)
        ada.say(Ready(race, NONCE))
        room = await bob.until(Room, lambda room: room.phase == "countdown")
        both.clock_there.now = room.starts_at
        await bob.until(Snapshot)
        # Nothing is written then. No other process must look at the race before its end.
        assert race not in await both.store.due(room.starts_at)
        assert race in await both.store.due(room.starts_at + room.rules.limit_ms)


# At the close


async def test_a_race_is_closed_with_the_ends_of_its_seats_whose_news_were_lost(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        eve, _ = await arrive(both.there, "Eve")
        race = RaceId((await ada.ask(Create(), Room)).race)
        await eve.ask(Watch(race), Room)
        ada.say(Ready(race, NONCE), Start(race))
        room = await eve.until(Room, lambda room: room.phase == "countdown")
        both.clock.now = both.clock_there.now = room.starts_at
        await ada.until(Snapshot)
        hear = both.there.hub._hear  # pyright: ignore[reportPrivateUsage]
        monkeypatch.setattr(both.there.hub, "_hear", lambda told: told.statuses or hear(told))
        await ada.ask(Move(race, 1, "resign"), Diff)
        final = await eve.until(Standings)
        assert [(row.player, row.state) for row in final.rows] == [(me.player, "resigned")]


async def closed(guest: Guest) -> dict[str, Standing]:
    """Where the seats stand once a guest is told that the race is closed."""
    room = await guest.until(Room, lambda room: room.phase == "closed")
    return {seat.player: seat for seat in room.seats}


async def test_a_clock_does_not_start_in_a_race_that_another_process_has_closed(
    client: Client,
) -> None:
    async with two(client, CLOSE - 1) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        await bob.ask(Watch(DAILY), Room)
        await ada.ask(Join(DAILY), Room)
        await both.hold_back(ada, Ready(DAILY, ref=7))
        both.clock_there.now = CLOSE
        await closed(bob)
        both.store.writes.set()

        assert (await ada.until(Refused)).ref == 7
        assert (await closed(ada))[me.player].state == "joined"
        assert await both.store.entries(DAILY, me.player) == []


async def test_a_race_is_not_closed_over_a_clock_that_another_process_has_started(
    client: Client,
) -> None:
    async with two(client, CLOSE - 1) as both:
        ada, me = await arrive(both.there, "Ada")
        bob, _ = await arrive(both.here, "Bob")
        await bob.ask(Watch(DAILY), Room)
        await ada.ask(Join(DAILY), Room)
        await bob.until(Progress)
        await both.hold_back_the_end(CLOSE)
        await ada.ask(Ready(DAILY), Snapshot)
        both.store.writes.set()

        for guest in (bob, ada):
            seat = (await closed(guest))[me.player]
            assert (seat.state, seat.moves, seat.ms) == ("timed out", 1, 1)


async def test_a_move_that_was_made_before_the_time_was_up_elsewhere_counts(client: Client) -> None:
    async with two(client, CLOSE - 1) as both:
        ada, me = await arrive(both.there, "Ada")
        bob, _ = await arrive(both.here, "Bob")
        await bob.ask(Watch(DAILY), Room)
        await ada.ask(Join(DAILY), Room)
        await ada.ask(Ready(DAILY), Snapshot)
        await bob.until(Progress, lambda told: told.seats[0].state == "playing")
        await both.hold_back_the_end(CLOSE)
        await ada.ask(Move(DAILY, 1, "turn"), Diff)
        both.store.writes.set()

        for guest in (bob, ada):
            seat = (await closed(guest))[me.player]
            assert (seat.state, seat.moves, seat.ms) == ("timed out", 2, 1)


async def test_nobody_joins_a_race_that_another_process_has_closed(client: Client) -> None:
    async with two(client, CLOSE - 1) as both:
        ada, _ = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        await bob.ask(Watch(DAILY), Room)
        await ada.ask(Watch(DAILY), Room)
        await both.hold_back(ada, Join(DAILY, ref=7))
        both.clock_there.now = CLOSE
        await closed(bob)
        both.store.writes.set()
        room = await ada.until(Room, lambda room: room.ref == 7)
        assert (room.phase, room.seats) == ("closed", ())


async def test_a_room_that_another_process_has_cancelled_does_not_start(client: Client) -> None:
    async with two(client) as both:
        ada, _ = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        race = RaceId((await ada.ask(Create(), Room)).race)
        both.clock_there.now = NOON + DAY - 1
        await bob.ask(Watch(race), Room)
        await both.hold_back(ada, Ready(race, NONCE, ref=7))
        both.clock_there.now = NOON + DAY
        await bob.until(Room, lambda room: room.phase == "cancelled")
        both.store.writes.set()
        assert (await ada.until(Refused)).ref == 7

"""Practice with the cards of a past daily, which counts on no board."""

from collections.abc import AsyncIterator

import pytest
from tests.server.guests import SECRET, Guest, running
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Create,
    GetRecord,
    Hello,
    Join,
    Move,
    Ready,
    Record,
    Refused,
    Reveal,
    Room,
    Rules,
    Snapshot,
    Welcome,
)
from bigben_rules import GAMES, shuffle
from bigben_server.race import daily
from bigben_server.storage.client import Client

PLAYED = "daily.2026-11-21.bigben.book"
UNPLAYED = "daily.2026-11-19.germanclock.1"


@pytest.fixture
def clock() -> Clock[int]:
    return Clock(NOON)


@pytest.fixture
async def ada(client: Client, clock: Clock[int]) -> AsyncIterator[Guest]:
    """Ada, the day after she has played the book's daily."""
    async with running(client, clock) as app:
        guest = Guest(app)
        await guest.ask(Hello("Ada"), Welcome)
        await guest.ask(Join(PLAYED), Room)
        await guest.ask(Ready(PLAYED), Snapshot)
        guest.say(Move(PLAYED, 1, "resign"))
        clock.now += DAY
        app.hub.tick()
        yield guest


async def refusal(guest: Guest, **wanted: object) -> tuple[str, str]:
    create = Create(ref=9, **{"practice": True, **wanted})  # type: ignore[arg-type] # as they come
    refused = await guest.ask(create, Refused)
    assert refused.ref == 9
    return refused.code, refused.text


async def test_the_cards_are_those_of_the_daily(ada: Guest) -> None:
    seed = (await ada.until(Reveal)).seed
    room = await practice_with(ada, PLAYED)
    assert (room.kind, room.rules) == ("practice", Rules(rules="book", undo=True, daily=PLAYED))
    ada.say(Ready(room.race, ref=2))
    shown = await ada.until(Snapshot, lambda told: told.race == room.race)
    ada.say(Move(room.race, 1, "resign"))
    assert (await ada.until(Reveal)).seed == seed
    record = await ada.ask(GetRecord(PLAYED), Record)
    assert record.piles == shown.piles


async def test_a_daily_that_nobody_opened_has_its_cards_too(ada: Guest) -> None:
    room = await practice_with(ada, UNPLAYED)
    assert room.rules == Rules("germanclock", "1", undo=True, daily=UNPLAYED)
    ada.say(Ready(room.race, ref=2), Move(room.race, 1, "resign"))
    which = daily.daily_named(UNPLAYED, NOON)
    seed = bytes.fromhex(daily.opened(which, SECRET).server_seed)
    assert (await ada.until(Reveal, lambda told: told.race == room.race)).seed == seed.hex()
    order = (await ada.ask(GetRecord(room.race), Record)).order
    assert order == shuffle(GAMES["germanclock"].pack, seed)


async def practice_with(guest: Guest, race: str) -> Room:
    guest.say(Create(practice=True, daily=race, ref=1))
    return await guest.until(Room, lambda room: room.ref == 1)


OPEN = "This daily race is still open; you can practise with its cards when its day is over."


@pytest.mark.parametrize(
    ("race", "code", "said"),
    [
        ("daily.2026-11-22.bigben.book", "phase", OPEN),
        (
            "daily.2026-11-23.bigben.book",
            "phase",
            "The daily race of 2026-11-23 opens at 00:00 UTC",
        ),
        ("daily.2025-12-31.bigben.book", "unknown", "The first daily race was that of 2026-01-01."),
        (
            "daily",
            "unknown",
            "Name the daily race with its day, game and rules, like daily.2026-11-22",
        ),
        ("daily.2026-11-20.bigben.survey", "unknown", "Name the daily race with its day"),
        ("daily.2026-11-20.bigben.none", "unknown", "No rules are called"),
        ("daily.2026-11-31.bigben.book", "unknown", "There is no day"),
        ("K7QPXM", "unknown", "A daily race is called"),
    ],
)
async def test_others_are_refused(ada: Guest, race: str, code: str, said: str) -> None:
    told = await refusal(ada, daily=race)
    assert told[0] == code
    assert told[1].startswith(said)


async def test_the_cards_of_a_daily_are_for_practice_alone(ada: Guest) -> None:
    only_practice = ("rules", "The cards of a past daily race are only for practice.")
    assert await refusal(ada, daily=PLAYED, practice=False) == only_practice
    assert (await refusal(ada, daily=PLAYED, seed="5e" * 32))[0] == "seed"

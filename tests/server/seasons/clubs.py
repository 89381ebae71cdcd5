"""A club and its season on a real Redis, by players without sockets. Tests nothing itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from tests.server.guests import Guest
from tests.server.test_two_processes import Two, arrive, two
from tests.support.times import NOON

from bigben_protocol import CreateGroup, Groups, JoinGroup, MakeSeason, Plan, Season, Welcome
from bigben_server.race.events import VERSION
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys

PLAN: Final = Plan("Sunday Club", "2026-11-27", weeks=3)
"""Of weeks that open on Fridays, the first one on the 27th at 18:00 UTC; it is NOON on the 21st."""
HOUR: Final = 3_600_000
OPENS: Final = NOON + 6 * 24 * HOUR + 6 * HOUR
"""When the first week opens."""
CLOSES: Final = OPENS + 72 * HOUR
WEEK: Final = 168 * HOUR


@asynccontextmanager
async def servers(client: Client) -> AsyncIterator[Two]:
    """Two processes, and data as these write them, however late they announce themselves."""
    await client.set(Keys().schema, VERSION)
    async with two(client) as both:
        both.clock_there.now += 1  # who comes there comes later
        yield both


async def club(at: App, plan: Plan = PLAN) -> tuple[Guest, Welcome, str, Season]:
    """Ann, whose club this is, with its code and its season."""
    ann, me = await arrive(at, "Ann")
    (group,) = (await ann.ask(CreateGroup("The Aces"), Groups)).groups
    return ann, me, group.code, await ann.ask(MakeSeason(group.group, plan), Season)


async def member(at: App, name: str, code: str) -> tuple[Guest, Welcome]:
    """A player who has joined the club."""
    guest, me = await arrive(at, name)
    await guest.ask(JoinGroup(code), Groups)
    return guest, me

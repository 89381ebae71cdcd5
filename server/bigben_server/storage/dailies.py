"""What is stored of dailies before they are open: how often dealt again, and the chosen deals.

Every function raises StoreLost if Redis fails.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from typing import Final

import msgspec
from msgspec.structs import replace

from bigben_protocol import Chosen, RaceId
from bigben_rules import commitment
from bigben_server.race.daily import Daily, all_of, opened, seed_of, today
from bigben_server.race.events import Opened, version_of
from bigben_server.storage.client import Connection, Damaged
from bigben_server.storage.race_log import Store


class Prepared(msgspec.Struct, frozen=True):
    """The deal that was chosen for a daily, before it is open; secret until the daily is closed."""

    commitment: str
    """Of the server seed for which it was chosen. If the daily has another one, it is of no use."""
    wanted: str
    """The grade that was looked for, or how else the deal was chosen."""
    chosen: Chosen


_decode: Final = msgspec.json.Decoder(Prepared).decode
_encode: Final = msgspec.json.Encoder().encode


async def dealt_again(store: Connection, day: date) -> int:
    """The counter of a day, which is 0 unless its dailies were dealt again."""
    (counter,) = await store.ask(("HGET", store.keys.dealt, day.isoformat()))
    return int(counter or 0)


async def deal_again(store: Connection, day: date, seconds: int) -> int:
    """Let the dailies of a day be dealt under a higher counter; those that are open stay.

    It is the ``seconds`` of the day at which that happens. The next number could be one that was
    used before: a store that is restored twice has forgotten what the first time added.
    """
    counter = max(seconds, await dealt_again(store, day) + 1)
    await store.ask(("HSET", store.keys.dealt, day.isoformat(), counter))
    return counter


async def first_event(store: Store, which: Daily, secret: bytes) -> Opened:
    """How a daily is opened: with the cards of its day's counter, and the deal that is prepared.

    It has the first deal if none is prepared for its seed, or if older servers still need data in
    which no other is dealt. The first event in the log decides; two processes may disagree here.
    """
    first = opened(which, secret, await dealt_again(store, which.day))
    if prepared := (await prepared_for(store, [first]))[0]:
        chosen = replace(first, chosen=prepared.chosen)
        return chosen if version_of(chosen) <= store.version else first
    return first


async def prepared_for(store: Connection, dailies: Iterable[Opened]) -> list[Prepared | None]:
    """What is prepared for each of these dailies, if it is for its seed."""
    asked = [(daily_id(first), _commitment(first)) for first in dailies]
    if not asked:
        return []
    (found,) = await store.ask(("HMGET", store.keys.dailies, *(race for race, _ in asked)))
    pairs = zip(asked, map(_read, found), strict=True)
    return [one if one and one.commitment == bound else None for (_, bound), one in pairs]


async def seeds_of(store: Connection, day: date, secret: bytes) -> set[bytes]:
    """The seeds of all dailies of a day, of their prepared deals too, whether open or not yet."""
    counter = await dealt_again(store, day)
    dailies = [opened(which, secret, counter) for which in all_of(day)]
    found = zip(dailies, await prepared_for(store, dailies), strict=True)
    chosen = [replace(first, chosen=one.chosen) for first, one in found if one]
    return {seed_of(first) for first in (*dailies, *chosen)}


async def prepare(store: Connection, first: Opened, chosen: Chosen, wanted: str) -> None:
    """Store the deal of a daily that would be opened like this."""
    prepared = _encode(Prepared(_commitment(first), wanted, chosen))
    await store.ask(("HSET", store.keys.dailies, daily_id(first), prepared))


async def ready(store: Connection) -> list[RaceId]:
    """The dailies that are prepared, in order."""
    (found,) = await store.ask(("HKEYS", store.keys.dailies))
    return sorted(RaceId(race.decode(errors="replace")) for race in found)


async def unreadable(store: Connection) -> list[Damaged]:
    """The entries that can't be read. Until they are made again, their dailies are not graded."""
    (found,) = await store.ask(("HGETALL", store.keys.dailies))
    damaged: list[Damaged] = []
    for race, text in sorted(found.items()):
        try:
            _decode(text)
        except msgspec.DecodeError as error:
            damaged.append(Damaged(store.keys.dailies, f"{race.decode(errors='replace')}: {error}"))
    return damaged


async def forget(store: Connection, before: date) -> None:
    """Delete what was prepared for days before this one."""
    first = f"daily.{before}"
    await withdraw(store, [race for race in await ready(store) if race < first])


async def withdraw(store: Connection, races: Sequence[RaceId]) -> None:
    """Delete what was prepared for these dailies. If they are not open, they have no grade then."""
    if races:
        await store.ask(("HDEL", store.keys.dailies, *races))


def daily_id(first: Opened) -> RaceId:
    """The id of a daily that is opened like this."""
    return Daily(today(first.at), first.rules.game, first.rules.rules).id


def _commitment(first: Opened) -> str:
    return commitment(bytes.fromhex(first.server_seed))


def _read(text: bytes | None) -> Prepared | None:
    """None also for what can't be read: the daily is then not graded."""
    with suppress(msgspec.DecodeError):
        return _decode(text) if text else None
    return None

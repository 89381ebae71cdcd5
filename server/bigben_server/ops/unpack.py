"""``unpack``: brings the logs of packed races back, for a version that can't read packed races."""

import argparse
from collections.abc import Sequence
from typing import Final

from bigben_protocol import RaceId
from bigben_server.ops.command import AdminCommand, Argument, Outcome, now_ms, of_races
from bigben_server.ops.long_work import by_size, pool_for, shared
from bigben_server.ops.races import named
from bigben_server.storage.admin import dump, maintenance
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Damaged
from bigben_server.storage.ledger import leased
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.work import AGE_MS
from bigben_server.storage.race_log import Store
from bigben_server.storage.schema import lower
from bigben_server.storage.seasons.logs import SeasonLogs
from bigben_server.tasks import ahead
from bigben_server.thinking.packer import SINCE

_AT_ONCE: Final = 50
_FEW: Final = 500
"""So many races are unpacked in less time than other processes need to start."""
_IN_THE_WAY: Final = "another command was unpacking it, or some of its logs are there too"


async def _unpack(store: Store, options: argparse.Namespace) -> Outcome:
    if options.all == bool(options.race):
        raise NotDone("name a race, or say --all")
    if options.all:
        return await _unpack_all(store, options)
    race = (await named(store, options.race)).id
    if not await Swaps(store).unpack(race, now_ms() + AGE_MS):
        return Outcome(f"{race} is not packed.", {"race": race, "unpacked": 0})
    text = f"{race} is unpacked. A server that runs packs it again in about an hour."
    return Outcome(text, {"race": race, "unpacked": 1})


async def _unpack_all(store: Store, options: argparse.Namespace) -> Outcome:
    """If it is interrupted, call it again: what is unpacked stays so."""
    if await maintenance.servers(store):
        raise NotDone("server processes are running, which pack races again; stop every server")
    async with leased(store, store.keys.packer, wait=True):
        packed = await dump.packed_races(store)
        unread: list[Damaged] = []
        async with pool_for(len(packed) if store.url else 0, few=_FEW) as pool:
            sizes = await dump.sizes(store, [*map(store.keys.packed, packed)])
            parts, done = by_size(packed, sizes, _AT_ONCE), 0
            work, numbers = (shared(pool, store, _some, some) for some in parts), map(len, parts)
            async for damaged in ahead(work, 2 * pool.size):
                unread += damaged
                done += next(numbers)
                options.progress.show("Packed races", done, len(packed))
        left = await dump.packed_races(store)
        unpacked = len({*packed} - {*left})
        said, facts = f"{of_races(unpacked)} unpacked.", {"unpacked": unpacked}
        if left:
            why = {damaged.key: str(damaged) for damaged in unread}
            keys = map(store.keys.packed, left)
            still = [why.get(key, f"{key}: {_IN_THE_WAY}") for key in keys]
            lines = "\n".join(f"{one}." for one in still)
            text = f"{said} Still packed:\n{lines}\nOlder versions can't use the data."
            return Outcome(text, {**facts, "damaged": still}, done=False)
        if tied := len(await Aliases(store).all()):
            text = f"{said} Older versions can't use the data: {tied} players are tied to others."
            return Outcome(text, {**facts, "tied": tied}, done=False)
        if seasons := len(await SeasonLogs(store).all()):
            text = f"{said} Older versions can't use the data: {seasons} seasons are stored."
            return Outcome(text, {**facts, "seasons": seasons}, done=False)
        if store.version >= SINCE and not await lower(store, SINCE - 1):
            raise NotDone(
                f"{said} A server has just run or still runs: stop it, and call this again"
            )
    text = f"{said} The data are of version {store.version}: start servers that read it."
    return Outcome(text, {**facts, "version": store.version})


async def _some(store: Store, races: Sequence[RaceId]) -> list[Damaged]:
    """Unpack these races, perhaps in another process; returns what can't be read."""
    unread: list[Damaged] = []
    for race in races:
        try:
            await Swaps(store).unpack(race, 0)
        except Damaged as damaged:
            unread.append(damaged)
    return unread


COMMANDS: Final = (
    AdminCommand(
        "unpack",
        "bring the logs of packed races back, as versions before 5 of the data have them",
        _unpack,
        (
            Argument("race", "a room's code, or daily.2026-11-21.bigben.standard", {"nargs": "?"}),
            Argument(
                "--all",
                "all races, and lower the version of the data; stop every server first",
                {"action": "store_true"},
            ),
        ),
    ),
)

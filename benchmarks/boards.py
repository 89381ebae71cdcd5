"""Measures what boards cost, with a million results in Redis.

    python -m benchmarks.boards [--results 1000000]

It starts its own Redis in a temporary folder, and loads days of 10,000 results each, which it
records, closes and settles like a server. Then it prints how long a single client waits. Redis does
not sync while it loads, and syncs every write while it measures.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from bigben_protocol import GetLeaderboard, GetProfile, PlayerId, RaceId
from bigben_server.leaderboards.queries import Queries
from bigben_server.leaderboards.settler import Settler
from bigben_server.race.events import Player
from bigben_server.scoring.results import Finish, RaceSummary, Result
from bigben_server.storage.client import chunks
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.exchange import Command
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.opening import client_of
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

A_DAY: Final = 10_000
FIRST_DAY: Final = date(2026, 1, 1)
NOW: Final = 1_795_262_400_000
ROUNDS: Final = 300
GROUP_EVERY: Final = 50
"""One of this many players is in a group."""


class Counting(Store):
    """A store that counts its round trips."""

    trips = 0

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        self.trips += bool(commands)
        return await super().ask(*commands, raise_on_error=raise_on_error)


def finishes(day: date, players: list[int], chance: random.Random) -> list[Finish]:
    """A day on which half of the players win."""
    race = RaceId(f"daily.{day}.bigben.standard")
    raced = RaceSummary("daily", "bigben", "standard", day.isoformat())
    made = []
    for player in players:
        ms = chance.randrange(90_000, 1_800_000)
        home = 104 if chance.random() < 0.5 else chance.randrange(20, 100)
        how = Result("won" if home == 104 else "blocked", 160, home, ms, ms, NOW + ms)
        made.append(Finish(race, raced, name(player), f"Player {player}", how))
    return made


def name(player: int) -> PlayerId:
    return PlayerId(f"guest:{player:024x}")


async def used(store: Store) -> int:
    """The memory that Redis uses, in bytes."""
    (info,) = await store.ask(("INFO", "memory"))
    return int(info["used_memory"])


async def load(store: Store, results: int, chance: random.Random) -> list[PlayerId]:
    """Load results of half as many players. Return the players of the last day."""
    boards, ledger, people = Boards(store), Ledger(store), People(store)
    settler = Settler(boards, ledger)
    everyone = range(max(A_DAY, results // 2))
    for some in chunks(everyone[::GROUP_EVERY], 500):
        who = (Player(name(n), "", frozenset({f"guest:{n // GROUP_EVERY % 40}"})) for n in some)
        await asyncio.gather(*(people.introduce(player, NOW) for player in who))
    begun = time.perf_counter()
    settling = 0.0
    made: list[Finish] = []
    for n in range(results // A_DAY):
        made = finishes(FIRST_DAY + timedelta(days=n), chance.sample(everyone, A_DAY), chance)
        await boards.record(made)
        await ledger.close(made[0].race)
        closed = time.perf_counter()
        await settler.settle()
        settling += time.perf_counter() - closed
    took = time.perf_counter() - begun
    print(f"loaded in {took:.0f} s; settling a day of {A_DAY:,}: ", end="")
    print(f"{settling / (results // A_DAY):.2f} s")
    return [finish.player for finish in made]


async def fill(data: Path, results: int) -> None:
    """Load results into the embedded Redis of a data folder."""
    async with EmbeddedRedis(data) as url, client_of(url) as client:
        store = Store(client)
        await store.ask(("CONFIG", "SET", "appendfsync", "no"))
        await load(store, results, random.Random(1))


async def timed(label: str, store: Counting, once: Callable[[], Awaitable[object]]) -> None:
    """Print the p50 and p99 of the time of ``once``, and its round trips."""
    await once()
    store.trips = 0
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        await once()
        times.append(1000 * (time.perf_counter() - begun))
    times.sort()
    p50, p99 = times[ROUNDS // 2], times[ROUNDS * 99 // 100]
    print(f"{label:<44} {p50:8.2f} {p99:8.2f} {store.trips / ROUNDS:6.1f}")


async def measure(
    store: Counting, chance: random.Random, results: int, somebody: list[PlayerId]
) -> None:
    """Print the figures."""
    last = FIRST_DAY + timedelta(days=results // A_DAY - 1)
    desk = Queries(store, clock=lambda: NOW)

    def page(**wanted: Any) -> Callable[[], Awaitable[object]]:
        question = GetLeaderboard(**wanted)
        return lambda: desk.leaderboard(chance.choice(somebody), question)

    print(f"\n{'':<44} {'ms, p50':>8} {'p99':>8} {'trips':>6}")
    on = last.isoformat()
    await timed("daily, first page of 20", store, page(date=on))
    await timed("daily, page of 100 in the middle", store, page(date=on, start=5_000, count=100))
    await timed("daily, around me", store, page(date=on, around=True))
    await timed("daily, a group", store, page(date=on, group="guest:7"))
    await timed("week by points, around me", store, page(date=on, period="weekly", around=True))
    await timed("all time by points, first page", store, page(period="all-time"))
    deep = page(period="all-time", start=results // 4, count=100)
    await timed("all time by points, 100 rows, deep", store, deep)
    await timed("all time by rating, around me", store,
                page(period="all-time", by="rating", around=True))  # fmt: skip
    await timed("profile with head to head", store,
                lambda: desk.profile(somebody[0], GetProfile(against=somebody[1])))  # fmt: skip
    boards, numbers = Boards(store), iter(range(10**9, 2 * 10**9))
    day = last + timedelta(days=1)
    await timed("a finish, durable and on its boards", store,
                lambda: boards.record(finishes(day, [next(numbers)], chance)))  # fmt: skip


async def main(results: int) -> None:
    """Load, measure, print."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedRedis(Path(folder) / "data") as url, client_of(url) as client:
            store = Counting(client)
            await store.ask(("CONFIG", "SET", "appendfsync", "no"))
            before = await used(store)
            last_day = await load(store, results, chance)
            size = await used(store) - before
            print(f"{results:,} results: {size / 2**20:.0f} MiB, {size / results:.0f} bytes each")
            await store.ask(("CONFIG", "SET", "appendfsync", "always"))
            await measure(store, chance, results, last_day)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--results", type=int, default=1_000_000, help="how many to load")
    asyncio.run(main(max(A_DAY, parser.parse_args().results)))

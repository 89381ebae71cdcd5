"""Measures what a race takes in Redis: as it was played, packed, and what else stays of it.

    python -m benchmarks.packing [--races 1000]

It starts its own Redis in a temporary folder. House players of Big Ben play games of 120 to 180
moves in rooms of four, and a few races of each other game. Their entries are written like those of
a server, decision by decision; results are recorded, settled, and the races packed. Bytes are what
Redis says that a key takes, for each seat.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.driver.races import NOON, Racing, raced
from bigben_protocol import PlayerId
from bigben_rules import GAMES
from bigben_server.leaderboards.recorder import finishes_of, record
from bigben_server.leaderboards.settler import Settler
from bigben_server.race.events import Player
from bigben_server.storage.client import chunks
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.opening import client_of
from bigben_server.storage.packing.work import AGE_MS
from bigben_server.storage.race_log import Store
from bigben_server.thinking import packer
from bigben_server.thinking.pool import Pool

SEATS: Final = 4
MOVES: Final = range(120, 181)
"""Of a game of Big Ben."""
ANY: Final = range(1, 400)
OTHERS: Final = 20
"""Races of each other game."""
PLAYERS: Final = 60
_TOGETHER: Final = 20
_EVERY_MS: Final = 600_000

_Sizes = Counter[str]


async def stored(store: Store, races: Sequence[Racing]) -> None:
    """Write what these races have written, as it came, and their results."""
    for decisions in zip_longest(*(one.written for one in races), fillvalue=()):
        refused = await store.append([append for some in decisions for append in some], {})
        assert not refused, refused
    settler = Settler(Boards(store), Ledger(store))
    for one in races:
        finishes = finishes_of(one.race, one.race.seats.values())
        await record(store, settler, finishes, one.race)
    await settler.settle()


async def bytes_of(store: Store, keys: Iterable[str]) -> int:
    found = await store.ask(*(("MEMORY", "USAGE", key, "SAMPLES", 0) for key in keys))
    return sum(size or 0 for size in found)


async def sizes(store: Store, races: Sequence[Racing]) -> list[_Sizes]:
    """The bytes of each race, all of its seats together."""
    keys, found = store.keys, list[_Sizes]()
    for one in races:
        race = one.race.id
        logs = [keys.log(race, player) for player in (None, *one.race.seats)]
        found.append(
            Counter(
                logs=await bytes_of(store, logs),
                packed=await bytes_of(store, [keys.packed(race)]),
                results=await bytes_of(store, [keys.results(race)]),
            )
        )
    return found


async def measured(store: Store, game: str, count: int, moves: range, chance: Random) -> None:
    """Play, store and pack races of one game, and print a row."""
    await store.client.flushall()
    people = [
        Player(PlayerId(f"guest:{chance.randbytes(12).hex()}"), f"Player {n}")
        for n in range(PLAYERS)
    ]
    races, before = list[Racing](), list[_Sizes]()
    for numbers in chunks(range(count), _TOGETHER):
        some = [
            raced(game, chance.sample(people, SEATS), chance, NOON + n * _EVERY_MS, moves=moves)
            for n in numbers
        ]
        await stored(store, some)
        before += await sizes(store, some)
        races += some
    began, now = perf_counter(), max(one.now for one in races) + AGE_MS
    await packer.Packer(store, Pool(0), lambda: now).look()
    took = perf_counter() - began
    after = await sizes(store, races)
    history = await bytes_of(store, (store.keys.history(one.id) for one in people))
    entries = sum(seat.status.moves for one in races for seat in one.race.seats.values())
    rows = [
        entries / count / SEATS,
        *(
            median(each[what] for each in some) / SEATS
            for some, what in ((before, "logs"), (after, "packed"))
        ),
        median(each["results"] for each in after) / SEATS,
        history / count / SEATS,
        1000 * took / count / SEATS,
    ]
    assert not any(each["logs"] for each in after), "all races are packed"
    print(f"{game:<18}" + "".join(f"{one:>10,.0f}" for one in rows[:-1]) + f"{rows[-1]:>10.1f}")


async def run(races: int) -> None:
    packer.REST = 0  # type: ignore[misc] # nobody plays meanwhile
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedRedis(Path(folder) / "data") as url, client_of(url) as client:
            store, chance = Store(client), Random(1)
            await store.ask(("CONFIG", "SET", "appendfsync", "no"))
            heads = ("moves", "logs", "packed", "results", "history", "ms")
            print(f"{'a seat of':<18}" + "".join(f"{head:>10}" for head in heads))
            await measured(store, "bigben", races, MOVES, chance)
            for game in GAMES:
                if game != "bigben":
                    await measured(store, game, min(OTHERS, races), ANY, chance)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.packing")
    parser.add_argument("--races", type=int, default=100, help="of Big Ben (default: 100)")
    asyncio.run(run(parser.parse_args().races))


if __name__ == "__main__":
    main()

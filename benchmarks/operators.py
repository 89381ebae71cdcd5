"""Measures how long operators wait for export, check and rebuild-boards.

    python -m benchmarks.operators [--races 2000]

It starts its own Redis in a temporary folder and fills it with races of two players, who play like
chance and resign after 150 moves. The races are copies of some that are played here, each with
players of its own. A game is one seat of a race. The CPU is that of this process and of those that
it starts.
"""

import argparse
import asyncio
import gc
import random
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from bigben_protocol import Join, PlayerId, RaceId, Ready, Rules
from bigben_server.leaderboards.recorder import finishes_of
from bigben_server.leaderboards.settler import Settler
from bigben_server.ops import check
from bigben_server.ops.export import exported
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.rebuild import rebuild
from bigben_server.race import timers
from bigben_server.race.deciding import decide
from bigben_server.race.decisions import Request
from bigben_server.race.events import Opened, Player, RoomAppend, SeatAppend
from bigben_server.race.state import Race
from bigben_server.storage.client import chunks
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.entries import entry_of
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

NOW: Final = 1_795_262_400_000
HOUR_MS: Final = 3_600_000
MOVES: Final = 150
PLAYED: Final = 50
"""Races that differ in more than their names."""
SEATS: Final = 2
PLAYERS: Final = 500
_AT_ONCE: Final = 20
_KEYS: Final = Keys()


class _Played(NamedTuple):
    """A race that was played here."""

    race: Race
    written: list[Command]
    """The commands that write its logs."""


def played(name: str, chance: random.Random) -> _Played:
    """A race that is over, by chance."""
    players = [Player(PlayerId(f"guest:{name}{n}"), f"Player {n}") for n in range(SEATS)]
    seed, closes_at = chance.randbytes(32).hex(), NOW + HOUR_MS
    first = Opened("deadline", Rules(), seed, NOW, players[0].id, closes_at)
    race, now = Race(RaceId(name), [first]), NOW
    appends: list[Any] = [RoomAppend(race.id, 1, first)]
    for player in players:
        appends += decide(race, Request(Join(race.id), player), now).appends
        race.durable = race.event_count
        appends += decide(race, Request(Ready(race.id), player), now).appends
        seat = race.seats[player.id]
        while not seat.over:
            assert seat.play is not None, "Ready has begun it"
            now += chance.randrange(100, 2_000)
            ends = seat.play.n >= MOVES
            appends.append(
                race.play(seat, "resign" if ends else chance.choice(seat.play.legal), now)
            )
    appends += timers.tick(race, closes_at)
    assert race.ended, "all seats are over"
    made = (one for one in appends if isinstance(one, SeatAppend | RoomAppend))
    return _Played(race, [("XADD", _log(one), *entry_of([one])) for one in made])


def _log(append: SeatAppend | RoomAppend) -> str:
    return _KEYS.log(append.race, append.player if isinstance(append, SeatAppend) else None)


def copied(one: _Played, race: RaceId, players: Sequence[PlayerId]) -> list[Command]:
    """The commands that write the logs of a copy of this race."""
    names: dict[str, str] = {
        f"{{{one.race.id}}}": f"{{{race}}}",
        **dict(zip(one.race.seats, players, strict=True)),
    }

    def renamed(word: str | bytes | float) -> str:
        text = str(word)
        for old, new in names.items():
            text = text.replace(old, new)
        return text

    return [tuple(map(renamed, command)) for command in one.written]


async def load(store: Store, races: int, chance: random.Random) -> float:
    """Store races, recorded, closed and settled like those of a server.

    Return how many moves a game has on average.
    """
    boards, ledger = Boards(store), Ledger(store)
    some = [played(f"P{n:05}", chance) for n in range(min(PLAYED, races))]
    for numbers in chunks(range(races), _AT_ONCE):
        written: list[Command] = []
        finishes = []
        for n in numbers:
            one, race = some[n % len(some)], RaceId(f"R{n:05}")
            players = [PlayerId(f"guest:{p:024x}") for p in chance.sample(range(PLAYERS), SEATS)]
            written += copied(one, race, players)
            called = dict(zip(one.race.seats, players, strict=True))
            for finish in finishes_of(one.race, one.race.seats.values()):
                finishes.append(finish._replace(race=race, player=called[finish.player]))
        await store.ask(*written)
        await boards.record(finishes)
        await store.ask(*(("ZADD", _KEYS.closed, n, f"R{n:05}") for n in numbers))
    await Settler(boards, ledger).settle()
    seats = [seat for one in some for seat in one.race.seats.values()]
    return sum(seat.status.moves for seat in seats) / len(seats)


async def export(store: Store) -> None:
    with tempfile.TemporaryFile("w") as file:
        async for line in exported(store):
            file.write(line)


async def check_all(store: Store) -> None:
    damaged = [str(one) async for one in check.damaged(store, SILENT)]
    assert not damaged, damaged


async def rebuild_all(store: Store) -> None:
    await rebuild(store)


async def measured(store: Store, what: Callable[[Store], Awaitable[None]]) -> str:
    """What it took, in words."""
    gc.collect()
    gc.freeze()  # what it took to load the races is no work for the collector
    redis, ours, began = await _redis_s(store), _ours_s(), time.monotonic()
    await what(store)
    wall, ours = time.monotonic() - began, _ours_s() - ours
    return (
        f"{wall:.2f} s, of them {ours:.2f} s CPU; Redis {await _redis_s(store) - redis:.2f} s CPU"
    )


def _ours_s() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


async def _redis_s(store: Store) -> float:
    (about,) = (await store.everywhere("INFO", "cpu")).values()
    return float(about["used_cpu_user"]) + float(about["used_cpu_sys"])


async def main(races: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedRedis(Path(folder)) as url, client_of(url) as client:
            store = Store(client)
            store.url = url
            # Only while it loads: a server never runs like this.
            await store.everywhere("CONFIG", "SET", "appendfsync", "no")
            moves = await load(store, races, random.Random(1))
            await store.everywhere("CONFIG", "SET", "appendfsync", "always")
            print(f"{races} races, {races * SEATS} games, {moves:.0f} moves each", flush=True)
            for what in (rebuild_all, export, check_all):
                print(f"{what.__name__}: {await measured(store, what)}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--races", type=int, default=2_000)
    asyncio.run(main(parser.parse_args().races))

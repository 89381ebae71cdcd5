"""Fills a store with years of races, as servers leave them behind when all are settled."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from multiprocessing import get_context
from os import cpu_count
from random import Random
from typing import Final, NamedTuple, TypeVar

from benchmarks.years import playing
from benchmarks.years.copies import Order, Template
from bigben_protocol import PlayerId, RaceId
from bigben_server.ops.long_work import Progress
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.daily import today
from bigben_server.race.events import Player
from bigben_server.race.lobby import new_code
from bigben_server.scoring.results import Finish
from bigben_server.storage.client import chunks
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.packing.value import pack
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.tasks import ahead

DAILIES: Final = ("bigben", "grandfathersclock")
"""Everybody plays these every day."""
ROOMS_A_WEEK: Final = 18
"""In so many live rooms of Big Ben everybody plays in a week."""
TABLE: Final = 4
"""Players in a room."""
YEAR: Final = 365
A_DAY: Final = len(DAILIES) + ROOMS_A_WEEK / 7
"""Games of a player."""
_DAILIES: Final = 2
"""Dailies of each game that are played here."""
_ROOMS: Final = 60
"""Rooms that are played here."""
_AT_ONCE: Final = 20
_CLUB: Final = "discord:1122334455667788990"
_MEMBERS: Final = 50
"""Only so many players are in the club, a group with boards of its own."""


_Given = TypeVar("_Given")
_Answer = TypeVar("_Answer")


class Plan(NamedTuple):
    """How much is stored."""

    games: int
    """Seats that were played."""
    players: int
    packed: bool


_NAMES: Final = ("Ada", "Bob", "Carla", "Dmitri", "Eve Online", "Françoise", "Gus", "Hildegard")
_KEYS: Final = Keys()


async def fill(store: Store, plan: Plan, progress: Progress) -> None:
    """Fill an empty store. Raises StoreLost."""
    people = [_person(n) for n in range(plan.players)]
    for one in people:
        await People(store).introduce(one, playing.BEGINS)
    templates = await _played(plan, progress)
    orders, done = [*_orders(templates, people, plan)], 0
    with _pool(_begin, templates, plan.packed) as pool:
        work = (_asked(pool, _copied, some) for some in chunks(orders, _AT_ONCE))
        async for commands, finishes in ahead(work, 2 * _cores()):
            progress.show("Races", done, len(orders))
            await store.ask(*commands)
            await Boards(store).record(finishes)
            races = dict.fromkeys(one.race for one in finishes)
            numbered = [str(word) for n, race in enumerate(races, done) for word in (n, race)]
            await store.ask(("ZADD", _KEYS.closed, *numbered))
            done += len(races)
    await rebuild(store, progress)
    upto = [("SET", _KEYS.packed_upto, done)] if plan.packed else []
    await store.ask(("SET", _KEYS.schema, store.version), *upto)


def _person(n: int) -> Player:
    """The members of the club come from Discord, and half of the others."""
    chance, is_member = Random(n), n < _MEMBERS
    is_guest = not is_member and n % 2
    issued = f"guest:{chance.randbytes(12).hex()}", f"discord:{chance.randrange(10**18, 10**19)}"
    groups = frozenset({_CLUB}) if is_member else None
    return Player(PlayerId(issued[not is_guest]), f"{chance.choice(_NAMES)} {n}", groups)


async def _played(plan: Plan, progress: Progress) -> list[Template]:
    """Play the races of which copies are dealt out."""
    wanted = [("daily", game, plan.players, n) for game in DAILIES for n in range(_DAILIES)]
    wanted += [("room", "bigben", TABLE, n) for n in range(min(_ROOMS, 1 + plan.games // 8))]
    found: list[Template] = []
    with _pool(_begin, [], plan.packed) as pool:
        async for one in ahead((_asked(pool, _play, one) for one in wanted), 2 * _cores()):
            progress.show("Games to copy", len(found), len(wanted))
            found.append(one)
    return found


def _play(wanted: tuple[str, str, int, int]) -> Template:
    kind, game, seats, number = wanted
    chance = Random(f"{kind} {game} {number}")
    return Template.of((playing.daily if kind == "daily" else playing.room)(game, seats, chance))


def _orders(templates: Sequence[Template], people: Sequence[Player], plan: Plan) -> Iterator[Order]:
    """The copies, day after day."""
    chance, left, day, due = Random(1), plan.games, 0, 0.0
    rooms = range(len(DAILIES) * _DAILIES, len(templates))
    while left > 0:
        on = today(playing.BEGINS) + timedelta(days=day)
        for k, game in enumerate(DAILIES):
            race = RaceId(f"daily.{on}.{game}.standard")
            everybody = chance.sample(people, len(people))
            yield Order(k * _DAILIES + day % _DAILIES, race, everybody, day)
        due += len(people) * ROOMS_A_WEEK / 7 / TABLE
        for _ in range(int(due)):
            code = new_code(chance.randbytes)
            yield Order(chance.choice(rooms), code, chance.sample(people, TABLE), day)
        left -= len(DAILIES) * len(people) + TABLE * int(due)
        due, day = due % 1, day + 1


# In a process of the pool

_Written = tuple[list[Command], list[Finish]]
_all: list[Template] = []
_packed = True


def _begin(templates: list[Template], packed: bool) -> None:
    global _packed
    _all[:], _packed = templates, packed


def _copied(orders: Sequence[Order]) -> _Written:
    """The commands that write the logs of these copies, and their results."""
    commands: list[Command] = []
    finishes: list[Finish] = []
    for order in orders:
        template = _all[order.template]
        logs, race = template.logs(order), order.race
        finishes += template.finished(order)
        if _packed:
            commands.append(("SET", _KEYS.packed(race), pack(race, logs)))
        else:
            commands += [
                ("XADD", _KEYS.log(race, player), id_, *words)
                for player, log in logs.items()
                for id_, words in log
            ]
    return commands, finishes


def _pool(begin: Callable[..., object], *given: object) -> ProcessPoolExecutor:
    spawn = get_context("spawn")
    return ProcessPoolExecutor(_cores(), mp_context=spawn, initializer=begin, initargs=given)


def _cores() -> int:
    return cpu_count() or 1


async def _asked(
    pool: ProcessPoolExecutor, work: Callable[[_Given], _Answer], given: _Given
) -> _Answer:
    return await asyncio.get_running_loop().run_in_executor(pool, work, given)

"""Prints what larger setups carry, from what the benchmark has measured on one machine.

    python -m benchmarks idle workers growth
    python -m benchmarks.scaling build/bench.json

Give several files if the scenarios were measured one by one. The tables are those of
docs/scaling.md, which says what they leave out.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.scenarios.report import Rows
from bigben_server.rooms.followers.crowd import PERIOD_S
from bigben_server.transport.websocket import PING_S

FULL: Final = 0.6
"""A core that is busier than this answers late. Capacities leave the rest idle."""
SECONDS_A_MOVE: Final = 2.0
"""How often a person moves."""
MOVES_A_GAME: Final = 160
AT_A_TABLE: Final = 4
"""Players of a live race."""
SPREAD: Final = 0.1
"""The share of live races whose players are on any worker: those of clients that do not name the
race, or play several at once."""
ENDS_A_SECOND: Final = 1 / PERIOD_S
"""How often at most a process tells all followers of a daily that seats are over."""
MACHINES: Final = (4, 8, 16)
"""Cores of one machine that runs the workers and Redis."""
CLUSTERS: Final = (3, 6)
"""Masters of a Redis Cluster."""
SEAT_PACKED: Final = 560
"""Bytes of Redis for a seat of a packed race with so many moves: ``python -m benchmarks.packing``
measures 464 with 130."""
FOLLOWERS: Final = 10_000
CONNECTIONS: Final = 100_000
RESULTS: Final = 10_000_000
_decode: Final = msgspec.json.Decoder(dict[str, dict[str, dict[str, float]]]).decode


class NotMeasured(ValueError):
    """A file of figures lacks something; the text says how to measure it."""


_STEPS: Final = (
    "a connection with its Hello",
    "a watcher of a daily of 100",
    "a follower told of an end",
    "a seat in a live race",
    "a move",
    "a result",
    "an update to a peer",
)
_WORKERS: Final = (
    "1 worker, saturated",
    "2 workers, saturated",
    "4 workers, saturated",
    "2 workers, race not named, saturated",
    "1 worker, daily",
    "4 workers, daily",
)


@dataclass(frozen=True)
class Inputs:
    """What was measured. Times in us of CPU, sizes in bytes."""

    move_us: float
    redis_us: float
    wire_bytes: float
    move_file: float
    """In the append-only file until Redis rewrites it."""
    home_us: float
    """What a move costs more on many workers, although all players of its race are on one."""
    home_redis_us: float
    """Of Redis for a move on many workers."""
    relay_us: float
    """Of another worker that has players of the race, for each move."""
    row_us: float
    """The same in a race of thousands."""
    update_us: float
    """Of Redis, for each worker that it tells of a move."""
    connect_us: float
    join_us: float
    join_bytes: float
    told_us: float
    idle_us: float
    """A connection in a race, each second."""
    idle_bytes: float
    hello_bytes: float
    kept_move_bytes: float
    """Memory of the server for a move of a game that goes on."""
    seat_stored: float
    move_stored: float
    result_stored: float

    @classmethod
    def of(cls, found: Mapping[str, Rows]) -> "Inputs":
        """The inputs in the JSON of the benchmark. Raises NotMeasured."""
        steps = (_row(found, "growth", name) for name in _STEPS)
        connect, join, told, seat, move, result, update = steps
        one, two, four, spread, daily, daily_of_four = (
            _row(found, "workers", name) for name in _WORKERS
        )
        in_race = _row(found, "idle", "json, in a race")
        return cls(
            move_us=one["server_us"],
            redis_us=one["redis_us"],
            wire_bytes=one["sent_bytes"] + one["received_bytes"],
            move_file=move["file_bytes"],
            home_us=max(0.0, four["server_us"] - one["server_us"]),
            home_redis_us=four["redis_us"],
            relay_us=max(0.0, spread["server_us"] - two["server_us"]) / others(2),
            row_us=max(0.0, daily_of_four["server_us"] - daily["server_us"]) / 3,
            update_us=update["redis_us"],
            connect_us=connect["server_us"],
            join_us=join["server_us"],
            join_bytes=join["wire_bytes"],
            told_us=told["server_us"],
            idle_us=in_race["us_per_second"],
            idle_bytes=in_race["memory_KiB"] * 1024,
            hello_bytes=_row(found, "idle", "json, after Hello")["memory_KiB"] * 1024,
            kept_move_bytes=move["server_bytes"],
            seat_stored=seat["redis_bytes"],
            move_stored=move["redis_bytes"],
            result_stored=result["redis_bytes"],
        )


def others(workers: int, players: int = AT_A_TABLE) -> float:
    """How many workers, besides that of a player who moves, have players of the same race, if its
    players are on any worker.
    """
    return (workers - 1) * (1 - (1 - 1 / workers) ** (players - 1))


@dataclass(frozen=True)
class Setup:
    """Workers with a core for each of them, and masters of Redis with a core for each."""

    name: str
    workers: int
    masters: int = 1

    def player_us(self, inputs: Inputs) -> float:
        """What a player costs the workers, each second."""
        elsewhere = SPREAD * inputs.relay_us * others(self.workers)
        home = inputs.home_us if self.workers > 1 else 0.0
        return (inputs.move_us + home + elsewhere) / SECONDS_A_MOVE + inputs.idle_us

    def redis_us(self, inputs: Inputs) -> float:
        """What a player costs each master, each second. In a cluster each has its share of races,
        and of the channels of workers.
        """
        move = inputs.home_redis_us if self.workers > 1 else inputs.redis_us
        updates = SPREAD * inputs.update_us * others(self.workers)
        return (move + updates) / self.masters / SECONDS_A_MOVE

    def players(self, inputs: Inputs) -> float:
        """How many players of live races it carries."""
        workers = self.workers / self.player_us(inputs)
        return FULL * 1e6 * min(workers, 1 / self.redis_us(inputs))

    def full_first(self, inputs: Inputs) -> str:
        """What is full at that number."""
        workers = self.workers / self.player_us(inputs)
        return "workers" if workers < 1 / self.redis_us(inputs) else "Redis"


def enough_workers(inputs: Inputs, name: str, masters: int = 1) -> Setup:
    """As many workers as Redis can keep up with."""
    setups = (Setup(name, workers, masters) for workers in count(1))
    return next(setup for setup in setups if setup.full_first(inputs) == "Redis")


def setups(inputs: Inputs) -> list[Setup]:
    """From one process to a cluster."""
    return [
        Setup("one process, Redis on another core", 1),
        *(Setup(f"one machine of {cores} cores", cores - 1) for cores in MACHINES),
        enough_workers(inputs, "many machines, one Redis"),
        *(enough_workers(inputs, f"many machines, {n} masters", n) for n in CLUSTERS),
    ]


def carried(inputs: Inputs) -> list[str]:
    """What each setup carries, as a table."""
    heads = "workers | players | moves a second | full first | memory of the workers | network"
    lines = [f"| | {heads} |", f"|---{'|---' * 6}|"]
    for setup in setups(inputs):
        players = setup.players(inputs)
        moves = players / SECONDS_A_MOVE
        memory = players * (inputs.idle_bytes + MOVES_A_GAME * inputs.kept_move_bytes)
        cells = (
            *(setup.name, f"{setup.workers}", _round(players), _round(moves)),
            setup.full_first(inputs),
            *(_size(memory), f"{_size(moves * inputs.wire_bytes)}/s"),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def in_one_daily(inputs: Inputs, workers: int) -> float:
    """The share of each worker's core when FOLLOWERS play one daily.

    Each worker has players of it, so each takes the newest rows of the seats of all others.
    """
    moves = FOLLOWERS / SECONDS_A_MOVE
    of_others = inputs.row_us * (workers - 1)
    return (moves * (inputs.move_us + of_others) + FOLLOWERS * inputs.idle_us) / workers / 1e6


def walls(inputs: Inputs) -> list[str]:
    """Where the first wall stands, as a table."""
    arriving = inputs.connect_us + inputs.join_us
    told = inputs.told_us / 1e6
    stored = SEAT_PACKED + inputs.result_stored
    shares = ", ".join(f"{n}: {in_one_daily(inputs, n):.0%}" for n in (1, 2, 4, 8, 16))
    most = _round(FULL * 1e6 / inputs.row_us) if inputs.row_us else "no bound was measured"
    rows = {
        f"**{_round(FOLLOWERS)} watch one daily at one process**": "",
        "they arrive": f"{FOLLOWERS * arriving / 1e6:.0f} s of CPU, "
        f"{_size(FOLLOWERS * inputs.join_bytes)}",
        "they hear of moves": f"each every {PING_S:.0f} s, "
        f"at most {FOLLOWERS / PING_S * told:.1%} of a core",
        "all hear of an end": f"{FOLLOWERS * told * 1000:.0f} ms of CPU, "
        f"at most {ENDS_A_SECOND:.0f} times a second",
        f"**{_round(FOLLOWERS)} play one daily**": "",
        "each worker's core, by workers": shares,
        "most moves a second, whatever the workers": most,
        f"**{_round(CONNECTIONS)} connections**": "",
        "memory after Hello, in races": f"{_size(CONNECTIONS * inputs.hello_bytes)}, "
        f"{_size(CONNECTIONS * inputs.idle_bytes)}",
        "CPU while nobody moves": f"{CONNECTIONS * inputs.idle_us / 1e6:.1f} cores",
        "all come back after a restart": f"{CONNECTIONS * arriving / 1e6:.0f} s of CPU",
        f"**{_round(RESULTS)} results**": "",
        "memory of Redis, all races packed": f"{_size(RESULTS * stored)}, of it results and boards "
        f"{_size(RESULTS * inputs.result_stored)}",
    }
    return _two_columns(rows)


def measured(inputs: Inputs) -> list[str]:
    """The inputs, as a table."""
    one = inputs
    rows = {
        "a move on one worker": f"{one.move_us:.0f} us, Redis {one.redis_us:.0f} us",
        "a move on the network, in the append-only file": f"{one.wire_bytes:.0f} bytes, "
        f"{one.move_file:.0f} bytes",
        "a move on four workers whose race has all its players on one": f"{one.home_us:.0f} us "
        f"more, Redis {one.home_redis_us:.0f} us",
        "a move on each other worker with players of the race": f"{one.relay_us:.0f} us, "
        f"Redis {one.update_us:.1f} us",
        "the same in a daily of 2,000": f"{one.row_us:.0f} us",
        "a connection with the Hello of a new guest": f"{one.connect_us:.0f} us",
        "joining a daily of a hundred": f"{one.join_us:.0f} us, {_size(one.join_bytes)}",
        "a follower who is told of a change": f"{one.told_us:.0f} us",
        "an idle connection in a race": f"{one.idle_us:.1f} us a second",
        "memory of it, and of one after Hello": f"{_size(one.idle_bytes)}, "
        f"{_size(one.hello_bytes)}",
        "memory of the worker for a move of a live game": f"{one.kept_move_bytes:.0f} bytes",
        "memory of Redis for a seat, a move, a result": f"{one.seat_stored:.0f}, "
        f"{one.move_stored:.0f}, {one.result_stored:.0f} bytes",
        "a seat of a packed race": f"{SEAT_PACKED} bytes",
    }
    return _two_columns(rows)


def _two_columns(rows: Mapping[str, str]) -> list[str]:
    return ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())]


def _row(found: Mapping[str, Rows], scenario: str, name: str) -> Mapping[str, float]:
    """The figures of the first row with this name. Raises NotMeasured."""
    for title, row in found.get(scenario, {}).items():
        if title == name or title.startswith(f"{name}, "):
            return row
    raise NotMeasured(
        f"{scenario} has no figures for {name!r}: run python -m benchmarks {scenario}"
    )


def _round(number: float) -> str:
    """With two digits that count."""
    digits = len(str(int(number)))
    return f"{round(number, 2 - digits):,.0f}"


def _size(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB" if size < 10 else f"{size:,.0f} GiB"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables. Return the exit code."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.scaling",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, help="JSON of python -m benchmarks")
    found: dict[str, Rows] = {}
    try:
        for file in parser.parse_args(argv).files:
            found |= _decode(file.read_bytes())
        inputs = Inputs.of(found)
    except (NotMeasured, OSError, msgspec.DecodeError) as error:
        print(error, file=sys.stderr)
        return 1
    tables = (measured(inputs), carried(inputs), walls(inputs))
    print("\n\n".join("\n".join(table) for table in tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())

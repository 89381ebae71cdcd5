"""Every figure that the operator can see, with its name in Prometheus.

Labels come from small sets. No label names a player, a race or an address.
"""

import asyncio
import os
import platform
import resource
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

from bigben_protocol import Code
from bigben_server.counters import COUNTS, FRONT_ENDS, SECONDS, Distribution
from bigben_server.race.transitions import OVER
from bigben_server.readiness import REFUSES, Readiness
from bigben_server.rooms.registry import Rooms
from bigben_server.storage.admin.vitals import Vitals
from bigben_server.transport.status import version

Labels = tuple[str, ...]
Mode = Literal["", "livesum", "livemin", "livemax", "liveall"]
"""How the gauges of several processes become one; ``liveall`` keeps each, with its id."""

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_CLOSES: Final = (
    *((code, "peer") for code in ("1000", "1001", "1005", "1006")),
    *((code, "server") for code in ("1007", "1008", "1009", "1011", "1012", "1013")),
    ("1011", "ping"),
)
_TOO_MANY: Final = [(what, "429") for what in ("api", "page", "status", "websocket")]


class Figure(NamedTuple):
    """One metric of one process."""

    kind: Literal["counter", "gauge", "histogram"]
    name: str
    help: str
    values: Mapping[Labels, float | Distribution]
    """By the values of the labels."""
    labels: Labels = ()
    mode: Mode = ""
    """Of a gauge."""


_UNKNOWN: Final = Vitals(0, 0, 0, 0, 0)


@dataclass(slots=True, eq=False)
class Probes:
    """What is measured now and then, beside what is counted."""

    lag: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    """Seconds by which the event loop was late."""
    vitals: Vitals = _UNKNOWN
    """Of Redis, when it last answered."""
    disk: tuple[int, int] | None = None
    """The free bytes and all bytes of the disk of the data folder; None if there is none."""
    log_lines: dict[str, int] = field(default_factory=dict)
    """By level."""


def counted() -> list[Figure]:
    """What this process has counted."""
    clients = [(name,) for name in FRONT_ENDS]
    return [
        _counter(
            "hellos",
            "Connections that said hello, of new and of returning players.",
            COUNTS.hellos,
            ("client", "player"),
            product(FRONT_ENDS, ("new", "returning")),
        ),
        _counter(
            "reconnects",
            "Connections that resumed a race.",
            _single(COUNTS.reconnects),
            ("client",),
            clients,
        ),
        _counter(
            "closes",
            "Closed connections, by who closed them.",
            COUNTS.closes,
            ("code", "by"),
            _CLOSES,
        ),
        _counter(
            "http_responses",
            "Answers to plain HTTP requests, and to refused WebSockets.",
            {(what, str(status)): n for (what, status), n in COUNTS.responses.items()},
            ("what", "status"),
            _TOO_MANY,
        ),
        _counter(
            "unanswered_connections",
            "Connections refused before their request was read.",
            _single(COUNTS.unanswered),
            ("how",),
            [("aborted",), ("waits",)],
        ),
        _counter("moves", "Moves that are durable.", {(): COUNTS.moves}),
        _counter(
            "refusals",
            "Refused messages, by reason.",
            _single(COUNTS.refusals),
            ("reason",),
            [(code,) for code in get_args(Code)],
        ),
        _counter(
            "room_events",
            "Events written to the logs of rooms.",
            _single(COUNTS.room_events),
            ("event",),
            [("opened",), ("counted",), ("closed",), ("cancelled",)],
        ),
        _counter(
            "games_over",
            "Games that ended, by how.",
            _single(COUNTS.seats),
            ("how",),
            [(state,) for state in sorted(OVER)],
        ),
        _counter("redis_outages", "How often Redis was lost.", {(): COUNTS.outages}),
        _histogram(
            "acknowledgement_seconds",
            "From the arrival of a move to its answer.",
            COUNTS.acknowledgements,
        ),
        _histogram("commit_seconds", "Until a batch was durable.", COUNTS.commits),
        _histogram("redis_exchange_seconds", "Until Redis answered a pipeline.", COUNTS.redis),
        _histogram("batch_decisions", "Decisions in a batch.", COUNTS.batches),
        Figure(
            "gauge",
            "bigben_connections",
            "Open connections that said hello.",
            _single(dict.fromkeys(FRONT_ENDS, 0) | COUNTS.connections),
            ("client",),
            "livesum",
        ),
    ]


def measured(rooms: Rooms, readiness: Readiness, probes: Probes) -> list[Figure]:
    """How this process is."""
    used, vitals = resource.getrusage(resource.RUSAGE_SELF), probes.vitals
    kinds = {trouble.kind for trouble in readiness.troubles()}
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    free, whole = probes.disk or (0, 0)
    disk = [
        _gauge("disk_free_bytes", "Free room on the data folder's disk.", free, "livemin"),
        _gauge("disk_bytes", "The size of the data folder's disk.", whole, "livemax"),
    ]
    return [
        _counter("cpu_seconds", "CPU time.", {(): used.ru_utime + used.ru_stime}),
        _counter(
            "log_lines",
            "Lines of the log.",
            _single(probes.log_lines),
            ("level",),
            [("WARNING",), ("ERROR",), ("CRITICAL",)],
        ),
        _histogram("loop_lag_seconds", "How late the event loop was.", probes.lag),
        _gauge("ready", "1 if players should be sent here.", not readiness.reasons(), "livemin"),
        _gauge(
            "redis_up",
            "1 if Redis has just kept a write as play needs it.",
            readiness.trouble() is None,
            "livemin",
        ),
        Figure(
            "gauge",
            "bigben_redis_refuses_writes",
            "1 if Redis, or a node of it, answers and keeps no writes, by why.",
            {(why,): float(why in kinds) for why in REFUSES},
            ("why",),
            "livemax",
        ),
        _gauge(
            "redis_round_trip_seconds",
            "The last question to Redis that waits for no disk.",
            vitals.round_trip_s,
            "livemax",
        ),
        _gauge("redis_memory_bytes", "Memory of Redis.", vitals.memory_bytes, "livemax"),
        _gauge(
            "redis_memory_share",
            "Memory of the fullest Redis by its maxmemory, or by its machine's memory.",
            vitals.memory_share,
            "livemax",
        ),
        _gauge(
            "redis_replica_lag_bytes",
            "What the slowest replica of Redis lacks.",
            vitals.replica_lag_bytes,
            "livemax",
        ),
        _gauge(
            "redis_replicas",
            "Connected replicas of the Redis that has the fewest.",
            vitals.replicas,
            "livemin",
        ),
        *(disk if probes.disk else ()),
        _gauge("rooms", "Races in memory.", len(rooms), "liveall"),
        _gauge("tasks", "Tasks of asyncio.", len(asyncio.all_tasks()), "liveall"),
        _gauge("memory_bytes", "Resident memory.", pages * _PAGE, "liveall"),
        _gauge(
            "file_handles",
            "Open files and connections.",
            len(os.listdir("/proc/self/fd")),
            "liveall",
        ),
        _gauge("file_handles_limit", "How many may be open.", most, "liveall"),
        Figure(
            "gauge",
            "bigben_build_info",
            "The version of the server and of Python.",
            {(version().version, platform.python_version()): 1.0},
            ("version", "python"),
            "livemax",
        ),
    ]


def _counter(
    name: str,
    text: str,
    values: Mapping[Labels, float],
    labels: Labels = (),
    known: Iterable[Labels] = (),
) -> Figure:
    """What is ``known`` is 0 until it happens: an increase from nothing would go unnoticed."""
    return Figure("counter", f"bigben_{name}", text, dict.fromkeys(known, 0) | {**values}, labels)


def _gauge(name: str, text: str, value: float, mode: Mode) -> Figure:
    return Figure("gauge", f"bigben_{name}", text, {(): float(value)}, (), mode)


def _histogram(name: str, text: str, values: Distribution) -> Figure:
    return Figure("histogram", f"bigben_{name}", text, {(): values})


def _single(values: Mapping[str, float]) -> dict[Labels, float]:
    """With labels of which there is one."""
    return {(label,): value for label, value in values.items()}

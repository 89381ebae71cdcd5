"""``bigben admin status``: the living server processes, and what they do now."""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import to_builtins

from bigben_server.ops.command import AdminCommand, Outcome, now_ms
from bigben_server.race.daily import today
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.directives import DirectiveStore
from bigben_server.storage.admin.processes import Process, Processes
from bigben_server.storage.dailies import ready
from bigben_server.storage.packing.work import PackingWork
from bigben_server.storage.race_log import Store
from bigben_server.storage.safety import prove_writes
from bigben_server.thinking.dailies import DAYS_AHEAD, expected

_HEADINGS: Final = (
    *("PROCESS", "MACHINE", "PID", "PORT", "VERSION", "UP", "STATE", "CONNECTIONS", "PLAYERS"),
    *("PLAYING", "RACES", "MOVES", "LAG", "STORE"),
)


async def _status(confirmed: Store, _: argparse.Namespace) -> Outcome:
    now, wrong = now_ms(), (await prove_writes(confirmed)).lost
    store = confirmed.unconfirmed()
    processes = Processes(store)
    living, silent = await processes.asked()
    races = await processes.open_races()
    orders = await DirectiveStore(store).read(now)
    dailies = await _ready(store, now)
    prepared = ", ".join(f"{day} {have} of {want}" for day, (have, want) in dailies.items())
    serving = 0 if living else await maintenance.servers(store)
    lines = [f"{error}. Moves wait, and no acknowledged one is lost." for error in wrong[:1]]
    lines.append(_total(living, races, serving=serving))
    lines += [f"{p.id} is not ready: {' '.join(p.reasons)}" for p in living if p.reasons]
    lines.append(f"Dailies that are ready: {prepared}.")
    packing = await PackingWork(store).progress()
    if packing.closed or packing.listed:
        lines.append(
            f"Packed: {packing.looked:,} of {packing.closed:,} races that count"
            f"; {packing.listed:,} others wait."
        )
    if announced := orders.announcement:
        lines.append(f"Announced until {moment(announced.until)}: {announced.text}")
    bans = *orders.players, *orders.networks
    lines += [f"Banned {until(ban.until)}: {ban.who}" for ban in bans]
    rows = [_row(one, now, is_silent=one.id in silent) for one in living]
    lines += ["", *_table([_HEADINGS, *rows])] if rows else []
    figures = [one.figures for one in living]
    total = {
        "connections": sum(each.connections for each in figures),
        "players": sum(each.players for each in figures),
        "playing": sum(each.playing for each in figures),
        "moves": sum(each.moves for each in figures),
        "open_races": races,
    }
    facts = {
        "processes": [
            {**to_builtins(one), "drained": one.drained, "answers": one.id not in silent}
            for one in living
        ],
        "total": total,
        "drained": bool(living) and all(one.drained for one in living),
        "announcement": to_builtins(announced),
        "dailies": {day: {"ready": have, "of": want} for day, (have, want) in dailies.items()},
        "packing": packing._asdict(),
        "redis": [str(error) for error in wrong],
        "bans": to_builtins(bans),
    }
    return Outcome("\n".join(lines), facts)


async def _ready(store: Store, now: int) -> dict[str, tuple[int, int]]:
    """How many dailies of today and the next days are prepared, and of how many; never which."""
    there, days = await ready(store), (today(now) + timedelta(n) for n in range(DAYS_AHEAD + 1))
    return {
        f"{day}": (sum(which.id in there for which in expected(day)), len([*expected(day)]))
        for day in days
    }


def _total(living: Sequence[Process], races: int, *, serving: int) -> str:
    """A sentence or two about all processes together. ``serving``: how many run unreported."""
    if serving:
        return (
            f"{serving} server process{'' if serving == 1 else 'es'}"
            f" can't report at the moment. Races that are not closed: {races}."
        )
    if not living:
        return f"No server process runs on this data. Races that are not closed: {races}."
    figures = [one.figures for one in living]
    one = len(living) == 1
    said = (
        f"{len(living)} server process{'' if one else 'es'}, "
        f"{sum(f.connections for f in figures)} connections, "
        f"{sum(f.players for f in figures)} players, "
        f"{sum(f.playing for f in figures)} of them in a game. Races that are not closed: {races}."
    )
    if not one:
        said += " A player who is connected to two processes counts twice."
    if all(each.drained for each in living):
        said += " Drained: nobody plays any more."
    by_kind = Counter[str]()
    for each in figures:
        by_kind.update(each.races)
    kinds = ", ".join(f"{many} {kind}" for kind, many in sorted(by_kind.items()))
    return f"{said}\nRaces in memory: {kinds or 'none'}."


def _row(process: Process, now: int, *, is_silent: bool) -> tuple[str, ...]:
    figures = process.figures
    port = f"{process.port or '-'}{f' ({process.worker})' if process.worker else ''}"
    state = "drained" if process.drained else "draining" if process.draining else "serves"
    state = "not ready" if process.reasons and not process.draining else state
    state = "silent" if is_silent else state
    return (
        *(process.id, process.host, f"{process.pid}", port, process.version),
        *(_span(now - process.since), state, f"{figures.connections}", f"{figures.players}"),
        *(f"{figures.playing}", f"{sum(figures.races.values())}", f"{figures.moves}"),
        *(f"{figures.loop_ms} ms", f"{figures.store_ms} ms"),
    )


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _span(ms: int) -> str:
    """How long, in its largest unit."""
    seconds = max(0, ms) // 1000
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def moment(ms: int) -> str:
    """A time as operators read it."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def until(ms: int) -> str:
    """Until when, or for ever."""
    return f"until {moment(ms)}" if ms else "for good"


COMMANDS: Final = (
    AdminCommand(
        "status", "show the running servers, and how many play there now", _status, audited=False
    ),
)

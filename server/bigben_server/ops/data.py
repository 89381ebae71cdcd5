"""The commands about all data: check, export, import, rebuild, and the audit log."""

import argparse
import asyncio
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from bigben_protocol import RaceId
from bigben_server.config import Settings
from bigben_server.ops import check
from bigben_server.ops.command import (
    STANDARD_OUTPUT,
    AdminCommand,
    Argument,
    Outcome,
    no_races,
    of_races,
    output,
)
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import Progress
from bigben_server.ops.rebuild import rebuild
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.audit import Audit, AuditEntry
from bigben_server.storage.admin.backup import backup
from bigben_server.storage.admin.checkpoint import Checkpoint
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.packing.work import PackingWork
from bigben_server.storage.race_log import Store


async def _rebuild(store: Store, options: argparse.Namespace) -> Outcome:
    races = await rebuild(store, options.progress, ranked=options.ranked)
    said = f"Boards, ratings and histories were rebuilt from the results of {of_races(races)}."
    said += " Guests are ranked apart." if options.ranked == "verified" else ""
    return Outcome(said, {"races": races, "ranked": options.ranked})


async def _export(store: Store, options: argparse.Namespace) -> Outcome:
    lines, piped = 0, options.file == STANDARD_OUTPUT
    if piped and sys.stdout.isatty() and not options.yes:
        raise NotDone(
            "an export holds the server's secret, which should not be on a terminal"
            "; redirect it, or add --yes"
        )
    with output(options.file) as file:
        async for line in exported(store, options.progress):
            file.write(line)
            lines += 1
    name = "Standard output" if piped else options.file
    said = f"{name}: {lines} lines. It holds the server's secret; keep it private."
    return Outcome(said, {"file": str(options.file), "lines": lines}, piped=piped)


async def _backup(store: Store, options: argparse.Namespace) -> Outcome:
    settings: Settings = options.settings
    if settings.redis_url and options.files is None:
        raise NotDone(
            "name the folder in which your Redis keeps its files: --files /var/lib/redis"
            " (`redis-cli CONFIG GET dir` says which)"
        )
    source = options.files or settings.data
    progress: Progress = options.progress
    stop = threading.Event()

    def show(done: int, of: int) -> None:
        if stop.is_set():
            raise NotDone("interrupted")
        progress.show("Backup", done, of)

    try:
        size = await asyncio.to_thread(backup, source, options.folder, show)
    finally:
        stop.set()  # the thread would copy on after Ctrl-C
    said = (
        f"{options.folder} has all data of {source}, {size / 1e6:.1f} MB, and the server's secret;"
    )
    facts = {"folder": str(options.folder), "from": str(source), "bytes": size}
    return Outcome(f"{said} keep it private.", facts)


async def _import(store: Store, options: argparse.Namespace) -> Outcome:
    if options.file.exists() and not options.file.is_file():
        raise NotDone(f"{options.file} is not a file; an import reads a file twice")
    with options.file.open(errors="replace") as file:
        races = await imported(store, file, options.progress, ranked=options.ranked)
    said = f"Everything of {options.file} is imported, with the boards of {of_races(races)}."
    return Outcome(said, {"file": str(options.file), "races": races})


async def _check(store: Store, options: argparse.Namespace) -> Outcome:
    found: list[str] = []
    there, checkpoint = await maintenance.names(store), Checkpoint(store)
    if not options.anew:
        await checkpoint.resume()
    if resumed := checkpoint.upto:
        print(f"A check was interrupted after race {resumed}; this one goes on.", file=sys.stderr)
    async for damaged in check.damaged(store, options.progress, there, checkpoint):
        options.progress.clear()
        if not options.json:
            print(damaged, flush=True)
        found.append(str(damaged))
    kept = await PackingWork(store).kept()
    races = len(there.rooms)
    facts = {
        "damaged": found,
        "races": races,
        "not_packed": kept,
        "unopened": there.unopened,
        "resumed": resumed,
    }
    left = _few("Not packed, because they do not reproduce", kept)
    left += _few("Not opened, because a server was stopped just then", there.unopened)
    if found:
        text = "damaged; everything else can be read. docs/durability.md says what to do"
        return Outcome(f"{len(found)} {text}{left}", facts, done=False)
    if not there.rooms:
        return Outcome(f"{no_races(store)}{left}", facts)
    said = f"Everything can be read, and holds together: {of_races(races)}."
    return Outcome(f"{said}{left}", facts)


def _few(said: str, races: Sequence[RaceId]) -> str:
    """How many races this is said of, and the first of them; nothing of none."""
    if not races:
        return ""
    named = ", ".join(races[:_NAMED]) + (", …" if len(races) > _NAMED else "")
    return f"\n{said}: {of_races(len(races))} ({named})."


async def _audit(store: Store, _: argparse.Namespace) -> Outcome:
    entries = await Audit(store).entries()
    said = "\n".join(map(_line, entries)) or "No command has changed anything yet."
    return Outcome(said, {"entries": [asdict(entry) for entry in entries]})


def _line(entry: AuditEntry) -> str:
    at = datetime.fromtimestamp(entry.at / 1000, UTC)
    words = " ".join((entry.command, *(_typed(*given) for given in entry.arguments.items())))
    came_of_it = entry.outcome.partition("\n")[0] or ("done" if entry.done else "not done")
    return f"{at:%Y-%m-%d %H:%M:%S} {entry.by}: {words}: {came_of_it}"


def _typed(name: str, value: str) -> str:
    """An argument as it was typed, an option with its name."""
    if not name.startswith("--"):
        return value
    return name if value == str(True) else f"{name} {value}"


_NAMED: Final = 10
_FILE: Final = {"type": Path}
COMMANDS: Final = (
    AdminCommand(
        "rebuild-boards", "rebuild boards, ratings and histories from the results", _rebuild
    ),
    AdminCommand(
        "check",
        "read everything, and name what is damaged",
        _check,
        (
            Argument(
                "--anew",
                "read also what a check has read that was interrupted less than a day ago",
                {"action": "store_true"},
            ),
        ),
        audited=False,
    ),
    AdminCommand(
        "export",
        "write everything to a file, or to standard output",
        _export,
        (Argument("file", "a new one, which only you may read; - for standard output", _FILE),),
        audited=False,
    ),
    AdminCommand(
        "backup",
        "copy the files of Redis, while everybody plays",
        _backup,
        (
            Argument("folder", "a new one, which only you may enter", _FILE),
            Argument("--files", "where your own Redis (BIGBEN_REDIS_URL) keeps its files", _FILE),
        ),
        audited=False,
    ),
    AdminCommand(
        "import",
        "read an export into an empty Redis",
        _import,
        (Argument("file", "what export wrote", _FILE),),
        # What is imported has an audit log of its own.
        audited=False,
        makes_folder=True,
    ),
    AdminCommand("audit", "show which commands have changed something", _audit, audited=False),
)

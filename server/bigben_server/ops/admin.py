"""``bigben admin``: reads what the operator typed, asks whether it is meant, runs it, audits it."""

import argparse
import asyncio
import getpass
import json
import socket
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from bigben_server import config
from bigben_server.ops import data, directives, players, races, restored, status, unpack
from bigben_server.ops.command import AdminCommand, Outcome, now_ms
from bigben_server.ops.long_work import Progress
from bigben_server.race.events import Refusal
from bigben_server.storage.admin.audit import Audit, AuditEntry
from bigben_server.storage.admin.maintenance import NotDone, made_for
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.opening import opened
from bigben_server.storage.race_log import Store
from bigben_server.storage.schema import check_readable

COMMANDS: Final[tuple[AdminCommand, ...]] = (
    *(*status.COMMANDS, *directives.COMMANDS, *races.COMMANDS, *players.COMMANDS, *data.COMMANDS),
    *(*restored.COMMANDS, *unpack.COMMANDS),
)
FAILURES: Final = (
    *(Refusal, config.BadSetting, Damaged, NotDone, RedisFailed, StoreLost, OSError),
)
"""Exceptions whose texts are sentences for the operator."""
_DESCRIPTION = """Look after a server: the one with the data of BIGBEN_REDIS_URL, or of the embedded
Redis in the data folder. Servers may run meanwhile, except during import, restored, and unpack
--all. docs/admin.md says more of each command."""


def admin(argv: list[str]) -> int:
    """Return the exit code."""
    options = command_line().parse_args(argv)
    command: AdminCommand = options.command
    options.progress = Progress(sys.stderr)
    try:
        if not _is_meant(command, options):
            print("Nothing was done.", file=sys.stderr)
            return 1
        outcome = asyncio.run(_run(command, options))
    except FAILURES as error:
        if options.json:
            print(json.dumps({"done": False, "error": str(error)}))
        print(f"bigben admin: {error}", file=sys.stderr)
        return 1
    file = sys.stderr if outcome.piped else sys.stdout
    if options.json:
        print(json.dumps({"done": outcome.done, **outcome.facts}), file=file)
    elif outcome.done:
        print(outcome.text, file=file)
    if not outcome.done:
        print(f"bigben admin: {outcome.text}", file=sys.stderr)
    return 0 if outcome.done else 1


def _is_meant(command: AdminCommand, options: argparse.Namespace) -> bool:
    """Whether to run the command; asks on a terminal."""
    if not command.asks or options.yes or not sys.stdin.isatty():
        return True
    print(f"{command.asks.format(**vars(options))} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


async def _run(command: AdminCommand, options: argparse.Namespace) -> Outcome:
    settings = config.from_environment()
    if options.data is not None:
        settings = replace(settings, data=options.data)
    if not (settings.redis_url or settings.data.is_dir() or command.makes_folder):
        # Do not create an empty folder and report success.
        raise NotDone(
            f"there is no data folder {settings.data}; name the server's with --data"
            ", or set BIGBEN_REDIS_URL"
        )
    async with opened(settings) as store:
        # `status` is for replicas that are away too, and every other command waits for them itself.
        await check_readable(store.unconfirmed())
        options.settings = settings
        options.ranked = settings.ranked or await made_for(store.unconfirmed())
        given = ((a.name, vars(options)[a.dest]) for a in command.arguments)
        typed = {name: str(value) for name, value in given if value not in (None, False, "")}
        try:
            outcome = await command.run(store, options)
        except FAILURES as error:
            if command.audited:
                try:
                    await _audit(store, command, typed, str(error), done=False)
                except StoreLost:
                    if not isinstance(error, StoreLost):  # then that one says why
                        raise
            raise
        finally:
            options.progress.clear()
        if command.audited:
            kept = (typed, outcome.text) if outcome.audit is None else (outcome.audit, "")
            await _audit(store, command, *kept, done=outcome.done)
        return outcome


async def _audit(
    store: Store, command: AdminCommand, arguments: Mapping[str, str], outcome: str, *, done: bool
) -> None:
    """Write it into the audit log. Raises StoreLost."""
    by = f"{getpass.getuser()}@{socket.gethostname()}"
    await Audit(store).add(AuditEntry(now_ms(), by, command.name, arguments, outcome, done))


def command_line() -> argparse.ArgumentParser:
    """Reads what the operator typed; ``command`` is the row of ``COMMANDS``."""
    parser = argparse.ArgumentParser("bigben admin", description=_DESCRIPTION)
    parser.add_argument(
        "--data", type=Path, help="folder of the embedded Redis (BIGBEN_DATA; data)"
    )
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.add_argument("--yes", action="store_true", help="do not ask whether it is meant")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        made = commands.add_parser(command.name, help=command.about, description=command.about)
        made.set_defaults(command=command)
        # They may also stand after the command; there they must not undo those before it.
        made.add_argument("--data", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        for option in ("--json", "--yes"):
            made.add_argument(
                option, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
            )
        for argument in command.arguments:
            made.add_argument(argument.name, help=argument.about, **argument.options)
    return parser

"""``bigben admin``: the options and messages of the operator's commands."""

import argparse
import asyncio
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from bigben_protocol import PlayerId
from bigben_server import config
from bigben_server.accounts.names import display_name
from bigben_server.ops import check
from bigben_server.ops.delete_player import delete
from bigben_server.ops.export import exported, imported
from bigben_server.ops.rebuild import Progress, rebuild
from bigben_server.race.events import Refusal
from bigben_server.storage import maintenance
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.maintenance import NotDone
from bigben_server.storage.opening import opened
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

_DESCRIPTION = """Look after the data of a server: those of BIGBEN_REDIS_URL, or of the embedded
Redis in the data folder. Servers may run meanwhile, except during an import."""

_FAILURES = (Refusal, config.BadSetting, Damaged, NotDone, RedisFailed, StoreLost, OSError)
"""Exceptions whose texts are sentences for the operator."""
Action = Callable[[Store, argparse.Namespace], Awaitable[str]]
"""Runs a command, and returns the sentence to print."""


def admin(argv: list[str]) -> int:
    """Return the exit code."""
    options = _parser().parse_args(argv)
    options.progress = Progress(sys.stderr)
    try:
        said = asyncio.run(_run(options))
    except _FAILURES as error:
        print(f"bigben admin: {error}", file=sys.stderr)
        return 1
    print(said)
    return 0


async def _run(options: argparse.Namespace) -> str:
    settings = config.from_environment()
    if options.data is not None:
        settings = replace(settings, data=options.data)
    if not (settings.redis_url or settings.data.is_dir() or options.action is _import):
        # Do not create an empty folder and report success.
        text = f"there is no data folder {settings.data}; name the server's with --data"
        raise NotDone(f"{text}, or set BIGBEN_REDIS_URL")
    async with opened(settings.redis_url, settings.data) as store:
        options.ranked = settings.ranked or await maintenance.made_for(store)
        action: Action = options.action
        try:
            return await action(store, options)
        finally:
            options.progress.clear()


async def _rebuild(store: Store, options: argparse.Namespace) -> str:
    races = await rebuild(store, options.progress, ranked=options.ranked)
    said = f"Boards, ratings and histories were rebuilt from the results of {races} races."
    return said + (" Guests are ranked apart." if options.ranked == "verified" else "")


async def _export(store: Store, options: argparse.Namespace) -> str:
    lines = 0
    with _new(options.file) as file:
        async for line in exported(store):
            file.write(line)
            lines += 1
    return f"{options.file}: {lines} lines. It holds the server's secret; keep it private."


async def _import(store: Store, options: argparse.Namespace) -> str:
    if options.file.exists() and not options.file.is_file():
        raise NotDone(f"{options.file} is not a file; an import reads a file twice")
    with options.file.open(errors="replace") as file:
        races = await imported(store, file, options.progress, ranked=options.ranked)
    return f"Everything of {options.file} is imported, with the boards of {races} races."


async def _rename(store: Store, options: argparse.Namespace) -> str:
    name = display_name(options.name)
    if not await People(store).rename(PlayerId(options.player), name):
        raise NotDone(f"there is no player {options.player} with a result")
    return f"{options.player} is called {name} on every board now, whatever their token says."


async def _delete(store: Store, options: argparse.Namespace) -> str:
    player = PlayerId(options.player)
    instead, unread = await delete(store, player, secrets.token_hex(8))
    left = "".join(f"\nNot read, and left as it is: {damaged}." for damaged in unread)
    if unread:
        left += f"\nNone of it holds the id {player}. If you restore it from a backup that may "
        left += "hold it, delete the player again."
    try:
        async for done, of in maintenance.rewrite(store):
            options.progress.show("append-only file", done, of)
    except (NotDone, StoreLost) as error:
        raise NotDone(
            f"{player} is gone from Redis, but its append-only file still has the name and the id "
            f"until it is rewritten. That failed: {str(error).rstrip('.')}; run BGREWRITEAOF on "
            f"every node{left}"
        ) from None
    return f"{player} is gone; their results are those of {instead}, a deleted player.{left}"


async def _check(store: Store, options: argparse.Namespace) -> str:
    found = 0
    async for damaged in check.damaged(store, options.progress):
        options.progress.clear()
        print(damaged, flush=True)
        found += 1
    if found:
        text = "damaged; everything else can be read. docs/durability.md says what to do"
        raise NotDone(f"{found} {text}")
    return "Everything can be read, and holds together."


@contextmanager
def _new(path: Path) -> Iterator[TextIO]:
    """A file that only its owner can read. It gets its name when it is complete."""
    if path.exists():
        raise NotDone(f"{path} exists already; choose another name")
    part = path.with_name(f"{path.name}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("bigben admin", description=_DESCRIPTION)
    parser.add_argument(
        "--data", type=Path, help="folder of the embedded Redis (BIGBEN_DATA; data)"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, action: Action, text: str, /, **arguments: str) -> None:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(action=action)
        for argument, about in arguments.items():
            made.add_argument(argument, help=about, type=Path if argument == "file" else str)

    player = "an id, like guest:4f… or discord:8035…"
    text = "rebuild boards, ratings and histories from the results"
    command("rebuild-boards", _rebuild, text)
    command("check", _check, "read everything, and name what is damaged")
    text = "write everything to a file"
    command("export", _export, text, file="a new one, which only you may read")
    command("import", _import, "read an export into an empty Redis", file="what export wrote")
    text = "show another name for a player on all boards"
    command("rename-player", _rename, text, player=player, name="the new name")
    text = "delete a player; their results stay, nameless"
    command("delete-player", _delete, text, player=player)
    return parser

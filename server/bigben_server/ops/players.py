"""The commands about players: find, rename, delete."""

import argparse
import json
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bigben_protocol import PlayerId
from bigben_server.accounts.names import display_name
from bigben_server.accounts.secrets import is_servers, secret_of
from bigben_server.accounts.tokens import Issuers
from bigben_server.config import Settings
from bigben_server.ops.command import (
    STANDARD_OUTPUT,
    AdminCommand,
    Argument,
    Outcome,
    now_ms,
    of_races,
    output,
)
from bigben_server.ops.people.delete import Deletion, delete
from bigben_server.ops.people.export import player_data
from bigben_server.ops.people.find import MOST_FOUND, Found, find
from bigben_server.ops.people.rename import rename
from bigben_server.scoring.results import DELETED_PREFIX
from bigben_server.storage.admin.maintenance import NotDone, NotThere, rewrite
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.bounds.groups import PlayerGroups
from bigben_server.storage.client import StoreLost
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store


async def _find(store: Store, options: argparse.Namespace) -> Outcome:
    found, more = await find(store, options.name, options.progress)
    if not found:
        raise NotDone(f"no player is called {options.name}, or has this id")
    lines = [_line(one) for one in found]
    if more:
        lines.append(f"There are more than {MOST_FOUND}; name more of the name.")
    return Outcome("\n".join(lines), {"players": [one._asdict() for one in found], "more": more})


def _line(one: Found) -> str:
    what = f"{one.results} result{'s' * (one.results != 1)}"
    if one.last_race:
        at = f" at {datetime.fromtimestamp(one.last_at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
        what += f", the last in {one.last_race}{at}"
    if one.open_races:
        what += f"; has a seat in {', '.join(one.open_races)}"
    if one.account:
        what += f"; tied to {one.account}"
    if one.guests:
        what += f"; also {', '.join(one.guests)}"
    return f"{one.player}  {one.name}: {what}{'; a bot' * one.bot}{'; banned' * one.banned}"


async def _rename(store: Store, options: argparse.Namespace) -> Outcome:
    player, name = PlayerId(options.player), display_name(options.name)
    races = await rename(store, player, name)
    said = f"{player} is called {name} on every board now, whatever their token says."
    if races:
        said = f"{said[:-1]}, and in {', '.join(races)}."
    return Outcome(said, {"player": player, "name": name, "races": races})


async def _delete(store: Store, options: argparse.Namespace) -> Outcome:
    player = PlayerId(options.player)
    issuers = await _issuers(store, options.settings)
    try:
        # Who is tied to them first, because it is known by the player who they are.
        for tied in await Aliases(store).tied_to(player):
            if not tied.startswith(DELETED_PREFIX):
                await _delete_one(store, tied, issuers, options)
        instead, unread = await _delete_one(store, player, issuers, options)
    except NotThere as error:  # perhaps since it was deleted: the audit log must not say the id
        return Outcome(str(error), {"error": str(error)}, done=False, audit={})
    left = "".join(f"\nNot read, and left as it is: {damaged}." for damaged in unread)
    if unread:
        left += (
            f"\nNone of it holds the id {player}. If you restore it from a backup that may "
            "hold it, delete the player again."
        )
    facts = {"deleted_as": instead, "unread": [str(damaged) for damaged in unread]}
    said = f"{player} is gone; their results are those of {instead}, a deleted player.{left}"
    try:
        async for done, of in rewrite(store):
            options.progress.show("append-only file", done, of)
    except (NotDone, StoreLost) as error:
        said = (
            f"{player} is gone from Redis, but its append-only file still has the name and the id "
            f"until it is rewritten. That failed: {str(error).rstrip('.')}; run BGREWRITEAOF on "
            f"every node{left}"
        )
        return Outcome(said, facts, done=False, audit={"player": instead})
    return Outcome(said, facts, audit={"player": instead})


async def _delete_one(
    store: Store, player: PlayerId, issuers: Issuers, options: argparse.Namespace
) -> Deletion:
    mark, ranked, progress = issuers.marks(player)[0], options.ranked, options.progress
    return await delete(store, player, secrets.token_hex(8), mark, ranked=ranked, progress=progress)


async def _delete_group(store: Store, options: argparse.Namespace) -> Outcome:
    group: str = options.group
    if ":" in group:
        issuer = group.partition(":")[0]
        raise NotDone(f"{group} belongs to {issuer}, which would name it again; delete it there")
    if not await People(store).is_group(group):
        raise NotDone(f"there is no group {group}; its id is what boards say after the @")
    members = await PlayerGroups(store).delete(group, now_ms())
    who = f"{members} player{'s' * (members != 1)}"
    text = f"{group} is gone, with its boards. {who} had been in it; their results stay."
    return Outcome(text, {"group": group, "members": members})


async def _export_player(store: Store, options: argparse.Namespace) -> Outcome:
    player, path = PlayerId(options.player), options.file
    found = await player_data(store, player, options.progress, ranked=options.ranked)
    piped = path == STANDARD_OUTPUT
    with output(path) as file:
        json.dump(found, file, indent=1, ensure_ascii=False)
        file.write("\n")
    name = "Standard output" if piped else path
    said = f"{name} has what is stored about {player}: {of_races(len(found['races']))}."
    return Outcome(said, {"file": str(path), "races": len(found["races"])}, piped=piped)


async def _issuers(store: Store, settings: Settings) -> Issuers:
    """This server's own keys, as its processes have them. Raises NotDone for another secret."""
    secret = await secret_of(store, settings)
    if not await is_servers(store, secret):
        raise NotDone(
            "the servers of these data use another BIGBEN_SECRET than this command: set theirs"
            ", or the player could come back"
        )
    return Issuers(secret, {}, settings.old_secret.encode())


_PLAYER: Final = Argument("player", "an id, like guest:4f… or discord:8035…")
_NAME: Final = Argument("name", "the new name")
_FILE: Final = {"type": Path, "nargs": "?", "default": STANDARD_OUTPUT}
COMMANDS: Final = (
    AdminCommand(
        "find",
        "find players by a part of their name, or by their id",
        _find,
        (Argument("name", "a part of a name in any case, or an id"),),
        audited=False,
    ),
    AdminCommand(
        "rename",
        "give a player another name, on all boards and in open races",
        _rename,
        (_PLAYER, _NAME),
    ),
    AdminCommand("rename-player", "the same as rename", _rename, (_PLAYER, _NAME)),
    AdminCommand(
        "export-player",
        "write what is stored about a player to a file, for them",
        _export_player,
        (
            _PLAYER,
            Argument("file", "a new one, which only you may read; - for standard output", _FILE),
        ),
    ),
    AdminCommand(
        "delete-player",
        "delete a player; their results stay, nameless, and their games end",
        _delete,
        (_PLAYER,),
        asks="Delete {player} for ever?",
    ),
    AdminCommand(
        "delete-group",
        "delete a group that players made, and its boards; its name is free again",
        _delete_group,
        (Argument("group", "its id, like the-aces, as boards say it after the @"),),
        asks="Delete the group {group} and its boards for ever?",
    ),
)

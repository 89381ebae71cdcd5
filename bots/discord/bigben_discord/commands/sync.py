"""Syncing the commands with Discord if they have changed since the last time."""

import hashlib
import json
import logging

import discord
from discord import app_commands

from bigben_chat.store import Store
from bigben_discord.records import Commands

_log = logging.getLogger(__name__)


async def sync_if_changed(
    tree: "app_commands.CommandTree[discord.Client]", application: int, store: Store
) -> bool:
    """Sync the commands unless Discord has them already; whether it was done.

    Raises discord.HTTPException.
    """
    translator = tree.translator
    assert translator is not None, "the bot sets it first"
    payload = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
    before = store.get("commands", application, Commands)
    if before is not None and before.digest == digest:
        return False
    await tree.sync()
    store.put("commands", application, Commands(digest))
    _log.info("The commands were synced.")
    return True

"""Syncing the commands with Discord if they have changed since the last time."""

import hashlib
import json
import logging
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands

from bigben_chat.store import Store
from bigben_chat.texts import languages
from bigben_discord.records import Commands
from bigben_protocol.texts import DEFAULT

_log = logging.getLogger(__name__)

ENTRY_POINT: Final = 4
"""Discord's type of the command that opens the application in a frame; discord.py has none."""
_APP_HANDLER: Final = 1
"""The bot answers it, and so learns which frame was opened."""


async def sync_if_changed(
    tree: "app_commands.CommandTree[discord.Client]",
    application: discord.AppInfo,
    store: Store,
) -> bool:
    """Sync the commands unless Discord has them already; whether it was done.

    Where the operator has enabled Activities, Discord refuses commands without an Entry Point.
    Raises discord.HTTPException.
    """
    translator = tree.translator
    assert translator is not None, "the bot sets it first"
    payload = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    if application.flags.embedded:
        payload.append(_entry_point(payload[0]))
    digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
    before = store.get("commands", application.id, Commands)
    if before is not None and before.digest == digest:
        return False
    # Not `tree.sync`, which knows no Entry Point.
    await tree.client.http.bulk_upsert_global_commands(application.id, payload)
    store.put("commands", application.id, Commands(digest))
    _log.info("The commands were synced.")
    return True


def _entry_point(group: Mapping[str, Any]) -> dict[str, Any]:
    """The command of Discord's own list of what opens in a frame (Any: JSON, as Discord takes it).

    It is there wherever the ``group`` of all others is.
    """
    others = {code: say for code, say in languages().items() if code != DEFAULT}
    payload = {key: group[key] for key in ("contexts", "integration_types")}
    payload |= {"type": ENTRY_POINT, "handler": _APP_HANDLER}
    for key in ("name", "description"):
        payload[key] = languages()[DEFAULT].label(f"launch.{key}")
        payload[f"{key}_localizations"] = {
            code: say.label(f"launch.{key}") for code, say in others.items()
        }
    return payload

"""The message with which the bot introduces itself to a guild that has added it: once, and there.

It goes to the channel that Discord itself uses for such news, if the bot may write in it. Nobody
gets a direct message that they did not ask for.
"""

import logging

import aiohttp
import discord
import msgspec

from bigben_chat.messages.help_text import welcoming
from bigben_chat.records import group_record
from bigben_chat.store import Store
from bigben_chat.texts import say_in
from bigben_discord.interactions.components import view_of
from bigben_discord.interactions.markdown import markdown

_log = logging.getLogger(__name__)


async def welcome(store: Store, guild: discord.Guild) -> None:
    """Say what to try first, unless this guild has read it before."""
    record = group_record(store, guild.id)
    channel = guild.system_channel
    if record.welcomed or channel is None:
        return
    may = channel.permissions_for(guild.me)
    if not (may.view_channel and may.send_messages):
        return
    # Stored first: a bot that dies while it writes does not write twice.
    store.put("guild", guild.id, msgspec.structs.replace(record, welcomed=True))
    content = welcoming(say_in(record.language or str(guild.preferred_locale)))
    try:
        await channel.send(markdown(content.text), view=view_of(content))
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.info("Guild %s could not be welcomed: %s", guild.id, error)

"""The message with which the bot introduces itself to a guild that has added it: once, and there.

It goes to the channel that Discord itself uses for such news, if the bot may write in it. Nobody
gets a direct message that they did not ask for.
"""

import logging

import aiohttp
import discord

from bigben_chat.posts.first_words import first_words
from bigben_chat.store import Store
from bigben_discord.interactions.components import view_of
from bigben_discord.interactions.markdown import markdown

_log = logging.getLogger(__name__)


async def welcome(store: Store, guild: discord.Guild) -> None:
    """Say what to try first, unless this guild has read it before."""
    channel = guild.system_channel
    if channel is None:
        return
    may = channel.permissions_for(guild.me)
    if not (may.view_channel and may.send_messages):
        return
    content = first_words(store, guild.id, str(guild.preferred_locale))
    if content is None:
        return
    try:
        await channel.send(markdown(content.text), view=view_of(content))
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.info("Guild %s could not be welcomed: %s", guild.id, error)

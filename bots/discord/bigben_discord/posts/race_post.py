"""The public message of one race in one channel: what it shows, and how it can be edited.

The caller must not edit it twice at the same time.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import aiohttp
import discord
import msgspec

from bigben_chat.messages.content import Content
from bigben_discord.interactions.answer import Answer
from bigben_discord.interactions.components import view_of
from bigben_discord.interactions.editable_message import EditableMessage
from bigben_discord.interactions.markdown import markdown
from bigben_discord.records import Post

_TOKEN_ENDED: Final = 50027
"""Discord's code for it."""


@dataclass
class RacePost:
    """A post, and its state while the bot runs."""

    post: Post
    shown: Content | None = None
    """What Discord has accepted last; None while that is not known."""
    editable: EditableMessage | None = None
    """The message with a token that can edit it; None without one, or once that has ended."""
    guest: bool = False
    """The bot may not see the channel, so only a token can edit the message."""
    tries: int = 0
    """Edits that Discord has refused since the last one that it accepted."""
    again: bool = False
    """It replaces a deleted message. If it is deleted too, it is not posted again."""
    lost: bool = False
    """It was deleted, and the bot could not post it again by itself."""

    async def edit_by_answer(self, answer: Answer, content: Content) -> None:
        """Edit it as the answer to one of its buttons. Raises discord.HTTPException."""
        self.shown = None
        self.editable = await answer.show(content)
        self.shown = content

    async def edit(self, bot: discord.Client, content: Content) -> bool:
        """Edit the message so; False if nothing allows it. Raises discord.HTTPException."""
        self.shown = None
        if not await self._edited(bot, content):
            return False
        self.shown = content
        return True

    async def posted_again(self, bot: discord.Client, content: Content) -> "RacePost | None":
        """Post it again by any way that works; None if there is none."""
        editable = None
        try:
            channel = bot.get_partial_messageable(self.post.channel)
            message = (await channel.send(markdown(content.text), view=view_of(content))).id
        except discord.Forbidden:
            if self.editable is None:
                return None
            by = self.editable.interaction
            message = (
                await by.followup.send(markdown(content.text), view=view_of(content), wait=True)
            ).id
            made = discord.utils.snowflake_time(message)
            editable = EditableMessage(by, message, private=False, original=False, shown_at=made)
        return RacePost(msgspec.structs.replace(self.post, message=message), editable=editable)

    async def post_result(self, bot: discord.Client, content: Content) -> None:
        """Post the end of the race as a new message: nobody notices the edit of an old one."""
        channel = bot.get_partial_messageable(self.post.channel)
        # At most 25 letters; sent again with the same one, Discord makes no second message.
        nonce = f"{self.post.race}-{self.post.channel:x}"
        with suppress(discord.HTTPException, aiohttp.ClientError, OSError):  # It was edited.
            await channel.send(markdown(content.text), view=view_of(content), nonce=nonce)

    async def _edited(self, bot: discord.Client, content: Content) -> bool:
        if not (self.guest and self.editable):
            channel = bot.get_partial_messageable(self.post.channel)
            message = channel.get_partial_message(self.post.message)
            try:
                await message.edit(content=markdown(content.text), view=view_of(content))
            except discord.Forbidden:
                self.guest = True
            else:
                self.guest = False
                return True
        return await self._edited_by_token(content)

    async def _edited_by_token(self, content: Content) -> bool:
        if self.editable is None:
            return False
        try:
            await self.editable.edit(content)
        except discord.HTTPException as error:
            if error.code != _TOKEN_ENDED:
                raise
            self.editable = None
            return False
        return True

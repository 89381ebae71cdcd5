"""One public message on Discord: what it shows, and how it can be changed.

The caller must not change it twice at the same time.
"""

from dataclasses import dataclass
from typing import Final

import discord
import msgspec

from bigben_chat.store import Guild, Memory, Post
from bigben_chat.texts import say_in
from bigben_discord.controls import Content
from bigben_discord.interactions.answers import Answer
from bigben_discord.interactions.editable_message import Interaction, Sent

_TOKEN_ENDED: Final = 50027
"""Discord's code for it."""


@dataclass
class PublicMessage:
    """A post, and what is known of it while the bot runs."""

    post: Post
    shown: Content | None = None
    """What Discord has last taken; None while nobody knows."""
    sent: Sent | None = None
    """What can still change the message by a token; None once that has ended."""
    guest: bool = False
    """The bot may not see the channel, so only a token can change the message."""
    tries: int = 0
    """That Discord has not taken, since the last that it took."""
    again: bool = False
    """It replaces a deleted message. If it is deleted too, it is not posted again."""
    lost: bool = False
    """It was deleted, and the bot could not post it again by itself."""

    async def change_by_answer(self, answer: Answer, content: Content) -> None:
        """Answer one of its own buttons so. Raises discord.HTTPException."""
        self.shown = None
        self.sent = await answer.show(content)
        self.shown = content

    async def change(self, bot: discord.Client, content: Content) -> bool:
        """Change the message to this; False if nothing allows it. Raises discord.HTTPException."""
        self.shown = None
        if not await self._changed(bot, content):
            return False
        self.shown = content
        return True

    async def posted_again(self, bot: discord.Client, content: Content) -> "PublicMessage | None":
        """Post it again by any way that works; None if there is none."""
        sent = None
        try:
            channel = bot.get_partial_messageable(self.post.channel)
            message = (await channel.send(content.text, view=content.view)).id
        except discord.Forbidden:
            if self.sent is None:
                return None
            by = self.sent.interaction
            message = (await by.followup.send(content.text, view=content.view, wait=True)).id
            sent = Sent(by, message, private=False, original=False)
        return PublicMessage(msgspec.structs.replace(self.post, message=message), sent=sent)

    async def _changed(self, bot: discord.Client, content: Content) -> bool:
        if not (self.guest and self.sent):
            channel = bot.get_partial_messageable(self.post.channel)
            message = channel.get_partial_message(self.post.message)
            try:
                await message.edit(content=content.text, view=content.view)
            except discord.Forbidden:
                self.guest = True
            else:
                self.guest = False
                return True
        return await self._changed_by_token(content)

    async def _changed_by_token(self, content: Content) -> bool:
        if self.sent is None:
            return False
        try:
            await self.sent.change(content)
        except discord.HTTPException as error:
            if error.code != _TOKEN_ENDED:
                raise
            self.sent = None
            return False
        return True


def language_of(interaction: Interaction, kept: Memory) -> str:
    """Of messages that all see: the guild's choice, or the language that Discord says."""
    guild = kept.get("guild", interaction.guild_id or 0, Guild)
    if guild is not None and guild.language:
        return guild.language
    return say_in(str(interaction.guild_locale or interaction.locale)).language

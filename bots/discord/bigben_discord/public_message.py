"""One public message on Discord: what it shows, and by which way it can be changed.

The caller sees to it that it is changed once at a time.
"""

from dataclasses import dataclass
from typing import Final

import discord

from bigben_discord.answers import Answer
from bigben_discord.controls import Content
from bigben_discord.memory import Post
from bigben_discord.sent import Sent

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
    """The bot may not see the channel: there is no way to the message but by a token."""
    tries: int = 0
    """That Discord has not taken, since the last that it took."""

    async def change_by_answer(self, answer: Answer, content: Content) -> None:
        """Answer one of its own buttons so. Raises discord.HTTPException."""
        self.shown = None
        self.sent = await answer.show(content)
        self.shown = content

    async def change(self, bot: discord.Client, content: Content) -> bool:
        """Bring it to this; False where nothing lets us. Raises discord.HTTPException."""
        self.shown = None
        if not await self._changed(bot, content):
            return False
        self.shown = content
        return True

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

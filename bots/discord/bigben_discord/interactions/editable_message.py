"""Messages that an interaction's token can edit, with or without files.

A token lasts for fifteen minutes and survives the bot: a new run that has stored the token can
edit the message.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import discord

from bigben_chat.messages.content import Content
from bigben_discord.interactions.components import files_of, view_of
from bigben_discord.interactions.interaction import Interaction
from bigben_discord.interactions.markdown import markdown

Done = TypeVar("Done")


@dataclass(frozen=True)
class EditableMessage:
    """The message that an answer became; its interaction's token can edit it."""

    interaction: Interaction
    id: int
    private: bool
    """Only its user sees it. Discord may enforce this where only the user has added the bot."""
    original: bool
    """It is the answer itself, or the message that the answer edited; not a follow-up."""
    shown_at: datetime
    """When Discord showed it so, by Discord's clock."""

    @property
    def made(self) -> datetime:
        """When the token was given."""
        return self.interaction.created_at

    @property
    def age(self) -> float:
        """The age of the token in seconds; a token lasts for fifteen minutes."""
        return (discord.utils.utcnow() - self.made).total_seconds()

    async def edit(self, content: Content) -> datetime:
        """Edit the message so; when Discord did. Raises discord.HTTPException."""
        return await with_files_if_allowed(content, self._put)

    async def _put(self, content: Content) -> datetime:
        sent: discord.Message
        if self.original:
            sent = await self.interaction.edit_original_response(**_changes(content))
        else:
            sent = await self.interaction.followup.edit_message(self.id, **_changes(content))
        return shown_at(sent)


@dataclass(frozen=True)
class RestoredMessage:
    """The same for an interaction that an earlier run of the bot answered."""

    webhook: discord.Webhook
    id: int
    interaction: int
    """Its id tells when it was made."""

    @property
    def made(self) -> datetime:
        """When the token was given."""
        return discord.utils.snowflake_time(self.interaction)

    @property
    def age(self) -> float:
        """The age of the token in seconds; a token lasts for fifteen minutes."""
        return (discord.utils.utcnow() - self.made).total_seconds()

    async def edit(self, content: Content) -> datetime:
        """Edit the message so; when Discord did. Raises discord.HTTPException."""
        return await with_files_if_allowed(content, self._put)

    async def _put(self, content: Content) -> datetime:
        sent = await self.webhook.edit_message(self.id, **_changes(content))
        return shown_at(sent)


def _changes(content: Content) -> dict[str, Any]:
    """What an edit changes (Any: discord.py's keyword arguments)."""
    return {
        "content": markdown(content.text),
        "view": view_of(content),
        "attachments": files_of(content),
    }


def shown_at(message: discord.Message) -> datetime:
    """Since when a message shows what it shows, by Discord's clock."""
    return message.edited_at or message.created_at


async def with_files_if_allowed(
    content: Content, put: Callable[[Content], Awaitable[Done]]
) -> Done:
    """Send this; if Discord allows no files, send its plain form."""
    try:
        return await put(content)
    except discord.Forbidden:
        if content.attachment is None or content.plain is None:
            raise
        return await put(content.plain)

"""Messages that an interaction's token can edit, with or without files.

A token lasts for fifteen minutes and survives the bot: a new run that has stored the token can
edit the message.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import discord

from bigben_chat.messages.content import Content
from bigben_chat.platform import NotAllowed
from bigben_chat.records import PendingBoard
from bigben_chat.store import ChatId
from bigben_discord.interactions.components import files_of, view_of
from bigben_discord.interactions.errors import translated
from bigben_discord.interactions.interaction import Interaction
from bigben_discord.interactions.markdown import markdown

Done = TypeVar("Done")

TOKEN_TIME: Final = timedelta(minutes=14.5)
"""A token lasts for fifteen minutes: this long a message can surely be edited."""


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
    def editable_until(self) -> datetime:
        """How long the token is sure to be valid."""
        return self.interaction.created_at + TOKEN_TIME

    @property
    def editable(self) -> bool:
        """Whether it still is."""
        return discord.utils.utcnow() <= self.editable_until

    @property
    def token(self) -> tuple[str, ChatId]:
        """The interaction's token and id."""
        return self.interaction.token, self.interaction.id

    async def edit(self, content: Content) -> datetime:
        """Edit the message so; when Discord did. Raises PlatformError."""
        with translated():
            return await with_files_if_allowed(content, self._put)

    async def follow_up(self, content: Content) -> "EditableMessage":
        """One more message for all, by the same token. Raises PlatformError."""
        text, view = markdown(content.text), view_of(content)
        with translated():
            sent = await self.interaction.followup.send(text, view=view, wait=True)
        made = discord.utils.snowflake_time(sent.id)
        return EditableMessage(
            self.interaction, sent.id, private=False, original=False, shown_at=made
        )

    async def _put(self, content: Content) -> datetime:
        sent: discord.Message
        if self.original:
            sent = await self.interaction.edit_original_response(**_changes(content))
        else:
            sent = await self.interaction.followup.edit_message(self.id, **_changes(content))
        return shown_at(sent)


@dataclass(frozen=True)
class RestoredMessage:
    """The same of an interaction that an earlier run of the bot answered; always a private one."""

    webhook: discord.Webhook
    board: PendingBoard
    private: bool = True

    @property
    def id(self) -> ChatId:
        """The message's own."""
        return self.board.message

    @property
    def shown_at(self) -> datetime:
        """When it was sent: nothing has changed since."""
        return discord.utils.snowflake_time(int(self.id))

    @property
    def editable_until(self) -> datetime:
        """How long the token is sure to be valid. The interaction's id tells when it was made."""
        return discord.utils.snowflake_time(int(self.board.interaction)) + TOKEN_TIME

    @property
    def editable(self) -> bool:
        """Whether it still is."""
        return discord.utils.utcnow() <= self.editable_until

    @property
    def token(self) -> tuple[str, ChatId]:
        """The interaction's token and id."""
        return self.board.token, self.board.interaction

    async def edit(self, content: Content) -> datetime:
        """Edit the message so; when Discord did. Raises PlatformError."""
        with translated():
            return await with_files_if_allowed(content, self._put)

    async def follow_up(self, content: Content) -> EditableMessage:
        """What nobody asks of a board."""
        raise NotAllowed("a board is followed by nothing")

    async def _put(self, content: Content) -> datetime:
        return shown_at(await self.webhook.edit_message(int(self.id), **_changes(content)))


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

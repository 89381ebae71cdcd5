"""Messages that an interaction's token can edit, with or without files.

A token lasts for fifteen minutes and survives the bot: a new run that has stored the token can
edit the message.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeVar

import discord

from bigben_chat.messages.content import Content
from bigben_chat.store import ChatId
from bigben_discord.interactions.components import files_of, view_of
from bigben_discord.interactions.errors import translated
from bigben_discord.interactions.markdown import markdown

Done = TypeVar("Done")

TOKEN_TIME: Final = timedelta(minutes=14.5)
"""A token lasts for fifteen minutes: this long a message can surely be edited."""


@dataclass(frozen=True)
class EditableMessage:
    """A message that an answer became; its interaction's token can edit it."""

    webhook: discord.Webhook
    """The interaction's, with its token."""
    interaction: ChatId
    id: ChatId
    private: bool
    """Only its user sees it. Discord may enforce this where only the user has added the bot."""
    shown_at: datetime
    """When Discord showed it so, by Discord's clock."""
    put: Callable[..., Awaitable[discord.Message]]
    """Edits it; discord.py has a way for the answer itself and another for what follows it."""

    @property
    def editable_until(self) -> datetime:
        """How long the token is sure to be valid. The interaction's id tells when it was made."""
        return discord.utils.snowflake_time(int(self.interaction)) + TOKEN_TIME

    @property
    def editable(self) -> bool:
        """Whether it still is."""
        return discord.utils.utcnow() <= self.editable_until

    @property
    def token(self) -> tuple[str, ChatId]:
        """The interaction's token and id."""
        assert self.webhook.token is not None, "interactions have one"
        return self.webhook.token, self.interaction

    async def edit(self, content: Content) -> datetime:
        """Edit the message so; when Discord did. Raises PlatformError."""
        with translated():
            return await with_files_if_allowed(content, self._put)

    async def follow_up(self, content: Content) -> "EditableMessage":
        """One more message for all, by the same token. Raises PlatformError."""
        text, view = markdown(content.text), view_of(content)
        with translated():
            sent = await self.webhook.send(text, view=view, wait=True)
        edit = partial(self.webhook.edit_message, sent.id)
        made = discord.utils.snowflake_time(sent.id)
        return replace(self, id=sent.id, private=False, shown_at=made, put=edit)

    async def _put(self, content: Content) -> datetime:
        files = files_of(content)
        text, view = markdown(content.text), view_of(content)
        return shown_at(await self.put(content=text, view=view, attachments=files))


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

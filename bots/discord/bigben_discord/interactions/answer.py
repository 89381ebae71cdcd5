"""The answer to one interaction: in time, and once.

Discord wants an answer within three seconds. A caller of `Answer` need not know: if it takes long,
the interaction is deferred first, and what was deferred becomes the answer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import discord

from bigben_chat.limit import holding, paused
from bigben_chat.messages.content import Content
from bigben_chat.messages.formatting import race_name
from bigben_chat.platform import Kind, Sorry
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import Text
from bigben_discord.interactions.components import files_of, view_of
from bigben_discord.interactions.editable_message import (
    TOKEN_TIME,
    EditableMessage,
    shown_at,
    with_files_if_allowed,
)
from bigben_discord.interactions.interaction import Interaction, channel_of, say_to, user_of
from bigben_discord.interactions.markdown import markdown, rings

_ALREADY_ACKNOWLEDGED: Final = 40060
REACTION_S: Final = 1.0
"""What a person needs at least to type a command after they have seen something."""


@dataclass
class Uploads:
    """How fast pictures reach Discord, measured on the last one."""

    slow: bool = False


class Answer:
    """The answer to one interaction."""

    def __init__(
        self,
        interaction: Interaction,
        kind: Kind,
        patience: float,
        limit: asyncio.Timeout,
        uploads: Uploads,
    ) -> None:
        """After ``patience`` seconds without an answer the interaction is deferred.

        ``limit`` is on the race server's time; what Discord takes is not counted.
        """
        self.interaction = interaction
        self.say: Say = say_to(interaction)
        self.kind: Kind = kind
        self.user = user_of(interaction)
        self.place: ChatId = channel_of(interaction)
        self.asked_at = interaction.created_at
        self.editable_until = self.asked_at + TOKEN_TIME
        message = interaction.message
        self.pressed: ChatId | None = message.id if message else None
        self.pressed_private = message is not None and message.flags.ephemeral
        self.pressed_picture = message is not None and bool(message.attachments)
        self.edits_posts = True
        self.group_locale = str(interaction.guild_locale or interaction.locale)
        self.about = ""
        """The race that a typed command is about; error messages name it."""
        self.posts_here = interaction.is_guild_integration()
        # Where the bot is a guest, only Discord knows what may be sent: it is tried.
        self.may_attach = interaction.app_permissions.attach_files or not self.posts_here
        self._patience = patience
        self._begun = asyncio.get_running_loop().time()
        self._defer_at = self._begun + patience
        self._limit = limit
        self._uploads = uploads
        self._deferred = False
        self._acknowledged = False
        self._one_at_a_time = asyncio.Lock()

    async def show(self, content: Content, *, keep_picture: bool = False) -> EditableMessage:
        """Answer with this message. ``keep_picture``: the edited message keeps its picture."""

        async def put(content: Content) -> EditableMessage:
            if self.kind == "change":
                return await self._change(content, keep_picture)
            return await self._send(content)

        async with self._one_at_a_time, self.unhurried():
            content = self._allowed(content)
            try:
                sent = await self._in_time(content, put)
            except discord.Forbidden:
                if content.attachment is None or content.plain is None:
                    raise
                await self._defer()
                sent = await put(content.plain)
            # From now on errors are sent after the answer, not in its place.
            self._deferred = False
            return sent

    async def leave_as_it_is(self) -> EditableMessage:
        """Answer a button whose message already shows the result."""
        assert self.interaction.message is not None, "a button belongs to a message"
        async with self._one_at_a_time:
            if not self._is_acknowledged:
                await self.interaction.response.defer()
            self._deferred = False
            message = self.interaction.message
            return self._sent(message.id, message.flags.ephemeral, shown_at(message))

    async def open_frame(self) -> str:
        """Open the page in Discord for the user; which instance of it. Raises Sorry."""
        async with self._one_at_a_time:
            try:
                opened = await self.interaction.response.launch_activity()
            except discord.HTTPException as error:
                if error.status not in (400, 403):
                    raise
                raise Sorry(self.say("wrong.no_frame")) from error  # The operator turned it off.
        assert isinstance(opened.resource, discord.InteractionCallbackActivityInstance)
        return opened.resource.id

    async def tell(self, text: Text) -> None:
        """Say something to the user alone; messages that are there stay as they are."""
        sentence = markdown(text)
        async with self._one_at_a_time:
            if not self._is_acknowledged:
                await self.interaction.response.send_message(sentence, ephemeral=True)
            elif self._deferred and self.kind == "private":
                await self.interaction.edit_original_response(content=sentence)
            else:
                if self._deferred and self.kind == "public":
                    # It was deferred for all to see; now it is for one user alone.
                    await self.interaction.delete_original_response()
                await self.interaction.followup.send(sentence, ephemeral=True)

    async def say_sorry(self, text: Text) -> None:
        """Say what went wrong, and in which race if the player can't see that."""
        if self.about:
            text = self.say("about", race=race_name(self.about, self.say), text=text)
        await self.tell(text)

    async def follow_up(self, content: Content, *, private: bool) -> EditableMessage:
        """One more message, after the first."""

        async def put(content: Content) -> EditableMessage:
            message = await self.interaction.followup.send(
                markdown(content.text),
                view=view_of(content),
                files=files_of(content),
                ephemeral=private,
                wait=True,
                allowed_mentions=rings(content.text),
            )
            at = shown_at(message)
            return self._sent(message.id, message.flags.ephemeral, at, original=False)

        async with self._one_at_a_time, self.unhurried():
            return await with_files_if_allowed(self._allowed(content), put)

    async def defer_in_time(self) -> None:
        """Wait, and then defer if nothing was sent yet."""
        await asyncio.sleep(self._patience)
        async with self._one_at_a_time:
            await self._defer()

    def alone(self, lock: asyncio.Lock) -> AbstractAsyncContextManager[None]:
        """Hold the lock. The wait is no server time: the holder may be sending a picture."""
        return holding(lock, self._limit)

    def unhurried(self) -> AbstractAsyncContextManager[None]:
        """While a picture is made or sent, the time limit for the server does not run."""
        return paused(self._limit)

    @property
    def _is_acknowledged(self) -> bool:
        return self._acknowledged or self.interaction.response.is_done()

    async def _defer(self) -> bool:
        """Defer the interaction, unless it is acknowledged already. The answer must follow.

        False if an answer that was given up did arrive: there is nothing to send any more.
        """
        if self._is_acknowledged:
            return True
        new = self.kind != "change"
        ephemeral = self.kind == "private"
        try:
            await self.interaction.response.defer(ephemeral=ephemeral, thinking=new)
        except discord.HTTPException as error:
            if error.code != _ALREADY_ACKNOWLEDGED:
                raise
            self._acknowledged = True
            return False
        self._acknowledged = self._deferred = True
        return True

    async def _arrived(self) -> EditableMessage:
        """The answer that was given up, and that Discord had taken."""
        sent = await self.interaction.original_response()
        private = self.kind == "private" or sent.flags.ephemeral
        return self._sent(sent.id, private, shown_at(sent))

    async def _in_time(
        self, content: Content, put: Callable[[Content], Awaitable[EditableMessage]]
    ) -> EditableMessage:
        """Send it; a picture does not delay the acknowledgement, however slow the link is."""
        if content.attachment is None:
            return await put(content)
        loop, uploads = asyncio.get_running_loop(), self._uploads
        begun = loop.time()
        if uploads.slow or begun > self._defer_at - self._patience / 2:
            await self._defer()  # Cheaper than to cancel a half-done upload.
        try:
            async with asyncio.timeout_at(None if self._is_acknowledged else self._defer_at):
                return await put(content)
        except TimeoutError:
            if not await self._defer():
                return await self._arrived()
            return await put(content)
        finally:
            uploads.slow = loop.time() - begun > self._patience / 2

    def _allowed(self, content: Content) -> Content:
        plain = None if self.may_attach or not content.attachment else content.plain
        return plain or content

    async def _send(self, content: Content) -> EditableMessage:
        private = self.kind == "private"
        if self._is_acknowledged:
            message = await self.interaction.edit_original_response(
                content=markdown(content.text),
                view=view_of(content),
                attachments=files_of(content),
                allowed_mentions=rings(content.text),
            )
            at = message.edited_at or self._promised_at
            return self._sent(message.id, private or message.flags.ephemeral, at)
        response = await self.interaction.response.send_message(
            markdown(content.text),
            view=view_of(content),
            files=files_of(content),
            ephemeral=private,
            allowed_mentions=rings(content.text),
        )
        assert response.message_id is not None, "a message was sent"
        at = discord.utils.snowflake_time(response.message_id)
        return self._sent(response.message_id, private or response.is_ephemeral(), at)

    async def _change(self, content: Content, keep_picture: bool) -> EditableMessage:
        assert self.interaction.message is not None, "a button belongs to a message"
        changes: dict[str, Any] = {"content": markdown(content.text), "view": view_of(content)}
        # Any: discord.py's own sentinel means "leave it", and its type is not public.
        if not keep_picture:
            changes["attachments"] = files_of(content)
        message = self.interaction.message
        at = message.created_at
        if self._is_acknowledged:
            at = shown_at(await self.interaction.edit_original_response(**changes))
        else:
            response = await self.interaction.response.edit_message(**changes)
            if response and isinstance(response.resource, discord.Message):
                at = shown_at(response.resource)
        return self._sent(message.id, message.flags.ephemeral, at)

    @property
    def _promised_at(self) -> datetime:
        """About when Discord showed what was deferred: it stamps only the promise.

        Nobody types a command in the second before this.
        """
        took = asyncio.get_running_loop().time() - self._begun
        return self.interaction.created_at + timedelta(seconds=max(0.0, took - REACTION_S))

    def _sent(
        self, message: int, private: bool, at: datetime, *, original: bool = True
    ) -> EditableMessage:
        asked, followup = self.interaction, self.interaction.followup
        edit = asked.edit_original_response if original else partial(followup.edit_message, message)
        return EditableMessage(followup, asked.id, message, private, at, edit)

"""Answering one interaction: in time, once, and with a sentence when something is wrong.

Discord wants to hear something within three seconds. Whoever answers does so as if there were all
the time in the world; if it takes long, a promise goes out first, and the answer then keeps it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Literal

import discord

from bigben_chat.cards import with_signs
from bigben_chat.texts import Say, say_in
from bigben_client import ClientClosed, RefusedError, ServerUnreachable
from bigben_discord.controls import Content
from bigben_discord.interactions.editable_message import Interaction, Sent, with_files_if_allowed
from bigben_discord.telling import race_name

_log = logging.getLogger(__name__)

Kind = Literal["private", "public", "change"]
"""A new message that only its user sees, one that all see, or a change of the button's message."""

SERVER_PATIENCE_S: Final = 10.0
"""How long the race server may take before a player is told that it is away."""
_UNKNOWN_INTERACTION: Final = 10062
_ALREADY_ACKNOWLEDGED: Final = 40060


class Sorry(Exception):
    """The user can't have what they asked for; the message is a sentence for them."""


class Link:
    """How fast pictures reach Discord, measured on the last one."""

    slow = False


class Answer:
    """The answer to one interaction."""

    def __init__(
        self, interaction: Interaction, kind: Kind, patience: float, limit: asyncio.Timeout
    ) -> None:
        """``limit`` is on the race server's time; what Discord takes is not counted."""
        self.interaction = interaction
        self.say: Say = say_in(str(interaction.locale))
        self.kind = kind
        self.about = ""
        """The race that a typed command is about; error messages name it."""
        # Where the bot is a guest, only Discord knows what may be sent; it is asked by sending.
        member = interaction.is_guild_integration()
        self.may_attach = interaction.app_permissions.attach_files or not member
        self._patience = patience
        self._promise_at = asyncio.get_running_loop().time() + patience
        self._limit = limit
        self._promised = False
        self._acknowledged = False
        self._one_at_a_time = asyncio.Lock()

    async def show(self, content: Content, *, keep_picture: bool = False) -> Sent:
        """Answer with this message. ``keep_picture``: that of the changed message stays."""

        async def put(content: Content) -> Sent:
            if self.kind == "change":
                return await self._change(content, keep_picture)
            return await self._send(content)

        async with self._one_at_a_time, self.unhurried():
            content = self._allowed(content)
            try:
                sent = await self._in_time(content, put)
            except discord.Forbidden:
                if content.attached is None or content.plain is None:
                    raise
                await self._promise()
                sent = await put(content.plain)
            # Kept: what goes wrong from now on is said beside it, not in its place.
            self._promised = False
            return sent

    async def leave_as_it_is(self) -> Sent:
        """Answer a control, whose message already shows what came of it."""
        assert self.interaction.message is not None, "a control stands under a message"
        async with self._one_at_a_time:
            if not self._is_acknowledged:
                await self.interaction.response.defer()
            self._promised = False
            message = self.interaction.message
            return self._sent(message.id, message.flags.ephemeral)

    async def tell(self, sentence: str) -> None:
        """Say something to the user alone; messages that are there stay as they are."""
        async with self._one_at_a_time:
            if not self._is_acknowledged:
                await self.interaction.response.send_message(sentence, ephemeral=True)
            elif self._promised and self.kind == "private":
                await self.interaction.edit_original_response(content=sentence)
            else:
                if self._promised and self.kind == "public":
                    # What was promised to all is for one alone now.
                    await self.interaction.delete_original_response()
                await self.interaction.followup.send(sentence, ephemeral=True)

    async def say_sorry(self, error: Exception) -> None:
        """Say what went wrong, and name the race if the player can't see which one it was."""
        sentence = _sentence(error, self.say)
        if self.about:
            race = race_name(self.about, self.say)
            sentence = self.say("about", race=race, text=sentence)
        await self.tell(sentence)

    async def follow_up(self, content: Content, *, private: bool) -> Sent:
        """One more message, after the first."""

        async def put(content: Content) -> Sent:
            message = await self.interaction.followup.send(
                content.text,
                view=content.view,
                files=content.files,
                ephemeral=private,
                wait=True,
            )
            return self._sent(message.id, message.flags.ephemeral, original=False)

        async with self._one_at_a_time, self.unhurried():
            return await with_files_if_allowed(self._allowed(content), put)

    async def promise_in_time(self) -> None:
        """Wait, and then acknowledge if nothing has been said yet."""
        await asyncio.sleep(self._patience)
        async with self._one_at_a_time:
            await self._promise()

    @asynccontextmanager
    async def alone(self, lock: asyncio.Lock) -> AsyncIterator[None]:
        """Hold the lock. Its holder may be sending a picture, which is no server time."""
        async with self.unhurried():
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()

    @property
    def _is_acknowledged(self) -> bool:
        return self._acknowledged or self.interaction.response.is_done()

    async def _promise(self) -> None:
        """Acknowledge the interaction, unless that is done. The answer must follow."""
        if self._is_acknowledged:
            return
        new = self.kind != "change"
        ephemeral = self.kind == "private"
        try:
            await self.interaction.response.defer(ephemeral=ephemeral, thinking=new)
        except discord.HTTPException as error:
            if error.code != _ALREADY_ACKNOWLEDGED:
                raise  # Else what was given up on its way has arrived all the same.
        self._acknowledged = self._promised = True

    async def _in_time(self, content: Content, put: Callable[[Content], Awaitable[Sent]]) -> Sent:
        """Send it; a picture does not hold up the acknowledgement, however slow the link is."""
        if content.attached is None:
            return await put(content)
        loop, link = asyncio.get_running_loop(), self.interaction.client.link
        begun = loop.time()
        if link.slow or begun > self._promise_at - self._patience / 2:
            await self._promise()  # Cheaper than to give up what is half on its way.
        try:
            async with asyncio.timeout_at(None if self._is_acknowledged else self._promise_at):
                return await put(content)
        except TimeoutError:
            await self._promise()
            return await put(content)
        finally:
            link.slow = loop.time() - begun > self._patience / 2

    @asynccontextmanager
    async def unhurried(self) -> AsyncIterator[None]:
        """While a picture is made or sent, the time limit for the server does not run."""
        before = self._limit.when()
        if self._limit.expired():
            before = None  # It is about to end this.
        else:
            self._limit.reschedule(None)
        begun = asyncio.get_running_loop().time()
        try:
            yield
        finally:
            if before is not None:
                self._limit.reschedule(before + asyncio.get_running_loop().time() - begun)

    def _allowed(self, content: Content) -> Content:
        plain = None if self.may_attach or not content.attached else content.plain
        return plain or content

    async def _send(self, content: Content) -> Sent:
        private = self.kind == "private"
        if self._is_acknowledged:
            message = await self.interaction.edit_original_response(
                content=content.text, view=content.view, attachments=content.files
            )
            return self._sent(message.id, private or message.flags.ephemeral)
        response = await self.interaction.response.send_message(
            content.text, view=content.view, files=content.files, ephemeral=private
        )
        assert response.message_id is not None, "a message was sent"
        return self._sent(response.message_id, private or response.is_ephemeral())

    async def _change(self, content: Content, keep_picture: bool) -> Sent:
        assert self.interaction.message is not None, "a control stands under a message"
        changes: dict[str, Any] = {"content": content.text, "view": content.view}
        # Any: discord.py's own sentinel means "leave it", and its type is not public.
        if not keep_picture:
            changes["attachments"] = content.files
        if self._is_acknowledged:
            await self.interaction.edit_original_response(**changes)
        else:
            await self.interaction.response.edit_message(**changes)
        message = self.interaction.message
        return self._sent(message.id, message.flags.ephemeral)

    def _sent(self, message: int, private: bool, *, original: bool = True) -> Sent:
        return Sent(self.interaction, message, private, original)


@asynccontextmanager
async def answering(interaction: Interaction, kind: Kind = "private") -> AsyncIterator[Answer]:
    """The answer to an interaction, acknowledged in time. What goes wrong is told in a sentence."""
    bot = interaction.client
    limit = asyncio.timeout(bot.server_patience)
    answer = Answer(interaction, kind, bot.patience, limit)
    promise = asyncio.create_task(answer.promise_in_time())
    task = asyncio.current_task()
    assert task is not None, "coroutines run in tasks"
    bot.answers_under_way.add(task)
    try:
        try:
            async with limit:
                yield answer
        except Exception as error:
            await answer.say_sorry(error)
        finally:
            promise.cancel()
            await asyncio.gather(promise, return_exceptions=True)
    except discord.NotFound as error:
        # The user has gone on, or this was too late; there is nobody left to tell.
        _log.warning("an answer came too late: %s", error)
    except discord.HTTPException:
        _log.exception("Discord did not take an answer")
    finally:
        bot.answers_under_way.discard(task)


def _sentence(error: Exception, say: Say) -> str:
    """What to tell the user about what went wrong."""
    match error:
        case Sorry():
            return str(error)
        case RefusedError(code="token"):
            _log.error("the race server does not take our tokens: %s", error)
            return say("wrong.key")
        case RefusedError():
            text = with_signs(say.sentence(error.text))
            return say(f"refused.{error.code}", text=discord.utils.escape_markdown(text))
        case TimeoutError() | ServerUnreachable() | ClientClosed():
            return say("wrong.away")
        case discord.NotFound(code=code) if code == _UNKNOWN_INTERACTION:
            raise error
        case _:
            _log.error("an interaction went wrong", exc_info=error)
            return say("wrong.mistake")

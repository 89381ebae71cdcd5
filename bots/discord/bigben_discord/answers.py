"""Answering one interaction: in time, once, and with a sentence when something is wrong.

Discord wants to hear something within three seconds. Whoever answers does so as if there were all
the time in the world; if it takes long, a promise goes out first, and the answer then keeps it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import discord

from bigben_client import ClientClosed, RefusedError, ServerUnreachable
from bigben_discord.cards import with_signs
from bigben_discord.controls import Content
from bigben_discord.telling import race_name
from bigben_discord.texts import Say, say_in

if TYPE_CHECKING:
    from bigben_discord.bot import BigBen

_log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction["BigBen"]

Kind = Literal["private", "public", "change"]
"""A new message that only its user sees, one that all see, or a change of the button's message."""

SERVER_PATIENCE_S: Final = 10.0
"""How long the race server may take before a player is told that it is away."""
_UNKNOWN_INTERACTION: Final = 10062


class Sorry(Exception):
    """The user can't have what they asked for; the message is a sentence for them."""


@dataclass(frozen=True)
class Sent:
    """The message that an answer has become, which its interaction's token can change."""

    interaction: Interaction
    id: int
    private: bool
    """Only its user sees it; Discord may decide so where the bot is a guest."""
    original: bool
    """It is the answer itself, or what the answer changed; no follow-up."""

    @property
    def age(self) -> float:
        """Of the token, in seconds; it lasts for fifteen minutes."""
        return (discord.utils.utcnow() - self.interaction.created_at).total_seconds()

    async def change(self, content: Content) -> None:
        """Bring it to this. Raises discord.HTTPException."""
        if self.original:
            await self.interaction.edit_original_response(
                content=content.text, view=content.view, attachments=content.files
            )
        else:
            await self.interaction.followup.edit_message(
                self.id, content=content.text, view=content.view, attachments=content.files
            )


class Answer:
    """The answer to one interaction."""

    def __init__(self, interaction: Interaction, kind: Kind, patience: float) -> None:
        self.interaction = interaction
        self.say: Say = say_in(str(interaction.locale))
        self.kind = kind
        self.about = ""
        """The race that a typed command is about, which is named in what goes wrong."""
        self._patience = patience
        self._promised = False
        self._one_at_a_time = asyncio.Lock()

    async def show(self, content: Content, *, keep_picture: bool = False) -> Sent:
        """Answer with this message. ``keep_picture``: that of the changed message stays."""
        async with self._one_at_a_time:
            change = self.kind == "change"
            sent = await (self._change(content, keep_picture) if change else self._send(content))
            # Kept: what goes wrong from now on is said beside it, not in its place.
            self._promised = False
            return sent

    async def leave_as_it_is(self) -> Sent:
        """Answer a control, whose message already shows what came of it."""
        assert self.interaction.message is not None, "a control stands under a message"
        async with self._one_at_a_time:
            if not self.interaction.response.is_done():
                await self.interaction.response.defer()
            self._promised = False
            message = self.interaction.message
            return self._sent(message.id, message.flags.ephemeral)

    async def tell(self, sentence: str) -> None:
        """Say something to the user alone; messages that are there stay as they are."""
        async with self._one_at_a_time:
            response = self.interaction.response
            if not response.is_done():
                await response.send_message(sentence, ephemeral=True)
            elif self._promised and self.kind == "private":
                await self.interaction.edit_original_response(content=sentence)
            else:
                if self._promised and self.kind == "public":
                    # What was promised to all is for one alone now.
                    await self.interaction.delete_original_response()
                await self.interaction.followup.send(sentence, ephemeral=True)

    async def follow_up(self, content: Content, *, private: bool) -> Sent:
        """One more message, after the first."""
        async with self._one_at_a_time:
            message = await self.interaction.followup.send(
                content.text,
                view=content.view,
                files=content.files,
                ephemeral=private,
                wait=True,
            )
            return self._sent(message.id, message.flags.ephemeral, original=False)

    async def promise_in_time(self) -> None:
        """Wait, and then acknowledge if nothing has been said yet."""
        await asyncio.sleep(self._patience)
        async with self._one_at_a_time:
            if not self.interaction.response.is_done():
                new = self.kind != "change"
                ephemeral = self.kind == "private"
                await self.interaction.response.defer(ephemeral=ephemeral, thinking=new)
                self._promised = True

    async def _send(self, content: Content) -> Sent:
        private = self.kind == "private"
        if self.interaction.response.is_done():
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
        if self.interaction.response.is_done():
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
    answer = Answer(interaction, kind, interaction.client.patience)
    promise = asyncio.create_task(answer.promise_in_time())
    task = asyncio.current_task()
    assert task is not None, "coroutines run in tasks"
    interaction.client.answers_under_way.add(task)
    try:
        try:
            async with asyncio.timeout(interaction.client.server_patience):
                yield answer
        except Exception as error:
            await answer.tell(_about(answer, _sentence(error, answer.say)))
        finally:
            promise.cancel()
            await asyncio.gather(promise, return_exceptions=True)
    except discord.NotFound as error:
        # The user has gone on, or this was too late; there is nobody left to tell.
        _log.warning("an answer came too late: %s", error)
    except discord.HTTPException:
        _log.exception("Discord did not take an answer")
    finally:
        interaction.client.answers_under_way.discard(task)


def _about(answer: Answer, sentence: str) -> str:
    """The sentence, with the race that it is about where that was not plain to see."""
    if not answer.about:
        return sentence
    race = race_name(answer.about, answer.say)
    return answer.say("about", race=race, text=sentence)


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

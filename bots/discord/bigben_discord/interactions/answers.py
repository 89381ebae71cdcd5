"""All answers of the bot: each in time, and with a sentence for the user when something fails."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakValueDictionary

import discord

from bigben_chat import metrics
from bigben_chat.connections.announcements import Announcements
from bigben_chat.platform import Kind
from bigben_chat.refusals import sentence
from bigben_chat.texts import Say
from bigben_chat.tree import Quoted, Text
from bigben_discord.interactions.answer import Answer, Uploads
from bigben_discord.interactions.interaction import Interaction

_log = logging.getLogger(__name__)

PATIENCE_S: Final = 1.5
"""After this long an interaction is deferred; Discord waits for 3 seconds."""
LAST_ANSWERS_S: Final = 3.0
"""How long to wait for answers under way when the bot stops."""
_UNKNOWN_INTERACTION: Final = 10062


class Answers:
    """Answers interactions; knows which answers are under way."""

    def __init__(
        self, announcements: Announcements, *, patience: float, server_patience: float
    ) -> None:
        self._announcements = announcements
        self.server_patience = server_patience
        self._patience = patience
        self.uploads = Uploads()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._edited: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def to(self, interaction: Interaction, kind: Kind = "private") -> AsyncIterator[Answer]:
        """The answer to an interaction. For an exception the user gets a sentence.

        What changes a message that one user sees waits for the change before: of two edits under
        way at a time nobody knows which will be the last. `RacePosts` edits those that all see one
        at a time; a hundred who press at once need not wait there for each other's requests.
        """
        limit = asyncio.timeout(self.server_patience)
        answer = Answer(interaction, kind, self._patience, limit, self.uploads)
        deferring = asyncio.create_task(answer.defer_in_time())
        task = asyncio.current_task()
        assert task is not None, "coroutines run in tasks"
        self._under_way.add(task)
        try:
            try:
                with metrics.counted(answer):
                    async with limit, answer.alone(self._lock(interaction, kind)):
                        yield answer
                if text := self._announcements.unread(interaction.user.id):
                    await answer.tell(answer.say("announced", text=Quoted(text)))
            except Exception as error:
                await answer.say_sorry(_sentence(error, answer.say))
            finally:
                deferring.cancel()
                await asyncio.gather(deferring, return_exceptions=True)
        except discord.NotFound as error:
            # The user has left the message, or this was too late; there is nobody left to tell.
            _log.warning("an answer came too late: %s", error)
        except discord.HTTPException:
            _log.exception("Discord did not take an answer")
        finally:
            self._under_way.discard(task)

    def _lock(self, interaction: Interaction, kind: Kind) -> asyncio.Lock:
        message = interaction.message
        if kind != "change" or message is None or not message.flags.ephemeral:
            return asyncio.Lock()
        return self._edited.setdefault(message.id, asyncio.Lock())

    async def finish(self) -> None:
        """Wait a little for the answers that are under way."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=LAST_ANSWERS_S)


def _sentence(error: Exception, say: Say) -> Text:
    """What to tell the user about what went wrong."""
    if isinstance(error, discord.NotFound) and error.code == _UNKNOWN_INTERACTION:
        raise error
    return sentence(error, say)

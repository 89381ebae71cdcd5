"""How often public messages are edited: as often as Discord allows."""

from typing import Final

import discord

from bigben_chat.edit_queue import EditQueue, Job, RateLimit
from bigben_discord.posts.race_post import RacePost

OLD_S: Final = 3600.0
"""Discord lets messages older than an hour be edited far less often."""
SLOW: Final = 30
"""Ticks between two edits of such a message."""
PER_SECOND: Final = 25.0
"""Edits of all messages together; Discord takes 50 requests a second from a bot."""


class EditRate:
    """Runs the edits of public messages: one at a time in a channel, one in every tick."""

    def __init__(self, tick: float) -> None:
        """``tick``: seconds between two edits in a channel."""
        self._edits = EditQueue(every=tick)
        self._slow = EditQueue(every=SLOW * tick)
        self._limit = RateLimit(PER_SECOND)

    async def close(self) -> None:
        """Edit nothing from now on."""
        await self._edits.close()
        await self._slow.close()

    async def passed(self) -> None:
        """Wait until one more message may be edited; the limit is on all of them together."""
        await self._limit.passed()

    def ask(self, message: RacePost, job: Job) -> None:
        """Have the message edited soon. Asked again before that, it is edited once."""
        age = discord.utils.utcnow() - discord.utils.snowflake_time(message.post.message)
        # A refused edit is not repeated every second: Discord would lock the bot out for that.
        hopeless = message.guest and message.editable is None
        slow = age.total_seconds() > OLD_S or message.tries or hopeless
        edits = self._slow if slow else self._edits
        edits.ask(message.post.channel, message.post.message, job)

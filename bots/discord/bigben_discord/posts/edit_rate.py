"""How often public messages are edited: as often as Discord allows."""

from typing import Final

import discord

from bigben_chat.edit_queue import EditQueue, Job, RateLimit
from bigben_chat.records import Post
from bigben_chat.store import ChatId

OLD_S: Final = 3600.0
"""From this age on Discord lets messages be edited less often: three times in six seconds, for all
such messages of a channel together. Beyond that it answers 429 with the code 30046."""
OLD: Final = 2.05
"""Ticks from the end of one edit of an old message to the next. Of four in a row, the last arrives
more than six ticks after the first."""
REFUSED: Final = 30
"""Ticks between two edits of a message whose last edit was refused."""
PER_SECOND: Final = 25.0
"""Edits of all messages together; Discord takes 50 requests a second from a bot."""


class EditRate:
    """Runs the edits of public messages, one at a time in a channel: one in every tick."""

    def __init__(self, tick: float) -> None:
        """``tick``: seconds between two edits in a channel."""
        self._recent = EditQueue(every=tick)
        self._old = EditQueue(every=OLD * tick, rest=OLD * tick)
        self._refused = EditQueue(every=REFUSED * tick)
        self._limit = RateLimit(PER_SECOND)

    async def close(self) -> None:
        """Edit nothing from now on."""
        for queue in (self._recent, self._old, self._refused):
            await queue.close()

    async def passed(self, of: ChatId) -> None:
        """Wait until one more message may be edited; the limit is on all of them together."""
        await self._limit.passed()

    def ask(self, post: Post, job: Job, *, refused: bool) -> None:
        """Have the post edited soon. Asked again before that, it is edited once."""
        # A refused edit is not repeated every second: Discord would lock the bot out for that.
        age = discord.utils.utcnow() - discord.utils.snowflake_time(int(post.message))
        usual = self._old if age.total_seconds() > OLD_S else self._recent
        (self._refused if refused else usual).ask(post.channel, post.message, job)

"""How often public messages are edited, by what Discord allows. Edits none itself."""

from typing import Final

import discord

from bigben_chat.edit_queue import Edits, Gate, Job
from bigben_discord.posts.race_post import PublicMessage

OLD_S: Final = 3600.0
"""Discord lets messages older than an hour be edited far less often."""
SLOW: Final = 30
"""Ticks between two edits of such a message."""
PER_SECOND: Final = 25.0
"""Edits of all messages together; Discord takes 50 requests a second from a bot."""


class Pace:
    """Runs the edits of public messages: one at a time in a channel, one in every tick."""

    def __init__(self, tick: float) -> None:
        """``tick``: seconds between two edits in a channel."""
        self._edits = Edits(every=tick)
        self._slow = Edits(every=SLOW * tick)
        self._gate = Gate(PER_SECOND)

    async def close(self) -> None:
        """Edit nothing any more."""
        await self._edits.close()
        await self._slow.close()

    async def passed(self) -> None:
        """Wait until one more message may be edited, of all together."""
        await self._gate.passed()

    def ask(self, held: PublicMessage, job: Job) -> None:
        """Have the message edited soon. Asked again before that, it is edited once."""
        age = discord.utils.utcnow() - discord.utils.snowflake_time(held.post.message)
        # What Discord refuses is not asked for every second: it would shut the bot out for that.
        slow = age.total_seconds() > OLD_S or held.tries or (held.guest and held.sent is None)
        edits = self._slow if slow else self._edits
        edits.ask(held.post.channel, held.post.message, job)

"""How many events a platform bears that limits all that a bot sends together.

It gives the bot a bucket, which time fills. Answers to users take from it whatever is in it; what
can wait does so while it is low. The bot learns from "too fast" whether it has less than it
thought, and otherwise whether it has more.
"""

import asyncio
from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

from bigben_chat.edit_queue import EditQueue, Job
from bigben_chat.records import Post
from bigben_chat.store import ChatId

SLOWEST: Final = 8.0
FASTEST: Final = 0.01
"""How much the time between two events may become of what it is at first."""
FASTER: Final = 0.9
"""What every event that is let pass makes of the time to the next."""
LESS: Final = 1.5
"""What "too fast" makes of it, at least."""
MORE: Final = 0.7
"""What an event makes of it that went through although the bucket should have been empty."""
FORGIVEN: Final = 0.99
"""What it makes of the time that was too short once."""
REFUSED: Final = 6
"""How much longer it takes until a message is edited again whose last edit was refused."""


class BudgetedEdits:
    """Runs the edits of posts, one at a time in a place; implements `EditRate`."""

    def __init__(self, every: float, burst: int, counts: Callable[[], tuple[int, int]]) -> None:
        """``every``: seconds between two edits in a place. For the rest see `Budget`."""
        self._counts = counts
        self._usual = EditQueue(every=every)
        self._refused = EditQueue(every=REFUSED * every)
        self._budget = Budget(every, burst, counts)
        self._for_answers = burst // 3
        self._lines = WeakValueDictionary[ChatId, asyncio.Lock]()

    async def close(self) -> None:
        """Edit nothing from now on."""
        for queue in (self._usual, self._refused):
            await queue.close()

    async def passed(self, of: ChatId) -> None:
        """Wait until one more message may be edited, and answers would not have to wait."""
        # One of them at a time stands in the line of all.
        async with self._lines.setdefault(of, asyncio.Lock()):
            await self._budget.passed(self._for_answers)

    def ask(self, post: Post, job: Job, *, refused: bool) -> None:
        """Have the post edited soon. Asked again before that, it is edited once."""
        (self._refused if refused else self._usual).ask(post.channel, post.message, job)

    def has_spare(self) -> bool:
        """Whether there is room for what nobody waits for, not even an edit.

        As long as nothing was too fast, there is.
        """
        return not self._counts()[1] or self._budget.has(2 * self._for_answers)


class Budget:
    """The bucket as it probably is."""

    def __init__(self, every: float, burst: int, counts: Callable[[], tuple[int, int]]) -> None:
        """``every``: seconds in which one event more is allowed, at first; ``burst``: at most.

        ``counts``: how many events were sent, and how often that was too fast.
        """
        self._first = self._gap = every
        self._shortest = FASTEST * every
        """Of these seconds, the fewest that the platform is thought to bear."""
        self._burst = burst
        self._counts = counts
        self._level = float(burst)
        self._at = 0.0
        self._sent, self._limited = counts()
        self._promised = 0
        """Events that were let pass and may not be sent yet."""
        self._one_at_a_time = asyncio.Lock()

    async def passed(self, leave: int) -> None:
        """Wait until one event may be sent, and so many are left for those that can't wait."""
        async with self._one_at_a_time:
            self._fill()
            while (missing := leave + 1 - self._level) > 0:
                await asyncio.sleep(min(missing, 1.0) * self._gap)
                self._fill()
            self._level -= 1
            self._promised += 1
            self._gap = max(self._shortest, self._gap * FASTER)
            self._shortest = max(FASTEST * self._first, self._shortest * FORGIVEN)

    def has(self, events: int) -> bool:
        """Whether there is room for so many."""
        self._fill()
        return self._level >= events

    def _fill(self) -> None:
        """Take in the time that has passed and what was sent in it."""
        now, (total, limited) = asyncio.get_running_loop().time(), self._counts()
        sent = total - self._sent
        promised = min(sent, self._promised)
        filled = min(self._burst, self._level + (now - self._at) / self._gap)
        level = filled - (sent - promised)
        self._at, self._sent, self._promised = now, total, self._promised - promised
        self._level = max(level, 0.0)
        if limited > self._limited:
            self._limited, self._level = limited, 0.0
            if level >= 1:  # If it was empty, that is what answers are told then.
                slowest = SLOWEST * self._first
                self._shortest = min(slowest, LESS * self._gap)
                self._gap = min(slowest, max(self._shortest, self._first))
        elif level < 0:
            # What went through with an empty bucket shows that there is more in it.
            self._gap = max(self._shortest, self._gap * MORE**-level)

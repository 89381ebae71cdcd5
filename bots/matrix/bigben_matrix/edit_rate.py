"""How often the bot edits posts: as often as a homeserver bears, and answers come first."""

from typing import Final

from bigben_chat.budget import Budget
from bigben_chat.edit_queue import EditQueue, Job
from bigben_chat.records import Post
from bigben_matrix.homeserver import Figures

EVERY: Final = 5
"""Ticks between two edits in a room. As often Synapse fills a user's bucket by one event."""
BURST: Final = 10
"""Events that Synapse takes at once."""
FOR_ANSWERS: Final = 3
"""Of these, what edits leave for answers."""
SPARE: Final = 6
"""What has to be there for what nobody waits for, such as the bot's own reactions."""
REFUSED: Final = 30
"""Ticks between two edits of a message whose last edit was refused."""


class EditRate:
    """Runs the edits of posts, one at a time in a room."""

    def __init__(self, tick: float, figures: Figures) -> None:
        """``figures``: what the homeserver was sent, and how often that was too fast."""
        self._usual = EditQueue(every=EVERY * tick)
        self._refused = EditQueue(every=REFUSED * tick)
        self._budget = Budget(EVERY * tick, BURST, lambda: (figures.events, figures.limited))

    async def close(self) -> None:
        """Edit nothing from now on."""
        for queue in (self._usual, self._refused):
            await queue.close()

    async def passed(self) -> None:
        """Wait until one more message may be edited."""
        await self._budget.passed(FOR_ANSWERS)

    def ask(self, post: Post, job: Job, *, refused: bool) -> None:
        """Have the post edited soon. Asked again before that, it is edited once."""
        (self._refused if refused else self._usual).ask(post.channel, post.message, job)

    def has_spare(self) -> bool:
        """Whether there is room for what nobody waits for."""
        return self._budget.has(SPARE)

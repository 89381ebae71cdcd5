"""Asks a platform again that is away, or wants to be asked less often, until it answers."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Final, TypeVar

from bigben_chat.metrics import REFUSALS, refused
from bigben_chat.platform import Away, PlatformError

_log = logging.getLogger(__name__)

PATIENCE_S: Final = 60.0
"""How long a platform that can't be reached is asked again."""
FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 10.0
USUAL_LIMIT_S: Final = 5.0
"""The pause of a request that was refused, if the platform names none."""
LONGEST_LIMIT_S: Final = 600.0
"""How long a request waits because the platform says so."""
Answer = TypeVar("Answer")


class NoAnswer(Exception):
    """The platform was not reached, or could not do it now. Nobody knows whether it did it."""


class Limited(Exception):
    """The platform refused it, because the bot asks too often."""

    def __init__(self, wait: float) -> None:
        """``wait``: for how many seconds."""
        super().__init__(f"asked to wait for {wait:.0f} s")
        self.wait = wait


class Retries:
    """Everything that the bot asks a platform."""

    def __init__(self) -> None:
        self.limited = 0
        """How often the platform asked the bot to wait."""
        self.reached = False
        """Whether the platform answered the last request."""
        self._told = False
        """Whether the operator was told that it did not."""
        # Requests that were told to wait are sent one after another: all at once they would
        # only be told so again.
        self._lines: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def until_answered(
        self, ask: Callable[[], Awaitable[Answer]], kind: str, *, twice: bool = True
    ) -> Answer:
        """What ``ask`` returns, at last. It raises NoAnswer or Limited to be called again.

        Limits hold for a ``kind``. Not ``twice``: if nobody knows whether it was done, it is not
        asked again. Raises Away.
        """
        clock = asyncio.get_running_loop().time
        pause, give_up, limited_until = (
            FIRST_PAUSE_S,
            clock() + PATIENCE_S,
            clock() + LONGEST_LIMIT_S,
        )
        async with AsyncExitStack() as line:
            in_line = False
            while True:
                try:
                    answer = await ask()
                    self._answered()
                    return answer
                except Limited as error:
                    REFUSALS.labels("limit").inc()
                    self.limited += 1
                    ready = clock() + error.wait
                    if ready > limited_until:
                        raise Away(str(error)) from None
                    if not in_line:
                        await line.enter_async_context(self._lines[kind])
                        in_line = True
                    give_up = max(clock(), ready) + PATIENCE_S
                except PlatformError as error:
                    refused(error)
                    raise
                except NoAnswer as error:
                    self._not_reached(error)
                    ready, pause = clock() + pause, min(pause * 2, LONGEST_PAUSE_S)
                    if not twice or ready > give_up:
                        raise Away(str(error)) from None
                await asyncio.sleep(ready - clock())

    def _not_reached(self, error: NoAnswer) -> None:
        REFUSALS.labels("away").inc()
        if not self._told:
            _log.warning("The platform can't be reached: %s. It is tried again.", error)
        self.reached, self._told = False, True

    def _answered(self) -> None:
        if self._told:
            _log.warning("The platform answers again.")
        self.reached, self._told = True, False


def seconds(milliseconds: object, header: str) -> float:
    """How long to wait, as an answer of JSON says, or its header ``Retry-After``, or neither."""
    if isinstance(milliseconds, int | float) and milliseconds > 0:
        return milliseconds / 1_000
    return float(header) if header.isdecimal() else USUAL_LIMIT_S

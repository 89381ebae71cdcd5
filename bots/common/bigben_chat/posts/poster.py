"""Makes the posts that are due, once each, whatever fails meanwhile, and tells who can mend it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, Literal, TypeAlias, TypeVar

import msgspec

from bigben_chat.messages.content import Content
from bigben_chat.platform import Away, Gone, NotAllowed, Platform, PlatformError
from bigben_chat.records import PlaceRecord, group_record
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say, say_in
from bigben_chat.tree import Name, Place
from bigben_client import ClientError

_log = logging.getLogger(__name__)

AGAIN_S: Final = 30.0
"""Until a failed post is tried again."""
REFUSED_AGAIN_S: Final = 600.0
"""The same where the platform has refused it; sooner if permissions have changed."""
LONGEST_WAIT_S: Final = 3600.0
"""Clocks are corrected and time zones change, so it looks again after this long at the latest."""
Record = TypeVar("Record", bound=PlaceRecord)
Look: TypeAlias = Callable[[], Awaitable[float]]
"""Makes what is due, by `Poster.post`. Returns the seconds until it must look again."""


@dataclass(frozen=True)
class Due(Generic[Record]):
    """A post that is due, and the record that says whether it was made."""

    kind: Literal["guild", "season"]
    """Of the record, under this kind and this key."""
    key: str
    type: type[Record]
    group: ChatId
    make: Callable[[], Awaitable[None]]
    mark: Callable[[Record], Record]
    """The record once the post is made."""
    unmark: Callable[[Record], Record]
    """The record, whatever else has changed, if it was not made after all."""


class Poster:
    """Looks again and again for what is due, and makes it."""

    def __init__(
        self,
        platform: Platform,
        store: Store,
        look: Look,
        *,
        server_patience: float,
        now: Callable[[], datetime],
    ) -> None:
        """``server_patience``: seconds that the race server may take for a post."""
        self.server_patience = server_patience
        self.now = now
        self._platform = platform
        self._store = store
        self._look = look
        self._woken = asyncio.Event()
        self._refused: dict[tuple[str, str], ChatId] = {}
        """What is not allowed now, by kind and key, and in which group."""

    def wake(self) -> None:
        """Look now: settings or the clock have changed."""
        self._woken.set()

    def permissions_changed(self, group: ChatId) -> None:
        """Try again now if a post was refused there."""
        if str(group) in map(str, self._refused.values()):
            self.wake()

    async def run(self) -> None:
        """Post until cancelled."""
        while True:
            self._woken.clear()
            wait = min(await self._look(), LONGEST_WAIT_S)
            try:
                async with asyncio.timeout(wait):
                    await self._woken.wait()
            except TimeoutError:
                pass

    async def post(self, due: Due[Record]) -> float:
        """Make a post. Return the seconds until a retry, if one is needed."""
        # Stored first: a bot that dies while posting does not post twice.
        self._change(due, due.mark)
        try:
            async with asyncio.timeout(self.server_patience):
                await due.make()
        except (NotAllowed, Gone) as error:
            self._change(due, due.unmark)
            self._refused[due.kind, due.key] = due.group
            await self._tell(due, gone=isinstance(error, Gone))
            return REFUSED_AGAIN_S
        except (ClientError, Away, OSError) as error:
            _log.warning("A post of %s %s waits: %s", due.kind, due.key, error)
            self._change(due, due.unmark)
            return AGAIN_S
        except PlatformError as error:
            _log.warning("A post of %s %s can't be made: %s", due.kind, due.key, error)
        except Exception:
            # Our mistake, and in this post alone; the others are still made.
            _log.exception("a post of %s %s went wrong", due.kind, due.key)
        else:
            self._refused.pop((due.kind, due.key), None)
            self._change(due, lambda record: msgspec.structs.replace(record, told=False))
        return LONGEST_WAIT_S

    def say(self, group: ChatId) -> Say:
        """The language of a group's posts."""
        chosen = group_record(self._store, group).language
        return say_in(chosen or self._platform.group_locale(group))

    def _change(self, due: Due[Record], change: Callable[[Record], Record]) -> Record | None:
        """Store the record so, as it is now: it may have changed while a post was made."""
        before = self._store.get(due.kind, due.key, due.type)
        if before is None:
            return None
        if (after := change(before)) != before:
            self._store.put(due.kind, due.key, after)
        return before

    async def _tell(self, due: Due[Record], *, gone: bool) -> None:
        """Tell the user who chose the place, or the owner, once how to fix it."""
        record = self._change(due, lambda record: msgspec.structs.replace(record, told=True))
        if record is None or record.told:
            return
        user = self._platform.manager_of(due.group, record)
        _log.warning(
            "A post of %s %s waits: %s. A manager of the group can fix it.",
            due.kind,
            due.key,
            "its place is gone" if gone else "the bot may not write in its place",
        )
        if not user:
            return
        name = Name(self._platform.group_name(due.group))
        about = "post" if due.kind == "guild" else "season"
        key = f"{about}.{'gone' if gone else 'refused'}"
        text = self.say(due.group)(key, guild=name, channel=Place(record.channel))
        try:
            await self._platform.tell(user, Content(text))
        except Exception as error:
            # They accept no messages, or the bot is about to stop. Continue with other groups.
            _log.info("User %s could not be told: %s", user, error)

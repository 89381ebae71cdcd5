"""What users ask, each once and in their order, whatever is restarted in between.

For platforms that tell a bot what was said, and expect no answer in time. A request is stored
before it runs. If the bot was stopped while it ran, it runs once more, and is told so.
"""

import asyncio
import heapq
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final, Generic, Literal, TypeAlias, TypeVar

import msgspec

from bigben_chat.platform import Away, PlatformError
from bigben_chat.store import Store

_log = logging.getLogger(__name__)

MOST_WAITING: Final = 20
"""So many requests of one user wait."""
OLD_S: Final = 600.0
"""What was said so long ago is not obeyed."""

What = TypeVar("What")
Refused: TypeAlias = Literal["", "wrong.too_old", "wrong.too_fast"]


class Request(msgspec.Struct, Generic[What], frozen=True, omit_defaults=True):
    """What somebody asked, or what else has to be seen to, under the kind "request".

    It is there for a while after it is done, so that it is not done again.
    """

    key: str
    """The platform's id of it."""
    lane: str
    """Those in one lane run one after another: the user, or the place."""
    what: What
    number: int
    """In the order in which they came."""
    keep_until: float
    """Until when it is remembered, in seconds since 1970."""
    at: float | None = None
    """When a user asked, in seconds since 1970; None if no user did."""
    state: Literal["waiting", "begun", "done"] = "waiting"
    refused: Refused = ""
    """The sentence to say instead; empty if it is to be done."""


class Requests(Generic[What]):
    """Runs requests: those of one lane in order, all lanes side by side."""

    def __init__(
        self,
        store: Store,
        stored: type[Request[What]],
        run: Callable[[Request[What], bool], Awaitable[None]],
        now: Callable[[], datetime],
    ) -> None:
        """``run(request, again)`` sees to a request; ``again``: it had begun before.

        It says `Request.refused` if there is such a sentence. If it raises Away, it is called
        again; no other exception reaches anybody. ``stored``: the type in the store.
        """
        self._store = store
        self._stored = stored
        self._run = run
        self._now = now
        self._tasks: asyncio.TaskGroup
        self._lanes: dict[str, deque[Request[What]]] = {}
        self._done: list[tuple[float, str]] = []
        """Until when which requests are remembered, the first to be forgotten first."""
        self._number = 0

    def resume(self, tasks: asyncio.TaskGroup) -> None:
        """Go on with what an earlier run of the bot has stored. ``tasks`` runs all requests."""
        self._tasks = tasks
        stored = [request for _, request in self._store.all("request", self._stored)]
        for request in sorted(stored, key=lambda one: one.number):
            self._number = request.number
            if request.state == "done":
                heapq.heappush(self._done, (request.keep_until, request.key))
            elif request.state == "begun":
                self._start(request)
            else:
                self._admit(request)

    def get(self, key: str) -> What | None:
        """What was asked by this key, lately, unless it was refused."""
        found = self._store.get("request", key, self._stored)
        return found.what if found and not found.refused else None

    def add(
        self, key: str, lane: str, what: What, *, at: float | None = None, keep: float = OLD_S
    ) -> None:
        """Store and start a request. One that is known already is not run again.

        The caller may do more in the same transaction: nothing runs before it is awaited.
        """
        now = self._now().timestamp()
        while self._done and self._done[0][0] < now:
            self._store.drop("request", heapq.heappop(self._done)[1])
        if self._store.get("request", key, self._stored) is None:
            self._number += 1
            self._admit(Request(key, lane, what, self._number, now + keep, at))

    def _admit(self, request: Request[What]) -> None:
        refused = self._refused(request)
        if refused is None:
            self._store.drop("request", request.key)
            return
        request = msgspec.structs.replace(request, refused=refused)
        self._store.put("request", request.key, request)
        self._start(request)

    def _refused(self, request: Request[What]) -> Refused | None:
        """The sentence to say instead; None if it is about to be said."""
        waiting = self._lanes.get(request.lane, ())
        refused: Refused = ""
        if request.at is not None and self._now().timestamp() - request.at > OLD_S:
            refused = "wrong.too_old"
        elif request.at is not None and len(waiting) >= MOST_WAITING:
            refused = "wrong.too_fast"
        return None if refused and waiting and waiting[-1].refused == refused else refused

    def _start(self, request: Request[What]) -> None:
        lane = self._lanes.get(request.lane)
        if lane is None:
            lane = self._lanes[request.lane] = deque()
            self._tasks.create_task(self._work(request.lane))
        lane.append(request)

    async def _work(self, lane: str) -> None:
        waiting = self._lanes[lane]
        while waiting:
            await self._see_to(waiting[0])
            waiting.popleft()
        del self._lanes[lane]

    async def _see_to(self, request: Request[What]) -> None:
        again = request.state == "begun"
        if not again:
            self._put(request, "begun")
        while True:
            try:
                await self._run(request, again)
            except Away as error:
                if self._now().timestamp() < request.keep_until:
                    again = True
                    continue
                _log.warning("given up: %s", error)
            except PlatformError as error:
                _log.warning("refused: %s", error)
            except Exception:  # a mistake in one request does not end the bot
                _log.exception("a request failed")
            break
        self._put(request, "done")
        heapq.heappush(self._done, (request.keep_until, request.key))

    def _put(self, request: Request[What], state: Literal["begun", "done"]) -> None:
        self._store.put("request", request.key, msgspec.structs.replace(request, state=state))

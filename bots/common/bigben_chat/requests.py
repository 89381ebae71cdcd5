"""What happens in rooms, seen to once and in order, whatever is restarted in between.

For platforms that tell a bot what was said, and expect no answer in time. What happened is stored
before anything is done about it. If the bot was stopped while it ran, it runs once more, and is
told so.
"""

import asyncio
import heapq
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import Final, Literal, TypeAlias

import msgspec

from bigben_chat.happenings import Asked, Happening, Reacted, Redacted, Unreacted
from bigben_chat.platform import Away, PlatformError
from bigben_chat.store import Store

_log = logging.getLogger(__name__)

MOST_WAITING: Final = 20
"""So many requests of one user wait."""
MOST_A_MINUTE: Final = 120
"""So many requests of one user are obeyed in a minute: another bot may answer every answer."""
OLD_S: Final = 600.0
"""What was said so long ago is not obeyed."""
FINISH_S: Final = 5.0
"""How long a bot that is stopped does what it has begun."""
TAKE_BACK_S: Final = 86_400.0
"""For so long a reaction can be taken back."""

Refused: TypeAlias = Literal["", "wrong.too_old", "wrong.too_fast"]


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that has to be seen to, under the kind "request".

    It is there for a while after it is done, so that it is not done again.
    """

    key: str
    what: Happening
    number: int
    """In the order in which they came."""
    taken: float
    """When, in seconds since 1970."""
    state: Literal["waiting", "begun", "done"] = "waiting"
    refused: Refused = ""
    """The sentence to say instead; empty if it is to be done."""

    @property
    def lane(self) -> str:
        """Those of one user run one after another, and so does what happens to one room."""
        return self.what.sender if isinstance(self.what, Asked) else self.what.room

    @property
    def keep_until(self) -> float:
        """Until when it is remembered, in seconds since 1970."""
        return self.taken + (TAKE_BACK_S if isinstance(self.what, Reacted) else OLD_S)


class Requests:
    """Runs requests: those of one lane in order, all lanes side by side."""

    def __init__(
        self,
        store: Store,
        run: Callable[[Request, bool], Awaitable[None]],
        wanted: Callable[[Happening], bool],
        now: Callable[[], datetime],
    ) -> None:
        """``run(request, again)`` sees to a request; ``again``: it had begun before.

        It says `Request.refused` if there is such a sentence. If it raises Away, it is called
        again; no other exception reaches anybody. What happens to rooms means the same when it
        is seen to twice. ``wanted``: whether `run` has anything to do about it.
        """
        self._store = store
        self._run = run
        self._wanted = wanted
        self._now = now
        self._tasks: asyncio.TaskGroup
        self._working: set[asyncio.Task[None]] = set()
        self._stopped = False
        self._lanes: dict[str, deque[Request]] = {}
        self._done: list[tuple[float, str]] = []
        """Until when which requests are remembered, the first to be forgotten first."""
        self._number = 0
        self._minute, self._asked = 0, Counter[str]()
        """The present minute, and how much each user has asked for in it."""

    def resume(self, tasks: asyncio.TaskGroup) -> None:
        """Go on with what an earlier run of the bot has stored. ``tasks`` runs all requests."""
        self._tasks = tasks
        stored = [request for _, request in self._store.all("request", Request)]
        for request in sorted(stored, key=lambda one: one.number):
            self._number = request.number
            if request.state == "done":
                heapq.heappush(self._done, (request.keep_until, request.key))
            elif request.state == "begun":
                self._start(request)
            else:
                self._admit(request)

    async def finish(self) -> None:
        """Begin nothing more, and wait a while for what has begun. Another run does the rest."""
        self._stopped = True
        if self._working:
            await asyncio.wait(self._working, timeout=FINISH_S)

    def take(self, happened: Iterable[Happening]) -> None:
        """Store and start what there is to do about it. Nothing is done twice.

        The caller may do more in the same transaction: nothing runs before something is awaited.
        """
        now = self._now().timestamp()
        while self._done and self._done[0][0] < now:
            self._store.drop("request", heapq.heappop(self._done)[1])
        for what in map(self._taken_back, happened):
            self._number += 1
            key = what.event if isinstance(what, Asked) else str(self._number)
            if self._wanted(what) and self._store.get("request", key, Request) is None:
                self._admit(Request(key, what, self._number, now))

    def _taken_back(self, what: Happening) -> Happening:
        """What a user takes back by deleting their reaction: its own event says it no more."""
        if isinstance(what, Redacted):
            found = self._store.get("request", what.target, Request)
            taken = found.what if found and not found.refused else None
            if isinstance(taken, Reacted) and taken.sender == what.sender:
                about = (what.room, what.event, what.sender, what.name, what.at)
                return Unreacted(*about, taken.target, taken.key)
        return what

    def _admit(self, request: Request) -> None:
        refused = self._refused(request)
        if refused is None:
            self._store.drop("request", request.key)
            return
        request = msgspec.structs.replace(request, refused=refused)
        self._store.put("request", request.key, request)
        self._start(request)

    def _refused(self, request: Request) -> Refused | None:
        """The sentence to say instead; None if one is about to be said."""
        if not isinstance(what := request.what, Asked):
            return ""
        waiting = self._lanes.get(request.lane, ())
        now = self._now().timestamp()
        if (minute := int(now // 60)) != self._minute:
            self._minute, self._asked = minute, Counter()
        self._asked[request.lane] += 1
        if self._asked[request.lane] > MOST_A_MINUTE + 1:
            return None
        refused: Refused = ""
        if now - what.at / 1_000 > OLD_S:
            refused = "wrong.too_old"
        elif len(waiting) >= MOST_WAITING or self._asked[request.lane] > MOST_A_MINUTE:
            refused = "wrong.too_fast"
        return None if refused and waiting and waiting[-1].refused else refused

    def _start(self, request: Request) -> None:
        lane = self._lanes.get(request.lane)
        if lane is None:
            lane = self._lanes[request.lane] = deque()
            working = self._tasks.create_task(self._work(request.lane))
            self._working.add(working)
            working.add_done_callback(self._working.discard)
        lane.append(request)

    async def _work(self, lane: str) -> None:
        waiting = self._lanes[lane]
        while waiting and not self._stopped:
            await self._see_to(waiting[0])
            waiting.popleft()
        del self._lanes[lane]

    async def _see_to(self, request: Request) -> None:
        again = request.state == "begun"
        if not again:
            self._put(request, "begun")
        while True:
            try:
                await self._run(request, again)
            except Away as error:
                if self._now().timestamp() - request.taken < OLD_S:
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

    def _put(self, request: Request, state: Literal["begun", "done"]) -> None:
        self._store.put("request", request.key, msgspec.structs.replace(request, state=state))

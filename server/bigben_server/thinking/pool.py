"""A pool of processes that compute for players, with a bounded queue; the urgent comes first.

The processes are started when they are needed, are nice to all others, and may be killed at any
time: the question is asked again. Nothing is computed in the server's own process.
"""

import asyncio
import logging
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, TypeVar, TypeVarTuple

from bigben_protocol.sentence import Sentence, sentence
from bigben_server.race.events import Refusal
from bigben_server.tasks import not_cancelled
from bigben_server.thinking.child import LENGTH_BYTES, Answer, framed

_log = logging.getLogger(__name__)

MOST_WAITING: Final = 100
"""How many questions of each urgency may wait or be computed."""
LONGEST_S: Final = 120.0
"""A question that takes longer is given up. Most should take a second, because what is more urgent
waits for the one that is being computed."""
PUT_OFF: Final = 50
"""How many analyses' questions that come later go before one for which nobody waits. Otherwise
players who always ask for analyses could keep tomorrow's dailies from being prepared."""
_ATTEMPTS: Final = 2
"""How often a question is asked whose process dies."""
_NONE: Final = sentence("server.computes_nothing")
_FULL: Final = sentence("server.computes_too_much")
_BROKEN: Final = sentence("server.not_computed")
_STOPS: Final = sentence("server.stopping")

_Args = TypeVarTuple("_Args")
_Result = TypeVar("_Result")


class Urgent(IntEnum):
    """How long somebody can wait for an answer."""

    COUNTDOWN = 0
    """A room waits, and only for a few seconds: its deal."""
    NOW = 1
    """A player looks at the screen: a hint."""
    SOON = 2
    """A player waits, and sees the progress: an analysis."""
    LATER = 3
    """Nobody waits: tomorrow's daily. It may be put off, but not for ever; see ``PUT_OFF``."""


@dataclass(slots=True, eq=False)
class _Question:
    asked: bytes
    answer: asyncio.Future[Any]  # Any: whatever the function returns
    process: asyncio.subprocess.Process | None = None
    """The one that computes it now."""


@dataclass(slots=True, eq=False)
class Pool:
    """Computes what is asked, in ``size`` processes; 0 for none. ``run`` must run meanwhile."""

    size: int
    longest_s: float = LONGEST_S
    most_waiting: int = MOST_WAITING
    _queue: asyncio.PriorityQueue[tuple[Urgent, float, _Question]] = field(
        default_factory=asyncio.PriorityQueue
    )
    _last: int = 0
    """The number of the last question: among equally urgent ones, the first comes first."""
    _asked: Counter[Urgent] = field(default_factory=Counter)
    """How many wait or are computed."""

    def check(self) -> None:
        """Raises Refusal if this server computes nothing."""
        if not self.size:
            raise Refusal("busy", _NONE)

    async def ask(
        self, function: Callable[[*_Args], _Result], *args: *_Args, urgent: Urgent = Urgent.SOON
    ) -> _Result:
        """Compute ``function(*args)`` in another process, which imports the function by its name.

        Raises Refusal if the pool is empty, full or stopped, or if the question kills its process
        or takes too long; and whatever the function raises. A caller that is cancelled ends the
        computation.
        """
        self.check()
        if self._asked[urgent] >= self.most_waiting:
            raise Refusal("busy", _FULL)
        question = _Question(
            framed(pickle.dumps((function, args))), asyncio.get_running_loop().create_future()
        )
        self._asked[urgent] += 1
        self._last += 1
        if urgent is Urgent.LATER:
            self._queue.put_nowait((Urgent.SOON, self._last + PUT_OFF + 0.5, question))
        else:
            self._queue.put_nowait((urgent, self._last, question))
        try:
            result: _Result = await question.answer
            return result
        finally:
            self._asked[urgent] -= 1
            if question.process:  # the caller was cancelled, or the pool is stopped
                _kill(question.process)

    async def run(self) -> None:
        """Answer until cancelled; then the processes are killed and waiting callers are refused."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self.size):
                    tasks.create_task(self._keep_answering())
        finally:
            while not self._queue.empty():
                *_, question = self._queue.get_nowait()
                _refuse(question, _STOPS)

    async def _keep_answering(self) -> None:
        """Answer one question after another, with one process, or another if that one dies."""
        process = None
        try:
            while not_cancelled():
                *_, question = await self._queue.get()
                for _ in range(_ATTEMPTS):
                    try:
                        process = process or await _started()
                        if question.answer.done():  # its caller was cancelled
                            break
                        question.process = process
                        async with asyncio.timeout(self.longest_s):
                            answered = await _answered(process, question.asked)
                        question.process = None
                        _give(question, answered)
                    except (OSError, EOFError) as error:  # TimeoutError is an OSError
                        if not question.answer.done():
                            _log.warning("a computation was interrupted: %r", error)
                        await _ended(process)
                        process = question.process = None
                        if isinstance(error, TimeoutError):
                            break
                    except BaseException:
                        _refuse(question, _STOPS)
                        raise
                _refuse(question, _BROKEN)
        finally:
            await _ended(process)


async def _started() -> asyncio.subprocess.Process:
    """Raises OSError if the machine can't start another process."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_server.thinking.child"),
        # It is closed when this process ends, however it ends, and the child ends.
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # It needs no key of the server's.
        env={name: value for name, value in os.environ.items() if not name.startswith("BIGBEN_")},
        # Only the server receives Ctrl-C of a terminal.
        start_new_session=True,
    )


async def _answered(process: asyncio.subprocess.Process, asked: bytes) -> Answer:
    """Raises OSError or EOFError if the process ends before it has answered."""
    assert process.stdin is not None, "it is a pipe"
    assert process.stdout is not None, "it is a pipe"
    process.stdin.write(asked)
    await process.stdin.drain()
    length = await process.stdout.readexactly(LENGTH_BYTES)
    answer: Answer = pickle.loads(await process.stdout.readexactly(int.from_bytes(length, "big")))
    return answer


def _give(question: _Question, answered: Answer) -> None:
    returned, what = answered
    if question.answer.done():
        return
    if returned:
        question.answer.set_result(what)
    else:
        question.answer.set_exception(what)


def _refuse(question: _Question, said: Sentence) -> None:
    """Refuse a question that is not answered yet."""
    if not question.answer.done():
        question.answer.set_exception(Refusal("busy", said))


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


async def _ended(process: asyncio.subprocess.Process | None) -> None:
    if process:
        _kill(process)
        await process.wait()

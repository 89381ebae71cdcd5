"""Whether this server process should be sent players, and if not, why."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, get_args

Refuses = Literal["memory", "disk", "replicas", "readonly"]
Kind = Literal["away"] | Refuses

REFUSES: Final[tuple[Refuses, ...]] = get_args(Refuses)
"""Why a store that answers may keep no writes."""
SILENT_S: Final = 3.5
"""The seconds without an answer after which the store counts as away."""


class Trouble(NamedTuple):
    """What keeps the store from keeping what play writes."""

    kind: Kind
    sentence: str
    """For everybody: it names nothing that is private."""


AWAY: Final = Trouble("away", "The store does not answer.")


class NoWrites(NamedTuple):
    text: str
    """A sentence for the operator, which says what to do; without its full stop."""
    trouble: Trouble


_REFUSES: Final[dict[str, tuple[Kind, str, str]]] = {
    "OOM": (
        "memory",
        "its memory is full",
        "its memory is full (`maxmemory`); give it more, or find what grows",
    ),
    "MISCONF": (
        "disk",
        "it can't write to its disk",
        "it can't write to its disk; look for free space there, and into its log",
    ),
    "NOREPLICAS": (
        "replicas",
        "too few of its replicas are there",
        "fewer replicas are there than its `min-replicas-to-write`; bring them back",
    ),
    "READONLY": (
        "readonly",
        "it is a read-only replica",
        "it is a read-only replica; BIGBEN_REDIS_URL must name its master, or the sentinels",
    ),
}
"""By the word with which Redis refuses: what it is, and how players and operators are told."""
_WORDS: Final = re.compile(rf"\b({'|'.join(_REFUSES)})\b")
_CLASSES: Final = {"OutOfMemoryError": "OOM", "ReadOnlyError": "READONLY"}
"""The classes of redis-py that take this word out of the text."""


def refused_writes(error: BaseException) -> NoWrites | None:
    """Why Redis carries out no writes; None if that is not what this error says."""
    found = _WORDS.search(str(error))
    word = found[1] if found else _CLASSES.get(type(error).__name__)
    if word is None:
        return None
    kind, public, text = _REFUSES[word]
    trouble = Trouble(kind, f"The store takes no writes: {public}.")
    return NoWrites(f"Redis takes no writes: {text}", trouble)


def unconfirmed_writes(confirmed: int, wanted: int) -> NoWrites:
    """Too few replicas have confirmed a write that Redis itself has carried out."""
    many = f"only {confirmed} of the {wanted} replicas keep up that must"
    todo = "bring the others back, or start the servers with a smaller BIGBEN_REDIS_WAIT"
    sentence = "The store confirms no writes: too few of its replicas keep up."
    return NoWrites(f"Redis confirms no writes: {many}; {todo}", Trouble("replicas", sentence))


@dataclass(slots=True, eq=False)
class Readiness:
    """The one object of a process that knows it. The reasons name nothing that is private.

    A store that answers is not enough: ready means that it has just kept a write.

    A process that is not ready still serves those who are there, and refuses nobody: what sends
    players to it, such as a load balancer, asks ``/ready`` and sends new ones elsewhere.
    """

    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    drain_changed: Callable[[], None] = lambda: None
    """Called when a drain begins or ends."""
    _answered_at: float = field(init=False)
    _trouble: Trouble | None = None
    _partly: tuple[Trouble, ...] = ()
    _draining: str = ""

    def __post_init__(self) -> None:
        self._answered_at = self.clock()

    def store_works(self, *partly: Trouble) -> None:
        """The store has just kept a write. Call it at least every two seconds while it does.

        ``partly``: what is the matter with some nodes of a cluster.
        """
        self._answered_at, self._trouble, self._partly = self.clock(), None, partly

    def store_fails(self, trouble: Trouble = AWAY) -> None:
        """The store has refused a write, or it can't be reached."""
        self._trouble, self._partly = trouble, ()

    def drain(self, reason: str = "The operator is draining this server.") -> None:
        """Send new players elsewhere until ``end_drain``. Calling it again changes the reason."""
        self._set_drain(reason)

    def end_drain(self) -> None:
        """Idempotent."""
        self._set_drain("")

    def _set_drain(self, reason: str) -> None:
        was_draining, self._draining = self.is_draining, reason
        if self.is_draining != was_draining:
            self.drain_changed()

    @property
    def is_draining(self) -> bool:
        return bool(self._draining)

    def away_s(self) -> float:
        """For how long the store has kept no write; 0 until that is longer than usual."""
        silent = self.clock() - self._answered_at
        return silent if silent > SILENT_S else 0

    def trouble(self) -> Trouble | None:
        """What is the matter with the whole store."""
        return self._trouble or (AWAY if self.away_s() else None)

    def troubles(self) -> list[Trouble]:
        """What is the matter with the store, or with some nodes of it."""
        trouble = self.trouble()
        return [trouble] if trouble else [*self._partly]

    def reasons(self) -> list[str]:
        """Why no players should be sent here, in sentences; empty if they should."""
        trouble = self.trouble()
        return ([trouble.sentence] if trouble else []) + [self._draining] * bool(self._draining)

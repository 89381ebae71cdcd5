"""A player's own game on the client: a snapshot to which each later diff is applied."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar
from zlib import crc32

from msgspec import UNSET

from bigben_protocol.server_messages import Diff, Snapshot
from bigben_protocol.types import Pile, State, Step

_Name = TypeVar("_Name", bound=str)


class Gap(ValueError):
    """A diff is missing before this one: send Resume."""


class Diverged(ValueError):
    """Client and server have different positions: send Resume with ``since`` 0."""


@dataclass(frozen=True, slots=True)
class View:
    """What the player sees after move ``n``."""

    race: str
    n: int
    state: State
    home: int
    ms: int
    piles: Mapping[str, Pile]
    legal: tuple[str, ...]
    """Empty after a diff without legal moves."""
    begun_at: int = 0
    can_undo: bool = False
    home_ms: int = 0
    """When the last card came home, once the game is over; see Standing."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "View":
        """The view in a snapshot. Raises Diverged if the digest does not match the piles."""
        s = snapshot
        now = (s.race, s.n, s.state, s.home, s.ms, s.piles, s.legal, s.begun_at, s.can_undo)
        view = cls(*now, s.home_ms)
        if view.digest != s.digest:
            raise Diverged(f"the digest of the snapshot after move {s.n} does not match its piles")
        return view

    def after(self, diff: Diff) -> "View":
        """The view after one more move. An old diff changes nothing.

        Raises Gap if a diff is missing, and Diverged if the diff does not fit these piles.
        """
        if diff.n <= self.n:
            return self
        if diff.n != self.n + 1:
            raise Gap(f"the diff after move {self.n} is number {diff.n}")
        piles = dict(self.piles)
        for step in diff.steps:
            _take(piles, step)
        view = replace(
            self,
            n=diff.n,
            state=diff.state,
            home=diff.home,
            ms=diff.ms,
            piles=piles,
            legal=diff.legal or (),
            can_undo=diff.can_undo,
            home_ms=diff.home_ms,
        )
        if diff.digest is not UNSET and view.digest != diff.digest:
            raise Diverged(f"the digest of diff {diff.n} does not match the piles after it")
        return view

    @property
    def digest(self) -> int:
        """The CRC-32 of the piles in their order; compare it with the server's."""
        return digest({name: (pile.up, pile.down) for name, pile in self.piles.items()})


def digest(piles: Mapping[_Name, tuple[tuple[str, ...], int]]) -> int:
    """The CRC-32 of the piles as text: ``3:7H,KD``, with face-down cards ``s:56?``.

    >>> digest({"3": (("7H", "KD"), 0), "s": ((), 56)}) == crc32(b"3:7H,KD s:56?")
    True
    """
    return digest_of(
        " ".join(
            f"{name}:{f'{down}?' if down else ''}{','.join(up)}"
            for name, (up, down) in piles.items()
        )
    )


def digest_of(piles: str) -> int:
    """The digest of piles that are given as text."""
    return crc32(piles.encode())


def _take(piles: dict[str, Pile], step: Step) -> None:
    """Move one card. Raises Diverged unless it is the source's top or was face down there."""
    source = piles.get(step.source)
    if source is None or step.target not in piles:
        raise Diverged(f"there is no pile {step.source if source is None else step.target}")
    if source.up and step.how != "turned":
        if source.up[-1] != step.card:
            raise Diverged(f"{step.card} is not on top of pile {step.source}")
        piles[step.source] = Pile(source.up[:-1], source.down)
    elif source.down:
        piles[step.source] = Pile(source.up, source.down - 1)
    else:
        raise Diverged(f"pile {step.source} is empty")
    target = piles[step.target]
    match step.how:
        case "under":
            piles[step.target] = Pile((step.card, *target.up), target.down)
        case "down":
            piles[step.target] = Pile(target.up, target.down + 1)
        case _:
            piles[step.target] = Pile((*target.up, step.card), target.down)

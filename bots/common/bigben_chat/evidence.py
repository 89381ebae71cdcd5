"""The evidence that a bot keeps of races: shown before the start, stored, checked at the end.

`bigben_client.evidence.fairness` makes the check; this module has its texts and its storage.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from bigben_chat.records import KeptRace
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say
from bigben_chat.tree import Small, Text, text
from bigben_client import Finding, Kept, lies, unchecked
from bigben_client.evidence.kept import undealt

MOST_RACES: Final = 20
"""The most races kept for one player; beyond this the oldest are dropped."""
_EVERY: Final = 8
"""Moves between two writes: a bot that is killed loses fewer moves than this."""
_SHOWN: Final = 16
"""How many hex digits of a commitment or nonce a line shows."""


class Evidence:
    """What was seen of every player's races, by user."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        """``clock``: seconds since 1970."""
        self._store = store
        self._clock = clock
        self._written: dict[tuple[ChatId, str], Kept] = {}

    def of(self, user: ChatId) -> list[Kept]:
        """Everything that is stored of this user's races."""
        return [race.kept for _, race in self._store.all("kept", KeptRace, f"{user}:")]

    def note(self, user: ChatId, kept: Kept | None) -> None:
        """Store the evidence of a race if enough has changed. Call it after each event."""
        if kept is None:
            return
        before = self._written.get((user, kept.race))
        if before is None or _tells_more(before, kept):
            self._write(user, kept)

    def flush(self, user: ChatId, kept: Mapping[str, Kept]) -> None:
        """Store everything that is not stored yet. Call it when the user's connection ends."""
        for race in [race for who, race in self._written if who == user]:
            before = self._written.pop((user, race))
            if race in kept and kept[race] != before:
                self._write(user, kept[race])
                del self._written[user, race]

    def forget(self, user: ChatId) -> None:
        """Delete everything of this user. Call it when the user's connection has ended."""
        self._store.drop_under("kept", f"{user}:")

    def _write(self, user: ChatId, kept: Kept) -> None:
        self._written[user, kept.race] = kept
        at = round(self._clock() * 1000)
        self._store.put("kept", f"{user}:{kept.race}", KeptRace(kept, at))
        if not kept.begun_at:
            races = sorted(
                self._store.all("kept", KeptRace, f"{user}:"), key=lambda row: -row[1].at
            )
            for key, _ in races[MOST_RACES:]:
                self._store.drop("kept", key)


def _tells_more(before: Kept, now: Kept) -> bool:
    """More than a few moves."""
    few = len(now.moves) - len(before.moves) < _EVERY
    return not few or (now != before and now.moves == before.moves)


def promise(kept: Kept | None, say: Say) -> Text:
    """The line to note down before the start; empty if there is none."""
    if kept is None or not kept.in_time or kept.begun_at:
        return ()
    said = say("fair.commitment", hex=kept.commitment[:_SHOWN])
    if kept.nonce and kept.kind == "live":
        said += say("fair.nonce", hex=kept.nonce[:_SHOWN])
    return (Small(said),)


def verdict(kept: Kept | None, findings: Sequence[Finding], say: Say) -> Text:
    """A line on whether the closed race agrees with what was seen; empty without findings."""
    if kept is None or not findings:
        return ()
    if wrong := lies(findings):
        return say("fair.lies", what=_named(wrong, say))
    if not any(finding.holds for finding in findings):
        return say("fair.unchecked")
    if missing := unchecked(findings):
        return say("fair.part", what=_named(missing, say))
    key = "fair.holds_live" if kept.kind == "live" else "fair.holds"
    return say(key, moves=len(kept.moves))


def missing_deals(races: Iterable[Kept], race: str, say: Say) -> Text:
    """A line on other countdowns that never dealt; empty if there are none."""
    count = undealt(races, but=race)
    return text(Small(say("fair.undealt", count=count))) if count else ()


def _named(findings: Sequence[Finding], say: Say) -> str:
    return ", ".join(say.label(f"fair.what.{one.what.replace(' ', '_')}") for one in findings)

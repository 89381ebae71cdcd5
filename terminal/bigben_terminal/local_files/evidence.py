"""The evidence of a race: shown before the start, written to disk, checked at the end.

`bigben_client.evidence.fairness` makes the check; this module has the sentences and the file.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from bigben_client import Client, Finding, Kept, RefusedError, lies, unchecked
from bigben_client.evidence.kept import promises, undealt
from bigben_terminal.language import in_words, say, told
from bigben_terminal.local_files import seen_races

_SHOWN = 16
"""How many hex digits of a commitment or nonce a line shows."""


def of_server(server: str) -> list[Kept]:
    """The evidence of all races on this server, the oldest first."""
    found = []
    for text in seen_races.load(server):
        with suppress(msgspec.DecodeError):  # from another version, or an incomplete file
            found.append(msgspec.json.decode(text, type=Kept))
    return found


def store(server: str, kept: Kept) -> Path | None:
    """Write the evidence of a race of this server; a player without a writable folder can play."""
    with suppress(OSError):
        return seen_races.save(server, kept.race, kept.player, msgspec.json.encode(kept).decode())
    return None


class Evidence:
    """The evidence of the races that one client plays."""

    def __init__(self, client: Client, server: str) -> None:
        self._client = client
        self._server = server
        self._written: Kept | None = None
        self._file: Path | None = None

    def write_down(self, race: str) -> None:
        """Write the evidence of this race if it has changed. Call this after each event."""
        kept = self._client.kept.get(race)
        if kept is None or kept is self._written or kept.kind == "practice":
            return
        self._written = kept
        self._file = store(self._server, kept) or self._file

    def at_first(self, race: str) -> list[str]:
        """The lines to show before the start: the commitment, to note down."""
        kept = self._client.kept.get(race)
        if kept is None or kept.kind == "practice" or kept.begun_at:
            return []
        told = [say("fair.at_first", commitment=_short(kept.commitment))] if kept.in_time else []
        return [*told, say("fair.elsewhere")] if self._promised_elsewhere(kept) else told

    def when_ready(self, race: str) -> list[str]:
        """The lines to show when the player is ready for a live race."""
        kept = self._client.kept.get(race)
        if kept is None or kept.kind != "live" or not kept.nonce:
            return []
        return [say("fair.nonce_mixed", nonce=_short(kept.nonce))]

    async def all_of_it(self, race: str) -> list[str]:
        """The answer to the command ``fairness``: the evidence and the findings."""
        kept = self._client.kept.get(race)
        if kept is None:
            return [say("fair.nothing")]
        lines = [say("fair.commitment", commitment=kept.commitment)]
        if kept.nonce:
            lines.append(say("fair.nonce", nonce=kept.nonce))
        lines.append(say("fair.of_game", moves=say("moves", count=len(kept.moves))))
        if missing := self._undealt(race):
            lines.append(missing)
        if self._file:
            lines.append(say("fair.file", file=self._file))
        try:
            findings = await self._client.check(race)
        except RefusedError as refused:
            return [*lines, told(refused)]
        return [*lines, *(f"{_sign(finding)} {in_words([finding.said])}" for finding in findings)]

    async def verdict(self, race: str) -> list[str]:
        """The verdict once the race is closed; nothing if the player did not play in it."""
        kept = self._client.kept.get(race)
        if kept is None or not kept.begun_at or kept.kind == "practice":
            return []
        try:
            lines = verdict(kept, await self._client.check(race))
        except RefusedError as refused:
            return [say("fair.refused", why=told(refused))]
        return [*lines, *filter(None, [self._undealt(race)])]

    def _promised_elsewhere(self, kept: Kept) -> bool:
        """Whether another device has promised the nonce, which only that device can send."""
        room = self._client.rooms.get(kept.race)
        if room is None or room.phase != "open":
            return False
        told = dict(promises(room)).get(kept.player, "")
        return bool(told) and told != kept.nonce_hash and kept.nonce is None

    def _undealt(self, race: str) -> str:
        """How many other countdowns on this server never dealt; empty for none."""
        others: dict[str, Kept] = {kept.race: kept for kept in of_server(self._server)}
        others.update(self._client.kept)
        count = undealt(others.values(), but=race)
        return say("fair.undealt", count=count) if count else ""


def verdict(kept: Kept, findings: Sequence[Finding]) -> list[str]:
    """One sentence if everything holds; otherwise what does not hold, and what to do."""
    if wrong := lies(findings):
        return [
            say("fair.broken"),
            *(f"- {in_words([finding.said])}" for finding in wrong),
            say("fair.distrust", race=kept.race),
        ]
    if not (missing := unchecked(findings)):
        key = "fair.holds_live" if kept.kind == "live" else "fair.holds"
        return [say(key, moves=say("fair.moves", count=len(kept.moves)))]
    some = any(finding.holds for finding in findings)
    return [
        say("fair.partly" if some else "fair.unchecked"),
        *(f"- {in_words([finding.said])}" for finding in missing),
    ]


def _sign(finding: Finding) -> str:
    return say({True: "fair.yes", False: "fair.no", None: "fair.open"}[finding.holds])


def _short(number: str) -> str:
    return f"{number[:_SHOWN]}..." if len(number) > _SHOWN else number

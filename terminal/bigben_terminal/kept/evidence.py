"""The evidence of a race: shown before the start, written to disk, checked at the end.

`bigben_client.evidence.fairness` makes the check; this module has the sentences and the file.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from bigben_client import Client, Finding, Kept, RefusedError, lies, unchecked
from bigben_terminal.kept import kept_races
from bigben_terminal.language import from_server, say

_SHOWN = 16
"""How many hex digits of a commitment or nonce a line shows."""


def of_server(server: str) -> list[Kept]:
    """The evidence of all races on this server, the oldest first."""
    found = []
    for text in kept_races.load(server):
        with suppress(msgspec.DecodeError):  # from another version, or an incomplete file
            found.append(msgspec.json.decode(text, type=Kept))
    return found


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
        with suppress(OSError):  # a player without a writable folder can still play
            text = msgspec.json.encode(kept).decode()
            self._file = kept_races.save(self._server, race, kept.player, text)

    def at_first(self, race: str) -> list[str]:
        """The lines to show before the start: the commitment, to note down."""
        kept = self._client.kept.get(race)
        if kept is None or kept.kind == "practice" or not kept.in_time or kept.begun_at:
            return []
        return [say("fair.at_first", commitment=_short(kept.commitment))]

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
        if self._file:
            lines.append(say("fair.file", file=self._file))
        try:
            findings = await self._client.check(race)
        except RefusedError as refused:
            return [*lines, from_server(refused.text)]
        return [*lines, *(f"{_sign(finding)} {from_server(finding.text)}" for finding in findings)]

    async def verdict(self, race: str) -> list[str]:
        """The verdict once the race is closed; nothing if the player did not play in it."""
        kept = self._client.kept.get(race)
        if kept is None or not kept.begun_at or kept.kind == "practice":
            return []
        try:
            return verdict(kept, await self._client.check(race))
        except RefusedError as refused:
            return [say("fair.refused", why=from_server(refused.text))]


def verdict(kept: Kept, findings: Sequence[Finding]) -> list[str]:
    """One sentence if everything holds; otherwise what does not hold, and what to do."""
    if wrong := lies(findings):
        return [
            say("fair.broken"),
            *(f"- {from_server(finding.text)}" for finding in wrong),
            say("fair.distrust", race=kept.race),
        ]
    if not (missing := unchecked(findings)):
        key = "fair.holds_live" if kept.kind == "live" else "fair.holds"
        return [say(key, moves=say("fair.moves", count=len(kept.moves)))]
    some = any(finding.holds for finding in findings)
    return [
        say("fair.partly" if some else "fair.unchecked"),
        *(f"- {from_server(finding.text)}" for finding in missing),
    ]


def _sign(finding: Finding) -> str:
    return say({True: "fair.yes", False: "fair.no", None: "fair.open"}[finding.holds])


def _short(number: str) -> str:
    return f"{number[:_SHOWN]}..." if len(number) > _SHOWN else number

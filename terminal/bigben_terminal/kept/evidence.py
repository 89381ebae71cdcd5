"""The evidence of a race: shown before the start, written to disk, checked at the end.

`bigben_client.evidence.fairness` makes the check; this module has the sentences and the file.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from bigben_client import Client, Finding, Kept, RefusedError, lies, unchecked
from bigben_terminal.kept import kept_races

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
        return [
            f"Commitment to the deal: {_short(kept.commitment)} (type fairness to see all of it)."
        ]

    def when_ready(self, race: str) -> list[str]:
        """The lines to show when the player is ready for a live race."""
        kept = self._client.kept.get(race)
        if kept is None or kept.kind != "live" or not kept.nonce:
            return []
        return [f"Your nonce, mixed into the deal: {_short(kept.nonce)}."]

    async def all_of_it(self, race: str) -> list[str]:
        """The answer to the command ``fairness``: the evidence and the findings."""
        kept = self._client.kept.get(race)
        if kept is None:
            return ["No evidence is kept of this race: you have no seat in it."]
        lines = [f"Commitment: {kept.commitment}"]
        if kept.nonce:
            lines.append(f"Your nonce: {kept.nonce}")
        lines.append(f"Evidence of your game: {_moves(len(kept.moves))}.")
        if self._file:
            lines.append(f"The evidence is in {self._file}.")
        try:
            findings = await self._client.check(race)
        except RefusedError as refused:
            return [*lines, refused.text]
        return [*lines, *(f"{_sign(finding)} {finding.text}" for finding in findings)]

    async def verdict(self, race: str) -> list[str]:
        """The verdict once the race is closed; nothing if the player did not play in it."""
        kept = self._client.kept.get(race)
        if kept is None or not kept.begun_at or kept.kind == "practice":
            return []
        try:
            return verdict(kept, await self._client.check(race))
        except RefusedError as refused:
            return [f"Whether the race was fair could not be checked: {refused.text}"]


def verdict(kept: Kept, findings: Sequence[Finding]) -> list[str]:
    """One sentence if everything holds; otherwise what does not hold, and what to do."""
    if wrong := lies(findings):
        return [
            "THIS RACE IS NOT WHAT WAS PROMISED. The server contradicts what it said before:",
            *(f"- {finding.text}" for finding in wrong),
            f"Do not trust its result. Get the receipt (bigben receipt {kept.race} --output "
            "race.json), compare it with the other racers', and ask the operator of this server.",
        ]
    own = f"your {_moves(len(kept.moves))} and {_their(len(kept.moves))}"
    if not (missing := unchecked(findings)):
        nonce = "your nonce, " if kept.kind == "live" else ""
        return [f"The deal matches its commitment; {nonce}{own} agree."]
    some = any(finding.holds for finding in findings)
    return [
        "The evidence kept here matches how the race ended. Some points could not be checked:"
        if some
        else "Whether this race was fair could not be checked. Type fairness to try again:",
        *(f"- {finding.text}" for finding in missing),
    ]


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def _their(count: int) -> str:
    return "its time" if count == 1 else "their times"


def _sign(finding: Finding) -> str:
    return {True: "holds:", False: "DOES NOT HOLD:", None: "not checked:"}[finding.holds]


def _short(number: str) -> str:
    return f"{number[:_SHOWN]}..." if len(number) > _SHOWN else number

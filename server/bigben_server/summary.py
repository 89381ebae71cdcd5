"""Logs once a minute how much was refused, instead of a line for each refusal."""

import asyncio
import logging
from collections import Counter
from typing import Final

from bigben_server.counters import COUNTS, Counts
from bigben_server.tasks import not_cancelled

_log = logging.getLogger(__name__)

EVERY_S: Final = 60.0
_TOO_MANY: Final = 429


class Summary:
    """What was refused since the summary before. The counts name nobody."""

    def __init__(self, counts: Counts = COUNTS) -> None:
        self._counts = counts
        self._before: dict[str, Counter[str]] = self._counted()

    def lines(self) -> list[str]:
        """What was refused since the last call, one line for each kind of it."""
        now, before = self._counted(), self._before
        self._before = now
        new = {kind: counted - before[kind] for kind, counted in now.items()}
        return [
            f"In the last minute {counted.total()} {kind}: {_listed(counted)}"
            for kind, counted in new.items()
            if counted
        ]

    async def run(self) -> None:
        while not_cancelled():
            await asyncio.sleep(EVERY_S)
            for line in self.lines():
                _log.info("%s", line)

    def _counted(self) -> dict[str, Counter[str]]:
        too_many: Counter[str] = Counter()
        for (aim, status), count in self._counts.responses.items():
            if status == _TOO_MANY:
                too_many[aim] += count
        return {
            "refusals": Counter(self._counts.refusals),
            "requests with status 429": too_many,
            "connections without an answer": Counter(self._counts.unanswered),
        }


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())

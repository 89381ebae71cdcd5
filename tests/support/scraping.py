"""What Prometheus would read of a program. Tests nothing itself."""

import asyncio
import re
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families
from tests.support.patience import PATIENCE_S


async def scraped(url: str) -> str:
    """What is served there."""

    def read() -> str:
        with urlopen(url) as answer:
            return bytes(answer.read()).decode()

    return await asyncio.to_thread(read)


def figures_in(text: str) -> dict[str, float]:
    """The values by name and labels, as ``bigben_races{live,running}``; without those of 0."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.value:
                labels = ",".join(sample.labels[name] for name in sorted(sample.labels))
                found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def figures_once(url: str, **wanted: float) -> dict[str, float]:
    """The figures, once these are as wanted: they are written now and then."""
    found: dict[str, float] = {}
    async with asyncio.timeout(PATIENCE_S):
        while any(found.get(name, 0) != value for name, value in wanted.items()):
            await asyncio.sleep(0.2)
            found = figures_in(await scraped(url))
    return found


async def metrics_of(bot: asyncio.subprocess.Process) -> str:
    """Where a bot serves them that was started with port 0 and its log in a pipe."""
    assert bot.stderr is not None
    async with asyncio.timeout(PATIENCE_S):
        async for line in bot.stderr:
            if found := re.search(r"Metrics: (http://\S+)", line.decode()):
                return found[1]
    raise AssertionError("it ended, and served none")

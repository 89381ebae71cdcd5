"""Fills a store with years of games, and measures what they cost.

    python -m benchmarks.years [--games 100000] [--players 50] [--data FOLDER]

It plays some races, as house players do, and deals them out again under other codes, to other
players and on other days: each day everybody plays two dailies, and each week 18 live rooms of
four. A game is one seat of a race. A folder that is named is kept, and is not filled again.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from benchmarks.years import measuring
from benchmarks.years.filling import Plan, fill
from bigben_server.ops.long_work import Progress
from bigben_server.storage.admin.maintenance import rewrite
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.keys import Keys
from bigben_server.storage.opening import store_at


async def filled(folder: Path, plan: Plan) -> None:
    """Fill a data folder, and let Redis write its files anew, as it does now and then."""
    progress = Progress(sys.stderr)
    async with EmbeddedRedis(folder) as url, store_at(url, Keys().prefix) as store:
        # Only while it fills: a server never runs like this.
        await store.everywhere("CONFIG", "SET", "appendfsync", "no")
        await fill(store, plan, progress)
        async for done, of in rewrite(store):
            progress.show("Files of Redis", done, of)
        await store.everywhere("CONFIG", "SET", "appendfsync", "always")
    progress.clear()


async def measured(data: Path, scratch: Path) -> None:
    """Print what is measured."""
    print("| | |\n|---|---|")
    async for what, figures in measuring.measure(data, scratch):
        print(f"| {what} | {figures} |", flush=True)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.years",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--data", type=Path, help="where to keep them; a new folder is filled")
    parser.add_argument("--unpacked", action="store_true", help="keep logs as they were written")
    options = parser.parse_args(argv)
    plan = Plan(options.games, options.players, packed=not options.unpacked)
    with tempfile.TemporaryDirectory() as scratch:
        data = options.data or Path(scratch) / "data"
        if not data.exists():
            asyncio.run(filled(data, plan))
        asyncio.run(measured(data, Path(scratch)))


if __name__ == "__main__":
    main()

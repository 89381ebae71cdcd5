"""A process that records the same finish five times: ``python -m tests.server.boards.finishing``.

Argument: the URL of Redis. It says when it is ready, and begins when stdin ends.
"""

import asyncio
import sys

from tests.server.boards.made import Season, daily_id, finish, won

from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store


async def main(url: str) -> None:
    async with client_of(url) as client:
        store = Store(client)
        await store.ping()
        print("ready", flush=True)
        sys.stdin.read()
        season = Season(store)
        for _ in range(5):
            await season.boards.record([finish("ada", won(61_000)), finish("bob", won(62_000))])
            await season.ledger.close(daily_id())
            await season.settler.settle()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))

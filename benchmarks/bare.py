"""Two minimal servers to compare with: an echo, and one that awaits Redis.

    python -m benchmarks.bare --port 0 --data DIR --answer 400 [--xadd]

They are written in the simplest way: a task for each connection awaits a message, and then the
answer is sent. With --xadd every message is first appended to a stream of its connection, in an
embedded Redis with appendfsync always, and that is awaited too. The answer has ``--answer`` bytes.
"""

import argparse
import asyncio
import signal
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

from redis.asyncio import Redis
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bigben_protocol import CODECS
from bigben_server.storage.embedded import EmbeddedRedis


async def run(options: argparse.Namespace) -> None:
    """Serve until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    numbers = count()

    async def echo(socket: ServerConnection) -> None:
        answer = b"x" * options.answer
        text = socket.subprotocol is not None and CODECS[socket.subprotocol].text
        log = f"log:{next(numbers)}"
        async for message in socket:
            if redis:
                await redis.xadd(log, {"1": message})
            await socket.send(answer, text=text)

    async with AsyncExitStack() as stack:
        redis: Redis | None = None
        if options.xadd:
            url = await stack.enter_async_context(EmbeddedRedis(options.data))
            redis = await stack.enter_async_context(Redis.from_url(url))
        server = await stack.enter_async_context(
            serve(
                *(echo, "127.0.0.1", options.port),
                subprotocols=[Subprotocol(name) for name in CODECS],
                compression=None,
            )
        )
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}", flush=True)
        await stop.wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bare")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--data", type=Path, required=True, help="folder of the Redis")
    parser.add_argument("--answer", type=int, default=400, help="bytes of an answer")
    parser.add_argument("--xadd", action="store_true", help="await one XADD for each message")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()

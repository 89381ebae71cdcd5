"""``bigben serve``: puts the parts together, says where they are, and ends them in order."""

import argparse
import asyncio
import contextlib
import logging
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bigben_server import config
from bigben_server.app import App
from bigben_server.connection import listening, port_of
from bigben_server.embedded import EmbeddedRedis, RedisFailed
from bigben_server.identity import Issuers
from bigben_server.redis_store import Store, StoreLost

_DESCRIPTION = """Serve races. Without BIGBEN_REDIS_URL the server keeps everything in a Redis of
its own, in the data folder; stop it with Ctrl-C and start it again, and every race goes on."""


def serve(argv: list[str]) -> int:
    """Run ``bigben serve`` with these arguments; the exit code."""
    parser = argparse.ArgumentParser("bigben serve", description=_DESCRIPTION)
    parser.add_argument("--host", help="address to listen on (BIGBEN_HOST, 127.0.0.1)")
    parser.add_argument(
        "--port", type=_port, help="port to listen on, 0 for any (BIGBEN_PORT, 8765)"
    )
    parser.add_argument(
        "--data", type=Path, help="folder of the embedded Redis (BIGBEN_DATA, data)"
    )
    given = {
        name: value for name, value in vars(parser.parse_args(argv)).items() if value is not None
    }
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    try:
        settings = replace(config.from_environment(), **given)
        asyncio.run(_serve(settings))
    except (config.BadSetting, RedisFailed, StoreLost, OSError) as error:
        print(f"bigben serve: {error}", file=sys.stderr)
        return 1
    return 0


async def _serve(settings: config.Settings) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with _redis(settings) as (url, revive), _store(url) as store:
        await store.ping()
        secret = settings.secret.encode() or await store.secret(secrets.token_bytes(32))
        app = App(
            store,
            Issuers.of(secret, settings.issuers),
            secret,
            clock=lambda: time.time_ns() // 1_000_000,
            random_bytes=secrets.token_bytes,
            revive=revive,
        )
        started = asyncio.Event()
        running = asyncio.create_task(app.run(started.set))
        try:
            await _first(running, started.wait())
            async with listening(app, settings) as server:
                _say_where(settings, port_of(server), app.daily_id())
                await _first(running, stop.wait())
                print("Stopping: races stay where they are.", flush=True)
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running


async def _first(running: asyncio.Task[None], event: Awaitable[object]) -> None:
    """Wait for the event; raises what ``running`` raises if that comes before."""
    waiting = asyncio.ensure_future(event)
    await asyncio.wait((running, waiting), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if running.done():
        running.result()


Revive = Callable[[], Awaitable[None]]


@asynccontextmanager
async def _redis(settings: config.Settings) -> AsyncIterator[tuple[str, Revive]]:
    """The URL of the Redis to use, and how to bring it back when it is away."""
    if settings.redis_url:
        yield settings.redis_url, _elsewhere
        return
    embedded = EmbeddedRedis(settings.data)

    async def revive() -> None:
        await embedded.ensure()

    async with embedded as url:
        yield url, revive


async def _elsewhere() -> None:
    """An outside Redis comes back by itself."""


@asynccontextmanager
async def _store(url: str) -> AsyncIterator[Store]:
    store = Store(url)
    try:
        yield store
    finally:
        await store.close()


def _say_where(settings: config.Settings, port: int, daily: str) -> None:
    address = f"ws://{_shown_host(settings.host)}:{port}"
    where = settings.redis_url and "in the Redis of BIGBEN_REDIS_URL"
    print(f"Big Ben race server. Today's race: {daily}")
    print(f"Join:      bigben play --server {address} --name YOUR-NAME")
    print(f"The data:  {where or settings.data.resolve()}")
    print("Stop with Ctrl-C; every race goes on when the server is back.")
    print(f"listening on {address}", flush=True)


def _shown_host(host: str) -> str:
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 65_536):
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)

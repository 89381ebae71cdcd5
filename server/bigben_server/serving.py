"""One server process from start to end: its parts put together, and ended in order."""

import asyncio
import contextlib
import os
import secrets
import sys
import time
from collections.abc import Awaitable, Callable

from bigben_server.accounts.tokens import Issuers
from bigben_server.config import Settings
from bigben_server.ops.rebuild import warn_of_other_boards
from bigben_server.rooms.app import App
from bigben_server.storage import dump
from bigben_server.storage.client import StoreLost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.opening import opened
from bigben_server.storage.players import People
from bigben_server.storage.pubsub import PubSub
from bigben_server.tasks import told_to_stop
from bigben_server.transport.api import Api
from bigben_server.transport.websocket import listening, port_of

Started = Callable[[int], None]
"""Told the port that is listened on."""

_LOOK_S = 0.01
"""How often a worker looks whether its parent, which is ending, has ended."""


async def serve(settings: Settings, started: Started) -> None:
    """Serve until told to stop; a worker also until its parent ends.

    Raises CannotListen, RedisFailed, BadRedisUrl, StoreLost or OSError when it can't begin.
    """
    stop = told_to_stop()
    if settings.worker:
        asyncio.get_running_loop().add_reader(sys.stdin, _at_the_end_of_stdin, os.getppid(), stop)
    async with opened(settings.redis_url, settings.data, replicas=settings.redis_wait) as store:
        pubsub = PubSub(store, secrets.token_hex(8))
        try:
            await store.ping()
            importing = await dump.importing(store)
            await warn_of_other_boards(store, settings.ranked or "all")
        except StoreLost as error:
            raise RedisFailed(
                f"Redis can't be used: {error}. Check that it runs, and BIGBEN_REDIS_URL."
            ) from error
        if importing:
            raise RedisFailed(
                "An import into this Redis is not complete: wait for it, or start "
                "`bigben admin import` again with the same file."
            )
        secret = settings.secret.encode() or await People(store).secret(secrets.token_bytes(32))

        def clock() -> int:
            return time.time_ns() // 1_000_000

        app = App(
            store,
            pubsub,
            Issuers.of(secret, settings.issuers, settings.old_secret.encode()),
            secret,
            settings.limits,
            clock=clock,
            random_bytes=secrets.token_bytes,
            revive=store.revive,
            ranked=settings.ranked or "all",
        )
        ready = asyncio.Event()
        running = asyncio.create_task(app.run(ready.set))
        try:
            await _first(running, ready.wait())
            async with listening(app.hub, Api(app.queries, clock), settings) as server:
                started(port_of(server))
                await _first(running, stop.wait())
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
            await pubsub.close()


def _at_the_end_of_stdin(parent: int, stop: asyncio.Event, patience_s: float = 1.0) -> None:
    """Nobody writes to a worker: its parent, at the other end, is gone.

    Or it is just going: the pipe may close before the parent's hold on the embedded Redis, and a
    worker that looked in between would leave Redis to somebody who is no more. (``getppid`` does
    not tell: it changes while the parent's last thread still has all the files open.)
    """
    loop = asyncio.get_running_loop()
    loop.remove_reader(sys.stdin)
    if _exists(parent) and patience_s > 0:
        loop.call_later(_LOOK_S, _at_the_end_of_stdin, parent, stop, patience_s - _LOOK_S)
    else:
        stop.set()


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:  # it has ended, or its number is somebody else's by now
        return False
    return True


async def _first(running: asyncio.Task[None], event: Awaitable[object]) -> None:
    """Wait for the event; raises what ``running`` raises if that comes before."""
    waiting = asyncio.ensure_future(event)
    await asyncio.wait((running, waiting), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if running.done():
        running.result()

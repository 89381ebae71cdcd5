"""``bigben serve``: what it prints, and one server process."""

import asyncio
import contextlib
import gc
import logging
import os
import resource
import secrets
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import which
from typing import Final

import uvloop

from bigben_server import logs
from bigben_server.accounts.secrets import changed_secret, secret_of
from bigben_server.accounts.tokens import Issuers
from bigben_server.config import BadSetting, Settings, from_environment
from bigben_server.homes import Homes
from bigben_server.house import house_beside, own_address
from bigben_server.metrics.serving import served
from bigben_server.metrics.writing import written
from bigben_server.ops.rebuild import warn_of_other_boards
from bigben_server.readiness import AWAY
from bigben_server.rooms.app import App
from bigben_server.scoring.results import Ranked
from bigben_server.startup.command_line import for_serve
from bigben_server.startup.life import log_start, span
from bigben_server.storage.admin import dump
from bigben_server.storage.admin.processes import Process
from bigben_server.storage.client import StoreLost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.opening import opened
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.storage.safety import OutsideStore
from bigben_server.storage.schema import Schema
from bigben_server.tasks import told_to_stop
from bigben_server.transport.handed import HandedOver
from bigben_server.transport.status import version
from bigben_server.transport.websocket import listening
from bigben_server.watchdog import beating, tell_systemd
from bigben_server.workers import READY, run_workers

_log = logging.getLogger(__name__)

_CANNOT_START: Final = (BadSetting, RedisFailed, StoreLost, OSError)
"""Exceptions whose texts are sentences for the operator."""
_EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that mean every address of this machine."""
_PARENT_ENDS_S = 1.0
"""How long a parent that is killed may need to release everything after the pipe to a worker."""


def serve(argv: list[str]) -> int:
    """Return the exit code."""
    options = vars(for_serve().parse_args(argv))
    count = options.pop("workers")
    began = time.monotonic()
    # Every connection is an open file, and a shell often allows only a thousand of them.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # the system allows fewer
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    settings = Settings()
    try:
        settings = replace(from_environment(), **options)
        logs.set_up(settings)
        with served(settings, count) as folder:
            settings = replace(settings, metrics_folder=folder)
            started = partial(_started, settings)
            if count == 1:
                # uvloop makes a move cheaper than asyncio's own loop.
                uvloop.run(beating(settings.worker, run_server(settings, started)))
            else:
                # It serves nobody itself, and uvloop may end where no more files can be opened.
                asyncio.run(beating(0, run_workers(count, settings, started)))
    except _CANNOT_START as error:
        logs.complain(settings, f"bigben serve: {error}")
        return 1
    if not settings.worker:
        _log.info("stopped after %s", span(time.monotonic() - began))
        with contextlib.suppress(OSError):  # the terminal is closed
            logs.say(settings, "Stopped; every race stays where it is.")
    return 0


def _started(settings: Settings, port: int) -> None:
    _collect_garbage_seldom()
    _print_where(settings, port)
    if not settings.worker:
        tell_systemd("READY=1")


def _collect_garbage_seldom() -> None:
    """Collect what is young now and then, and look at the rest once in many million moves.

    A move leaves few objects to the collector (``bigben_rules.positions``). Higher thresholds mean
    longer pauses, but fewer, and less work in all.
    """
    gc.collect()
    gc.freeze()  # what is loaded now stays
    gc.set_threshold(10_000, 100_000, 10)


def _print_where(settings: Settings, port: int) -> None:
    """A worker's parent has said where players find the server, and waits for the last line."""
    address = own_address(settings.host, port)
    listening_on = f"{READY}{address}"
    if settings.worker:
        print(listening_on, flush=True)
        return
    where = "in the Redis of BIGBEN_REDIS_URL" if settings.redis_url else settings.data.resolve()
    for line in (
        "Big Ben race server. Today's daily race is open.",
        f"Browser:   http{address.removeprefix('ws')}",
        f"Terminal:  {_program()} play --server {address} --name YOUR-NAME",
        f"Friends:   {_friends(settings.host, port)}",
        f"The data:  {where}",
        "Stop with Ctrl-C; every race continues when the server is back.",
        listening_on,
    ):
        logs.say(settings, line)


def _program() -> str:
    """What to type for ``bigben``: with its folder, if that is not on PATH."""
    program = Path(sys.argv[0])
    return str(program) if program.name == "bigben" and not which(program.name) else "bigben"


def _friends(host: str, port: int) -> str:
    """The server's address for players on other machines."""
    if host in _EVERYWHERE:
        return f"http://{_own_address()}:{port}, wherever this machine can be reached"
    if host.startswith("127.") or host in ("localhost", "::1"):
        return "on this machine only; --host 0.0.0.0 (make serve HOST=0.0.0.0) lets others in"
    return "at the same address, wherever this machine can be reached"


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation; nothing is sent
        except OSError:
            return "THIS-MACHINE"
        return str(probe.getsockname()[0])


async def run_server(settings: Settings, started: Callable[[int], None]) -> None:
    """Serve until a signal says to stop; a worker also stops when its parent ends.

    ``started`` is called with the port. Raises one of ``_CANNOT_START`` if the server can't start.
    """
    stop, ranked = told_to_stop(), settings.ranked or "all"
    loop = asyncio.get_running_loop()

    def parent_ends() -> None:
        # A parent that is killed closes the pipe before it releases the embedded Redis. A worker
        # that stopped now would leave Redis to it.
        loop.call_later(_PARENT_ENDS_S, stop.set)

    homes = Homes(settings.worker)
    handed = None
    if settings.worker:
        handed = HandedOver(socket.socket(fileno=os.dup(0)), homes, parent_ends)
    async with opened(settings) as store:
        process = secrets.token_hex(8)
        pubsub, schema = PubSub(store, process), Schema(store, process)
        await _check_store(store, schema, ranked, unsafe=settings.redis_unsafe)
        if told := await changed_secret(store, settings):
            _log.warning("%s", told)
        secret = await secret_of(store, settings)
        issuers = Issuers(secret, settings.issuers, settings.old_secret.encode())
        app = App(
            store,
            pubsub,
            issuers,
            secret,
            settings.limits,
            clock=lambda: time.time_ns() // 1_000_000,
            random_bytes=secrets.token_bytes,
            revive=store.revive,
            ranked=ranked,
            thinkers=settings.thinkers,
            daily_grades=settings.daily_grades,
            webhooks=settings.webhooks,
            process=Process(
                pubsub.process,
                socket.gethostname(),
                os.getpid(),
                settings.port,
                settings.worker,
                version=version().version,
                since=time.time_ns() // 1_000_000,
            ),
            schema=schema,
            house=settings.house,
            homes=homes,
        )
        ready = asyncio.Event()
        running = asyncio.create_task(app.run(ready.set))
        running.add_done_callback(lambda _: ready.set())
        running.add_done_callback(lambda _: stop.set())
        try:
            await ready.wait()
            if not stop.is_set():
                rooms, quotas = app.hub.rooms, app.hub.quotas
                async with (
                    written(settings.metrics_folder, rooms, quotas, app.readiness, settings.data),
                    listening(app.hub, app.queries, app.readiness, settings, handed) as port,
                    house_beside(settings, port, issuers.house_key),
                ):
                    if not settings.worker:
                        await log_start(store, settings)
                    started(port)
                    await stop.wait()
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
            with contextlib.suppress(StoreLost):
                await app.agent.leave()
            with contextlib.suppress(StoreLost):
                await schema.leave()
            await pubsub.close()


async def _check_store(store: Store, schema: Schema, ranked: Ranked, *, unsafe: bool) -> None:
    """Announce this process. Raises RedisFailed if races can't be served from this store."""
    try:
        await store.ping()
        if isinstance(store, OutsideStore):
            await store.check_safe(unsafe=unsafe)
        await schema.join()
        if await dump.importing(store):
            raise RedisFailed(
                "An import into this Redis is not complete: wait for it, or start "
                "`bigben admin import` again with the same file."
            )
        await warn_of_other_boards(store, ranked)
    except StoreLost as error:
        if error.trouble != AWAY:
            raise RedisFailed(f"{error}.") from error
        raise RedisFailed(
            f"Redis can't be used: {error}. Check that it runs, and BIGBEN_REDIS_URL."
        ) from error


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))

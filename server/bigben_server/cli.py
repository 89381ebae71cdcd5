"""``bigben serve``: its options, what it prints, and one server process or several on one port."""

import argparse
import asyncio
import contextlib
import gc
import logging
import resource
import secrets
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import uvloop

from bigben_server.accounts.tokens import Issuers
from bigben_server.config import BadSetting, Settings, binding, from_environment
from bigben_server.ops.rebuild import warn_of_other_boards
from bigben_server.rooms.app import App
from bigben_server.scoring.results import Ranked
from bigben_server.storage import dump
from bigben_server.storage.client import StoreLost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.opening import opened
from bigben_server.storage.players import People
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.tasks import all_set, told_to_stop
from bigben_server.transport.websocket import listening

_log = logging.getLogger(__name__)

_CANNOT_START: Final = (BadSetting, RedisFailed, StoreLost, OSError)
"""Exceptions whose texts are sentences for the operator."""
_EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that mean every address of this machine."""
READY = "listening on "
"""A process prints this and its address when it serves."""
_RETRY_S = 1.0
"""The pause after a worker could not start."""
_PARENT_ENDS_S = 1.0
"""How long a parent that is killed may need to release everything after the pipe to a worker."""
_DESCRIPTION = """Serve races. Without BIGBEN_REDIS_URL the server keeps everything in its own Redis
in the data folder. Stop it with Ctrl-C; when you start it again, every race continues."""

_EXAMPLES = """examples:
  bigben serve                               for players on this machine
  bigben serve --host 0.0.0.0 --port 9000    for everybody in your network
  BIGBEN_REDIS_URL=redis://db/0 bigben serve --workers 4

docs/operators.md has all settings."""


def serve(argv: list[str]) -> int:
    """Return the exit code."""
    options = vars(_parser().parse_args(argv))
    count = options.pop("workers")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    # Its log lines are about single peers, which receive the reason themselves.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    # Every connection is an open file, and a shell often allows only a thousand of them.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # the system allows fewer
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        settings = replace(from_environment(), **options)
        started = partial(_started, settings)
        if count == 1:
            # uvloop takes 14 of the 107 us that a move costs with asyncio's own loop.
            uvloop.run(run_server(settings, started))
        else:
            # It serves nobody itself, and uvloop may end where no more files can be opened.
            asyncio.run(run_workers(count, settings, started))
    except _CANNOT_START as error:
        print(f"bigben serve: {error}", file=sys.stderr)
        return 1
    if not settings.worker:
        with contextlib.suppress(OSError):  # the terminal is closed
            print("Stopped; every race stays where it is.", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    """A missing option keeps the setting from the environment."""
    parser = argparse.ArgumentParser(
        "bigben serve",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    add = parser.add_argument
    add("--host", help="address to listen on (BIGBEN_HOST; 127.0.0.1)")
    port = partial(_whole, "a port is a number", 0, 65_535)
    add("--port", type=port, help="port to listen on, 0 for any (BIGBEN_PORT; 8765)")
    add("--data", type=Path, help="folder of the embedded Redis (BIGBEN_DATA; data)")
    count = partial(_whole, "workers are a number", 1, 64)
    add("--workers", type=count, default=1, help="how many processes share the port (1)")
    add("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def _started(settings: Settings, port: int) -> None:
    _collect_garbage_seldom()
    _print_where(settings, port)


def _collect_garbage_seldom() -> None:
    """Collect what is young in short pauses, and look at the rest once in eight million moves.

    With Python's thresholds, collections took 38 us of CPU a move while 800 players played 2,400
    games, with pauses of up to 209 ms; with these 15 us, and up to 12 ms.
    They found next to nothing, because what the server forgets has no cycles.
    """
    gc.collect()
    gc.freeze()  # what is loaded now stays
    gc.set_threshold(2_000, 5, 10_000)


def _print_where(settings: Settings, port: int) -> None:
    """A worker's parent has said where players find the server, and waits for the last line."""
    host = "127.0.0.1" if settings.host in _EVERYWHERE else settings.host
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not settings.worker:
        print("Big Ben race server. Today's daily race is open.")
        print(f"Browser:   http://{address}")
        print(f"Terminal:  bigben play --server ws://{address} --name YOUR-NAME")
        print(f"Friends:   {_friends(settings.host, port)}")
        folder = settings.data.resolve()
        print(f"The data:  {'in the Redis of BIGBEN_REDIS_URL' if settings.redis_url else folder}")
        print("Stop with Ctrl-C; every race continues when the server is back.")
    print(f"{READY}ws://{address}", flush=True)


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


def _whole(what: str, least: int, most: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{what} from {least} to {most}")
    return int(text)


async def run_server(settings: Settings, started: Callable[[int], None]) -> None:
    """Serve until a signal says to stop; a worker also stops when its parent ends.

    ``started`` is called with the port. Raises one of ``_CANNOT_START`` if the server can't start.
    """
    stop, ranked = told_to_stop(), settings.ranked or "all"
    loop = asyncio.get_running_loop()

    def parent_ends() -> None:
        loop.remove_reader(sys.stdin)
        # A parent that is killed closes the pipe before it releases the embedded Redis. A worker
        # that stopped now would leave Redis to it.
        loop.call_later(_PARENT_ENDS_S, stop.set)

    if settings.worker:
        loop.add_reader(sys.stdin, parent_ends)
    async with opened(settings.redis_url, settings.data, replicas=settings.redis_wait) as store:
        pubsub = PubSub(store, secrets.token_hex(8))
        await _check_store(store, ranked)
        secret = settings.secret.encode() or await People(store).secret(secrets.token_bytes(32))
        app = App(
            store,
            pubsub,
            Issuers(secret, settings.issuers, settings.old_secret.encode()),
            secret,
            settings.limits,
            clock=lambda: time.time_ns() // 1_000_000,
            random_bytes=secrets.token_bytes,
            revive=store.revive,
            ranked=ranked,
        )
        ready = asyncio.Event()
        running = asyncio.create_task(app.run(ready.set))
        running.add_done_callback(lambda _: ready.set())
        running.add_done_callback(lambda _: stop.set())
        try:
            await ready.wait()
            if not stop.is_set():
                async with listening(app.hub, app.queries, settings) as port:
                    started(port)
                    await stop.wait()
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
            await pubsub.close()


async def _check_store(store: Store, ranked: Ranked) -> None:
    """Raises RedisFailed if races can't be served from this store."""
    try:
        await store.ping()
        if await dump.importing(store):
            raise RedisFailed(
                "An import into this Redis is not complete: wait for it, or start "
                "`bigben admin import` again with the same file."
            )
        await warn_of_other_boards(store, ranked)
    except StoreLost as error:
        text = f"Redis can't be used: {error}. Check that it runs, and BIGBEN_REDIS_URL."
        raise RedisFailed(text) from error


async def run_workers(count: int, settings: Settings, started: Callable[[int], None]) -> None:
    """Run ``count`` workers until a signal. Raises BadSetting, RedisFailed, OSError."""
    stop, serving = told_to_stop(), [asyncio.Event() for _ in range(count)]
    with _reserved(settings) as port:
        # This process uses the embedded Redis too, so that it outlives the workers.
        async with opened(settings.redis_url, settings.data):
            try:
                async with asyncio.TaskGroup() as tasks:
                    # The first worker creates what all share: the secret, and today's daily.
                    keeping = [tasks.create_task(_keep(settings, port, serving[0]))]
                    await serving[0].wait()
                    keeping += [tasks.create_task(_keep(settings, port, s)) for s in serving[1:]]
                    await all_set(serving)
                    started(port)
                    await stop.wait()
                    for task in keeping:
                        task.cancel()
            except ExceptionGroup as failed:
                raise failed.exceptions[0] from failed


@contextlib.contextmanager
def _reserved(settings: Settings) -> Iterator[int]:
    """The port that all workers share. It stays reserved while a worker is replaced."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        with binding(settings):
            reserved.bind((settings.host, settings.port))
        yield reserved.getsockname()[1]


async def _keep(settings: Settings, port: int, serving: asyncio.Event) -> None:
    """Run a worker, and another whenever it ends. Raises OSError if the first could not start."""
    while True:
        try:
            async with _worker(settings, port) as process:
                serving.set()
                code = await process.wait()
                _log.error("worker %d ended with %d; starting another", process.pid, code)
        except OSError:
            if not serving.is_set():
                raise
            await asyncio.sleep(_RETRY_S)


@contextlib.asynccontextmanager
async def _worker(settings: Settings, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that serves. It is ended on leaving.

    Raises OSError if the machine can't start it, or if it ends and has printed the reason.
    """
    options = ("--host", settings.host, "--port", f"{port}", "--data", f"{settings.data}")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_server.cli", "--worker", *options),
        # Nothing is written to it. It is closed when this process ends, and the worker ends.
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # Only this process receives Ctrl-C of a terminal, and stops the workers.
        start_new_session=True,
    )
    try:
        assert process.stdout is not None, "it is a pipe"
        while not (line := await process.stdout.readline()).startswith(READY.encode()):
            if not line:
                await process.wait()  # a signal to an ended process would take its exit code
                raise OSError("a worker could not start")
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))

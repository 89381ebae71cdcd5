"""``bigben serve``: its options, and what it says. The serving is done elsewhere."""

import argparse
import asyncio
import contextlib
import logging
import resource
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bigben_server import config, serving, workers
from bigben_server.storage.client import BadRedisUrl
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.store import StoreLost
from bigben_server.transport.binding import CannotListen

_REFUSALS: Final = (
    config.BadSetting, CannotListen, BadRedisUrl, RedisFailed, StoreLost, OSError,
)  # fmt: skip
"""Why the server does not begin; each is a sentence for the operator."""

_EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that mean every address this machine has."""

_DESCRIPTION = """Serve races. Without BIGBEN_REDIS_URL the server keeps everything in a Redis of
its own, in the data folder; stop it with Ctrl-C and start it again, and every race goes on."""

_EXAMPLES = """examples:
  bigben serve                               for players on this machine
  bigben serve --host 0.0.0.0 --port 9000    for everybody in your network
  BIGBEN_REDIS_URL=redis://db/0 bigben serve --workers 4

docs/operators.md has all settings."""


def serve(argv: list[str]) -> int:
    """Run ``bigben serve`` with these arguments; the exit code."""
    options = _parser().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    # What it logs is about single peers, who are told themselves.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    try:
        return _serve(options)
    except _REFUSALS as error:
        print(f"bigben serve: {error}", file=sys.stderr)
        return 1


def _serve(options: argparse.Namespace) -> int:
    given: dict[str, Any] = {
        name: getattr(options, name)
        for name in ("host", "port", "data")
        if getattr(options, name) is not None
    }
    settings = replace(config.from_environment(), **given, worker=options.worker)
    _allow_many_files()
    if options.workers > 1:
        workers.run(options.workers, settings, lambda port: _say_where(settings, port))
    else:
        say = _say_ready if options.worker else _say_where
        asyncio.run(serving.serve(settings, lambda port: say(settings, port)))
    if not options.worker:
        with contextlib.suppress(OSError):  # nobody reads it: the terminal is closed
            print("Stopped; every race stays where it is.", flush=True)
    return 0


def _allow_many_files() -> None:
    """Every connection is an open file, and of these a shell often allows only a thousand."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # where that many can't be asked for
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "bigben serve",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--host", help="address to listen on (BIGBEN_HOST; 127.0.0.1)")
    parser.add_argument(
        "--port", type=_port, help="port to listen on, 0 for any (BIGBEN_PORT; 8765)"
    )
    parser.add_argument(
        "--data", type=Path, help="folder of the embedded Redis (BIGBEN_DATA; data)"
    )
    parser.add_argument(
        "--workers", type=_count, default=1, help="how many processes share the port (1)"
    )
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def _say_where(settings: config.Settings, port: int) -> None:
    address = _address(settings, port)
    where = settings.redis_url and "in the Redis of BIGBEN_REDIS_URL"
    print("Big Ben race server. Today's daily race is open.")
    print(f"Browser:   {address.replace('ws', 'http', 1)}")
    print(f"Terminal:  bigben play --server {address} --name YOUR-NAME")
    print(f"Friends:   {_friends(settings.host, port)}")
    print(f"The data:  {where or settings.data.resolve()}")
    print("Stop with Ctrl-C; every race goes on when the server is back.")
    _say_ready(settings, port)


def _friends(host: str, port: int) -> str:
    """Where players on other machines find the server, if they can."""
    if host in _EVERYWHERE:
        return f"http://{_own_address()}:{port}, wherever this machine can be reached"
    if host.startswith("127.") or host in ("localhost", "::1"):
        return "on this machine only; --host 0.0.0.0 (make serve HOST=0.0.0.0) lets others in"
    return "at the same address, wherever this machine can be reached"


def _own_address() -> str:
    """This machine's, as its network knows it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of nobody, to which nothing is sent
        except OSError:
            return "THIS-MACHINE"
        return str(probe.getsockname()[0])


def _say_ready(settings: config.Settings, port: int) -> None:
    print(f"{workers.READY}{_address(settings, port)}", flush=True)


def _address(settings: config.Settings, port: int) -> str:
    """Where players on this machine find the server."""
    host = "127.0.0.1" if settings.host in _EVERYWHERE else settings.host
    return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 65_536):
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 64):
        raise argparse.ArgumentTypeError("workers are a number from 1 to 64")
    return int(text)

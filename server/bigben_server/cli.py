"""``bigben serve``: its options, and what it prints for the operator."""

import argparse
import asyncio
import contextlib
import logging
import resource
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from bigben_server import serving, workers
from bigben_server.config import BadSetting, Settings, from_environment
from bigben_server.storage.client import StoreLost
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.opening import BadRedisUrl
from bigben_server.transport.websocket import CannotListen

_CANNOT_START: Final = (BadSetting, CannotListen, BadRedisUrl, RedisFailed, StoreLost, OSError)
"""Their texts are sentences for the operator."""

_EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that mean every address of this machine."""

_DESCRIPTION = """Serve races. Without BIGBEN_REDIS_URL the server keeps everything in its own Redis
in the data folder. Stop it with Ctrl-C; when you start it again, every race goes on."""

_EXAMPLES = """examples:
  bigben serve                               for players on this machine
  bigben serve --host 0.0.0.0 --port 9000    for everybody in your network
  BIGBEN_REDIS_URL=redis://db/0 bigben serve --workers 4

docs/operators.md has all settings."""


def serve(argv: list[str]) -> int:
    """Run ``bigben serve`` with these arguments; return the exit code."""
    options = vars(_parser().parse_args(argv))
    count = options.pop("workers")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    # Its log lines are about single peers, who receive the reason themselves.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    try:
        _run(count, replace(from_environment(), **options))
    except _CANNOT_START as error:
        print(f"bigben serve: {error}", file=sys.stderr)
        return 1
    return 0


def _run(count: int, settings: Settings) -> None:
    _allow_many_files()
    if settings.worker:
        asyncio.run(serving.serve(settings, lambda port: _print_ready(settings, port)))
        return
    if count > 1:
        workers.run(count, settings, lambda port: _print_where(settings, port))
    else:
        asyncio.run(serving.serve(settings, lambda port: _print_where(settings, port)))
    with contextlib.suppress(OSError):  # the terminal is closed
        print("Stopped; every race stays where it is.", flush=True)


def _allow_many_files() -> None:
    """Every connection is an open file, and a shell often allows only a thousand of them."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # the system allows fewer
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _parser() -> argparse.ArgumentParser:
    """An option that is not given leaves the setting of the environment."""
    parser = argparse.ArgumentParser(
        "bigben serve",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    add = parser.add_argument
    add("--host", help="address to listen on (BIGBEN_HOST; 127.0.0.1)")
    add("--port", type=_port, help="port to listen on, 0 for any (BIGBEN_PORT; 8765)")
    add("--data", type=Path, help="folder of the embedded Redis (BIGBEN_DATA; data)")
    add("--workers", type=_count, default=1, help="how many processes share the port (1)")
    add("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def _print_where(settings: Settings, port: int) -> None:
    address = _address(settings, port)
    print("Big Ben race server. Today's daily race is open.")
    print(f"Browser:   {address.replace('ws', 'http', 1)}")
    print(f"Terminal:  bigben play --server {address} --name YOUR-NAME")
    print(f"Friends:   {_friends(settings.host, port)}")
    redis = "in the Redis of BIGBEN_REDIS_URL" if settings.redis_url else settings.data.resolve()
    print(f"The data:  {redis}")
    print("Stop with Ctrl-C; every race goes on when the server is back.")
    _print_ready(settings, port)


def _friends(host: str, port: int) -> str:
    """Where players on other machines find the server."""
    if host in _EVERYWHERE:
        return f"http://{_own_address()}:{port}, wherever this machine can be reached"
    if host.startswith("127.") or host in ("localhost", "::1"):
        return "on this machine only; --host 0.0.0.0 (make serve HOST=0.0.0.0) lets others in"
    return "at the same address, wherever this machine can be reached"


def _own_address() -> str:
    """The address of this machine in its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documents; nothing is sent
        except OSError:
            return "THIS-MACHINE"
        return str(probe.getsockname()[0])


def _print_ready(settings: Settings, port: int) -> None:
    print(f"{workers.READY}{_address(settings, port)}", flush=True)


def _address(settings: Settings, port: int) -> str:
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


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))

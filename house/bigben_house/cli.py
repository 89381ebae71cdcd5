"""``bigben house``: the house players as a process of their own."""

import asyncio
import logging
import os
import signal
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from functools import partial
from typing import Final

import jwt

from bigben_client import ClientError
from bigben_house.identity import Identity
from bigben_house.thinkers import Thinkers
from bigben_protocol import HOUSE_NAMES, STRENGTHS, house_player

KEY: Final = "BIGBEN_ISSUER_BOT_KEY"
_TOKEN_S: Final = 366 * 86_400
_LEAST_KEY: Final = 32
_DESCRIPTION = """Run the house players of a server: five programs who play in the rooms to which
hosts add them. `bigben serve --house` does it beside the server; this runs them elsewhere."""
_EXAMPLES = f"""The server has the same key of the issuer `bot`:
  {KEY}=… bigben serve
  {KEY}=… bigben house --server wss://play.example

docs/operators.md says more."""


def house(argv: list[str]) -> int:
    """Play until a signal. Returns the exit code."""
    options = _parser().parse_args(argv)
    if len(os.fsencode(options.key)) < _LEAST_KEY:
        print(f"bigben house: {KEY} or --key has at least 32 bytes.", file=sys.stderr)
        return 2
    level = os.environ.get("BIGBEN_LOG_LEVEL", "info").upper()
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=level)
    try:
        asyncio.run(_run(options))
    except asyncio.CancelledError:
        return 0
    except BaseExceptionGroup as group:
        refused = group.subgroup(ClientError)
        if refused is None:
            raise
        print(f"bigben house: {_first(refused)}", file=sys.stderr)
        return 1
    raise AssertionError("it plays until it is cancelled")


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "bigben house",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add, environ = parser.add_argument, os.environ
    url = environ.get("BIGBEN_SERVER") or "ws://127.0.0.1:8765"
    add("--server", metavar="URL", default=url, help="where they play (BIGBEN_SERVER)")
    key = environ.get(KEY, "")
    add("--key", default=key, help=f"the key of the issuer bot, better in {KEY}")
    speed = environ.get("BIGBEN_HOUSE_PACE") or "1"
    text = "how long they wait, 1 like people, 0 not at all (BIGBEN_HOUSE_PACE)"
    add("--pace", type=_pace, default=speed, help=text)
    add("--thinkers", type=_size, default=1, help="how many processes think for them (1)")
    # Its parent holds the other end of its input: when that is closed, it ends.
    add("--with-parent", action="store_true", help="end when the standard input is closed")
    return parser


async def _run(options: Namespace) -> None:
    loop, this = asyncio.get_running_loop(), asyncio.current_task()
    assert this is not None, "run by asyncio.run"
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, this.cancel)

    def parent_ends() -> None:
        loop.remove_reader(sys.stdin)
        this.cancel()

    if options.with_parent:
        loop.add_reader(sys.stdin, parent_ends)
    with Thinkers(options.thinkers) as thinkers:
        async with asyncio.TaskGroup() as tasks:
            for strength in STRENGTHS:
                token = partial(token_of, options.key, strength)
                player = Identity(options.server, strength, token, thinkers, options.pace)
                tasks.create_task(player.run())


def token_of(key: str, strength: str) -> str:
    """A token with which this house player says hello."""
    now = int(time.time())
    claims = {
        "iss": "bot",
        "sub": house_player(strength),
        "name": f"{HOUSE_NAMES[strength]} (house)",
        "bot": True,
        "iat": now,
        "exp": now + _TOKEN_S,
    }
    return jwt.encode(claims, key, algorithm="HS256")


def _pace(text: str) -> float:
    try:
        pace = float(text)
    except ValueError:
        pace = -1
    if not 0 <= pace <= 10:
        raise ArgumentTypeError("a pace is a number from 0 to 10")
    return pace


def _size(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 64):
        raise ArgumentTypeError("thinkers are a number from 1 to 64")
    return int(text)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first: BaseException = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first

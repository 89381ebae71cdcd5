"""The way to a server: which one, as whom, and the token that was kept. Plays nothing."""

import argparse
import getpass
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from bigben_client import Client, RefusedError
from bigben_terminal import tokens

DEFAULT_SERVER: Final = "ws://127.0.0.1:8765"


def add_server(parser: argparse.ArgumentParser) -> None:
    """The options that every command with a server has."""
    parser.add_argument(
        "--server",
        metavar="URL",
        default=os.environ.get("BIGBEN_SERVER") or DEFAULT_SERVER,
        help=f"where the races are (BIGBEN_SERVER, {DEFAULT_SERVER})",
    )
    parser.add_argument(
        "--name",
        default=os.environ.get("BIGBEN_NAME", ""),
        help="what others call you (BIGBEN_NAME, or as you were called there before)",
    )


@asynccontextmanager
async def connected(server: str, name: str, *, link: str = "") -> AsyncIterator[Client]:
    """A client that has said hello with the token kept for this server, or as a new guest.

    With a one-time ``link`` it is the player who asked for that, and their token is kept instead.
    Raises ClientError: no such address, nobody there, or refused.
    """
    token = link or tokens.load(server)
    async with AsyncExitStack() as stack:
        try:
            hello = Client(server, name=name if token else name or _own_name(), token=token)
            client = await stack.enter_async_context(hello)
        except RefusedError as refused:
            if refused.code != "token" or link:
                raise
            # The server has another key than when the token was made, and knows nobody any more.
            tokens.forget(server)
            client = await stack.enter_async_context(Client(server, name=name or _own_name()))
        with suppress(OSError):  # without a folder to keep it in one plays all the same
            tokens.save(server, client.token)
        yield client


def _own_name() -> str:
    """The account's name, where there is one."""
    try:
        return getpass.getuser()[:32]
    except (OSError, KeyError):  # KeyError: before Python 3.13
        return "Guest"

"""The way to a server: which one, as whom, and the token that was kept. Plays nothing."""

import argparse
import getpass
import os
import shlex
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from bigben_client import Client, RefusedError
from bigben_terminal import evidence, tokens
from bigben_terminal.complaint import Complaint

DEFAULT_SERVER: Final = "ws://127.0.0.1:8765"

_SENT: Final = 200
"""Letters of a name that a frame holds; the server says of fewer already that they are too many."""


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
        help="your name: a new name is a new player (BIGBEN_NAME, or the last player)",
    )


@asynccontextmanager
async def connected(
    server: str, name: str, *, link: str = "", rename: str = ""
) -> AsyncIterator[Client]:
    """A client that has said hello with a token kept for this server, or as a new guest.

    ``name`` tells whose token; without one it is that of who played last. ``rename``: the same
    player is called so from now on. With a one-time ``link`` it is the player who asked for that,
    and their token is kept. Raises ClientError: no such address, nobody there, or refused; and
    Complaint where the link is not good.
    """
    token = link or tokens.load(server, name)
    called = (rename or name)[:_SENT]
    kept = evidence.of_server(server)
    async with AsyncExitStack() as stack:
        try:
            hello = Client(
                server, name=called if token else called or _own_name(), token=token, kept=kept
            )
            client = await stack.enter_async_context(hello)
        except RefusedError as refused:
            if refused.code != "token":
                raise
            if link:
                raise Complaint(
                    "this link can't be used: it was used before, is older than ten minutes, or is "
                    "for another server; ask for a new one, with /bigben link or on the page"
                ) from None
            # The server has another key than when the token was made, and knows nobody any more.
            tokens.forget(server, name)
            client = await stack.enter_async_context(Client(server, name=called or _own_name()))
        with suppress(OSError):  # a player without a writable folder can still play
            tokens.save(server, client.token, *{name, rename, client.name} - {""})
        yield client


def is_second(server: str, name: str) -> bool:
    """Whether somebody new would play by this name where another player of this machine has."""
    return bool(name and tokens.load(server) and not tokens.load(server, name))


def options(server: str, name: str = "") -> str:
    """What a command needs to come to this server as this player, beginning with a space."""
    elsewhere = f" --server {shlex.quote(server)}" if server != DEFAULT_SERVER else ""
    return elsewhere + (f" --name {shlex.quote(name)}" if name else "")


def _own_name() -> str:
    """The account's name, where there is one."""
    try:
        return getpass.getuser()[:32]
    except (OSError, KeyError):  # KeyError: before Python 3.13
        return "Guest"

"""How to connect: to which server, as which player, with which stored token."""

import argparse
import getpass
import os
import shlex
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from bigben_client import Client, RefusedError
from bigben_terminal.complaint import Complaint
from bigben_terminal.kept import evidence, tokens

DEFAULT_SERVER: Final = "ws://127.0.0.1:8765"

_SENT: Final = 200
"""A longer name does not fit into a frame; the server refuses shorter ones already."""


def add_server(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that connects to a server."""
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

    ``name`` selects the token; without it, the player who played last. ``rename`` is the player's
    new name. With a one-time ``link`` the client is the player who requested it, and their token is
    stored. Raises ClientError if the address is invalid, nobody answers, or the server refuses, and
    Complaint if the link is invalid.
    """
    token = link or tokens.load(server, name)
    called = (rename or name)[:_SENT]
    kept = evidence.of_server(server)
    async with AsyncExitStack() as stack:
        try:
            hello = Client(
                server,
                name=called if token else called or _own_name(),
                token=token,
                kept=kept,
                keeps_rules=True,
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
            # The server's key has changed since the token was made.
            tokens.forget(server, name)
            guest = Client(server, name=called or _own_name(), keeps_rules=True)
            client = await stack.enter_async_context(guest)
        with suppress(OSError):  # a player without a writable folder can still play
            tokens.save(server, client.token, *{name, rename, client.name} - {""})
        yield client


def is_second(server: str, name: str) -> bool:
    """Whether this name is new although another player of this machine has played there."""
    return bool(name and tokens.load(server) and not tokens.load(server, name))


def options(server: str, name: str = "") -> str:
    """The options with which a command connects as this player, beginning with a space."""
    elsewhere = f" --server {shlex.quote(server)}" if server != DEFAULT_SERVER else ""
    return elsewhere + (f" --name {shlex.quote(name)}" if name else "")


def _own_name() -> str:
    """The name of the system account, if there is one."""
    try:
        return getpass.getuser()[:32]
    except (OSError, KeyError):  # KeyError: before Python 3.13
        return "Guest"

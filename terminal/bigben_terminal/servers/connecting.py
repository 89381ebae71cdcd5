"""How to connect: to which server, as which player, with which stored token."""

import argparse
import asyncio
import getpass
import os
import re
import shlex
import sys
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Final

from bigben_client import Client, ClientError, RefusedError
from bigben_protocol import GameInfo
from bigben_terminal.complaint import Complaint
from bigben_terminal.language import add_language, say, told
from bigben_terminal.local_files import evidence, tokens

DEFAULT_SERVER: Final = "ws://127.0.0.1:8765"
FRONT_END: Final = "bigben-terminal/1"
"""How the terminal calls itself in Hello."""

_NAME: Final = re.compile(r"[\w-]{0,32}", re.ASCII)
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
    add_language(parser)


def add_login_server(parser: argparse.ArgumentParser) -> None:
    """Add the server of a login, which stands alone."""
    usual = os.environ.get("BIGBEN_SERVER") or DEFAULT_SERVER
    help_text = f"where the races are (BIGBEN_SERVER, {DEFAULT_SERVER})"
    parser.add_argument("server", nargs="?", default=usual, metavar="SERVER", help=help_text)
    add_language(parser)


def confirmed(question: str) -> bool:
    """Whether the player answers yes. The end of the input is a no."""
    try:
        answer = input(f"{question} ")
    except EOFError:
        return False
    return answer.strip().lower() in say("start.yes").split()


def run_online(doing: Coroutine[object, object, None]) -> int:
    """Do what a command asks of a server. Returns the exit code. Raises Complaint."""
    try:
        asyncio.run(doing)
    except ClientError as error:
        raise Complaint(told(error)) from None
    return 0


def add_game(parser: argparse.ArgumentParser, default: str = "bigben") -> None:
    """Add the option that names a patience."""
    help_text = "which patience: bigben (the default), watch, clock …"
    parser.add_argument("--game", type=_name, default=default, metavar="NAME", help=help_text)


def add_rules(parser: argparse.ArgumentParser, default: str = "standard") -> None:
    """Add the option that names the rules of the game."""
    help_text = "the rules of the game; standard is the default"
    parser.add_argument("--rules", type=_name, default=default, metavar="NAME", help=help_text)


def _name(text: str) -> str:
    """A name as games and rules have it; the server says whether it exists."""
    if not _NAME.fullmatch(text):
        raise argparse.ArgumentTypeError("a name has at most 32 letters, digits, - and _")
    return text.lower()


def today(game: str, rules: str = "standard") -> str:
    """The name of today's race of this game."""
    return f"daily.{game}.{rules}"


async def group_named(client: Client, name: str) -> str:
    """The id of the player's group with that name or id; empty if there is none."""
    groups = (await client.groups()).groups
    wanted = name.casefold()
    fitting = (g.group for g in groups if wanted in (g.group.casefold(), g.name.casefold()))
    return next(fitting, "")


async def games_of(client: Client) -> Mapping[str, GameInfo]:
    """The games of the server by their names."""
    return {game.name: game for game in (await client.games()).games}


@asynccontextmanager
async def connected(
    server: str,
    name: str,
    *,
    link: str = "",
    rename: str = "",
    cheers: bool = False,
    race: str = "",
    challenges: bool = False,
) -> AsyncIterator[Client]:
    """A client that has said hello with a token kept for this server, or as a new guest.

    ``name`` selects the token; without it, the player who played last. ``rename`` is the player's
    new name. With a one-time ``link`` the client is the player who requested it, and their token is
    stored. ``cheers``: what players call comes as events. ``race``: the one that the player enters.
    ``challenges``: those of other players come as events.
    Raises ClientError if the address is invalid, nobody answers, or the server refuses, and
    Complaint if the link is invalid.
    """
    token = link or tokens.load(server, name)
    called = (rename or name)[:_SENT]
    make = partial(
        Client,
        server,
        client=FRONT_END,
        announcements=True,
        keep=partial(evidence.store, server),
        cheers=cheers,
        race=race,
        challenges=challenges,
    )
    async with AsyncExitStack() as stack:
        try:
            shown = called if token else called or _own_name()
            known = make(name=shown, token=token, kept=evidence.of_server(server))
            client = await stack.enter_async_context(known)
        except RefusedError as refused:
            if refused.code != "token":
                raise
            if link:
                raise Complaint(say("wrong.link")) from None
            # The player has logged out elsewhere or was tied, or the server's key has changed.
            print(told(refused), file=sys.stderr)
            tokens.forget(server, name)
            client = await stack.enter_async_context(make(name=called or _own_name()))
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

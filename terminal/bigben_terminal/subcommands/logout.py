"""``bigben logout``: this machine forgets the player; with ``--everywhere`` all others do too."""

from argparse import ArgumentParser, Namespace

from bigben_client import Client, RefusedError
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import safe
from bigben_terminal.language import say
from bigben_terminal.local_files import tokens
from bigben_terminal.servers.connecting import FRONT_END, add_login_server, confirmed, run_online


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = "Forget the player here. Your results stay on the server."
    parser.add_argument("--everywhere", action="store_true", help="in all browsers and terminals")
    parser.add_argument("--name", default="", help="which player (the last one)")
    add_login_server(parser)


def run(arguments: Namespace) -> int:
    """Log out. Returns the exit code. Raises Complaint."""
    server, token = arguments.server, tokens.load(arguments.server, arguments.name)
    holder = tokens.holder(token)
    if holder is None:
        raise Complaint(say("logout.nobody"))
    name = safe(holder.name)
    if holder.player.startswith("guest:"):
        print(say("logout.guest", name=name))
        if not confirmed(say("logout.sure")):
            return 0
    if arguments.everywhere:
        run_online(_everywhere(server, token))
    tokens.forget_player(server, holder.player)
    print(say("logout.everywhere" if arguments.everywhere else "logout.here", name=name))
    return 0


async def _everywhere(server: str, token: str) -> None:
    try:
        async with Client(server, token=token, client=FRONT_END) as client:
            await client.log_out()
    except RefusedError as refused:
        if refused.code != "token":  # then the player was logged out before, elsewhere
            raise

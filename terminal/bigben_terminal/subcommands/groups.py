"""``bigben groups``: the player's groups of friends: list, make, join, leave."""

from argparse import ArgumentParser, Namespace

from bigben_client import Client
from bigben_protocol import Groups
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import printable
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_server,
    connected,
    group_named,
    run_online,
)


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """List your groups, make one, join one by its code, or leave one. A group
    has boards of its own: bigben leaderboard --group."""
    parser.add_argument("action", nargs="?", choices=("list", "make", "join", "leave"))
    parser.add_argument(
        "which", nargs="?", default="", metavar="NAME|CODE", help="a name, or to join a code"
    )
    add_server(parser)


def run(arguments: Namespace) -> int:
    """Show the groups after the change. Returns the exit code. Raises Complaint."""
    action = arguments.action or "list"
    if (action == "list") == bool(arguments.which):
        raise Complaint(f"bigben groups {action}{'' if action == 'list' else ' NAME'}")
    return run_online(_run(arguments, action))


async def _run(arguments: Namespace, action: str) -> None:
    async with connected(arguments.server, arguments.name) as client:
        for line in _lines(await _after(client, action, arguments.which)):
            print(printable(line))


async def _after(client: Client, action: str, which: str) -> Groups:
    match action:
        case "make":
            return await client.create_group(which)
        case "join":
            return await client.join_group(which)
        case "leave":
            group = await group_named(client, which)
            if not group:
                raise Complaint(say("groups.unknown", name=printable(which[:40])))
            return await client.leave_group(group)
        case _:
            return await client.groups()


def _lines(groups: Groups) -> list[str]:
    return [
        say(
            "groups.one" if group.code else "groups.without_code",
            name=group.name or group.group,
            group=group.group,
            code=group.code,
        )
        for group in groups.groups
    ] or [say("groups.none")]

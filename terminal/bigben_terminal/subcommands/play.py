"""``bigben play``: joins a race and plays it in a terminal."""

import asyncio
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from bigben_client import Client, ClientError
from bigben_protocol import Room
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import faces_for, printable
from bigben_terminal.display.screen import Screen, can_edit, make_console
from bigben_terminal.kept.evidence import Evidence
from bigben_terminal.playing import Playing
from bigben_terminal.servers.connecting import add_server, connected, is_second, options

_DESCRIPTION = """Play today's race, or the room with this code. Your seat is kept: the same command
brings you back to it. Write help, once there, for what can be typed."""

_EXAMPLES = """examples:
  bigben play --name Ada       today's race, the same deal for everybody
  bigben play --create         a room of your own; it tells you the code for your friends
  bigben play K7QPXM           the room with this code
  bigben play --practice       alone, with undo
  bigben play --server ws://192.168.1.20:8765 --name Ada
                               on a friend's machine

docs/terminal.md says more."""


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.add_argument("race", nargs="?", default="", help="daily (the default), or a room's code")
    add_server(parser)
    parser.add_argument(
        "--link",
        default="",
        metavar="TOKEN",
        help="continue as the player who made this one-time link",
    )
    parser.add_argument(
        "--rename", default="", metavar="NAME", help="keep your player, but change its name to this"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--create", action="store_true", help="open a room for others to join")
    kind.add_argument("--practice", action="store_true", help="play alone, with undo")
    kind.add_argument("--watch", action="store_true", help="follow the race without a seat")
    parser.add_argument("--seed", default="", help="for --practice: 64 hex digits")
    parser.add_argument("--rules", default="", help="standard (the default), book, survey or open")
    parser.add_argument(
        "--invite-only", action="store_true", help="for --create: only those you tell may join"
    )
    parser.add_argument("--undo", action="store_true", help="for --create: moves can be taken back")
    parser.add_argument("--ascii", action="store_true", help="letters instead of suit signs")
    parser.add_argument("--plain", action="store_true", help="words, for screen readers")


def run(arguments: Namespace) -> int:
    """Play until the player leaves. Returns the exit code. Raises Complaint."""
    race = arguments.race or "daily"
    if arguments.race and (arguments.create or arguments.practice):
        raise Complaint("a new game has no code yet; leave it out")
    if arguments.seed and not arguments.practice:
        raise Complaint("only practice takes a seed: bigben play --practice --seed …")
    if (arguments.undo or arguments.invite_only) and not arguments.create:
        raise Complaint(
            "--undo and --invite-only go with --create; other races have their rules already"
        )
    if arguments.rules and race != "daily":
        raise Complaint("a room has its rules already; leave out --rules")
    try:
        asyncio.run(_play(arguments))
    except ClientError as error:
        raise Complaint(str(error)) from None
    return 0


async def _play(arguments: Namespace) -> None:
    console = make_console()
    faces = faces_for(console.file, ascii_wanted=arguments.ascii)
    server, name = arguments.server, arguments.name
    second = is_second(server, name) and not (arguments.link or arguments.rename)
    way = connected(server, name, link=arguments.link, rename=arguments.rename)
    async with way as client:
        if second:
            print(f"You play as {printable(client.name)}, a new player on this machine. To play as")
            print("an earlier player, use --name; to change your name, use --rename.")
        room = await _enter(client, arguments)
        screen = Screen(console, faces, editing=can_edit() and not arguments.plain)
        playing = Playing(
            client,
            screen,
            room,
            Evidence(client, server),
            friends=options(server),
            back=options(server, arguments.rename or name),
            plain=arguments.plain,
        )
        try:
            async with screen:
                await playing.run()
        finally:  # Ctrl-C too
            if playing.way_back:
                print(f"Your seat is kept; come back with: {playing.way_back}")


async def _enter(client: Client, arguments: Namespace) -> Room:
    """The requested room, after the player has joined it."""
    rules = arguments.rules or "standard"
    if arguments.create or arguments.practice:
        return await client.create(
            rules=rules,
            practice=arguments.practice,
            seed=arguments.seed,
            undo=arguments.undo,
            invite_only=arguments.invite_only,
        )
    race = arguments.race or "daily"
    if race == "daily" and arguments.rules:
        race = f"daily.{rules}"
    return await (client.watch(race) if arguments.watch else client.join(race))

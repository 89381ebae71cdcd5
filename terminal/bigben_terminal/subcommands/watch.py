"""``bigben watch``: follows a race without a seat, and shows the boards when it is over."""

from argparse import ArgumentParser, Namespace
from functools import partial

from rich.text import Text

from bigben_client import Client
from bigben_protocol import CERTIFICATE, Room
from bigben_terminal.after_race import played_games, views_of
from bigben_terminal.attending import add_looks, attend
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import faces_for
from bigben_terminal.display.race_replay import Seen, replay, told
from bigben_terminal.display.screen import Screen, make_console
from bigben_terminal.entering import watch
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_server,
    connected,
    games_of,
    run_online,
)


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """Watch a race: how far everybody is and what they bring home, never a
    card. When it is over, the last boards of all players, or the whole race again."""
    parser.add_argument("race", nargs="?", default="daily", help="a room's code; today's if none")
    parser.add_argument(
        "--replay",
        type=float,
        nargs="?",
        const=20.0,
        metavar="SPEED",
        help="a race that is over: show it again, this many times as fast (20)",
    )
    add_server(parser)
    add_looks(parser)


def run(arguments: Namespace) -> int:
    """Watch until the player leaves. Returns the exit code. Raises Complaint."""
    if arguments.replay is not None and not 0.1 <= arguments.replay <= 10_000:
        raise Complaint("--replay is 0.1 to 10000")
    if arguments.replay:
        return run_online(_replay(arguments))
    return run_online(attend(arguments, partial(_enter, race=arguments.race)))


async def _enter(client: Client, screen: Screen, *, race: str) -> Room:
    return await watch(client, race)


async def _replay(arguments: Namespace) -> None:
    """Show a closed race from its start to its end. Raises ClientError and Complaint."""
    console = make_console()
    faces = faces_for(console.file, ascii_wanted=arguments.ascii)
    async with connected(arguments.server, arguments.name, race=arguments.race) as client:
        room = await watch(client, arguments.race)
        if room.phase != "closed":
            raise Complaint(say("wrong.no_replay"))
        game = (await games_of(client))[room.rules.game]
        played = await played_games(client, await client.standings(room.race), game)
        winning = [await client.record(room.race, CERTIFICATE)] if room.par else []
    seats = [Seen(row.name, views) for row, views in played if len(views) > 1]
    seats += [Seen(say("certificate"), views_of(record, game)) for record in winning]
    if not seats:
        console.print(Text(say("nobody")))
    elif arguments.plain or not console.is_terminal:
        for line in told(seats, game.total):
            console.print(Text(line), soft_wrap=True)
    else:
        await replay(console, game, seats, faces, speed=arguments.replay)

"""``bigben stats``: a player's results, streaks and records, and a comparison with another."""

from argparse import ArgumentParser, Namespace

from rich.text import Text

from bigben_terminal.after_race import until_next_daily
from bigben_terminal.display.faces import add_faces, faces_for, printable
from bigben_terminal.display.profile import profile_lines
from bigben_terminal.display.screen import make_console
from bigben_terminal.display.tables import clock
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_game,
    add_server,
    connected,
    run_online,
)
from bigben_terminal.servers.players import player_named


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """Show how a player has done: races played and won, streaks, best times,
    cards home by week. A name is looked up on the boards of the game."""
    parser.add_argument("player", nargs="?", default="", help="a name or an id; you if none")
    parser.add_argument("--against", default="", metavar="NAME", help="compare with this player")
    add_server(parser)
    add_game(parser)
    add_faces(parser)


def run(arguments: Namespace) -> int:
    """Show the statistics. Returns the exit code. Raises Complaint."""
    return run_online(_show(arguments))


async def _show(arguments: Namespace) -> None:
    console = make_console()
    faces = faces_for(console.file, ascii_wanted=arguments.ascii)
    async with connected(arguments.server, arguments.name) as client:
        player = await player_named(client, arguments.player, arguments.game)
        against = await player_named(client, arguments.against, arguments.game)
        profile = await client.profile(player, against=against)
        for line in profile_lines(profile, faces, plain=arguments.plain):
            console.print(Text(printable(line)), soft_wrap=True)
        console.print(Text(say("next_daily", time=clock(until_next_daily(client.now_at())))))

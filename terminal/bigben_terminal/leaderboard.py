"""``bigben leaderboard``: a page of a daily board, as a table or in words."""

import asyncio
from argparse import ArgumentParser, Namespace

from rich.console import Console
from rich.text import Text

from bigben_client import ClientError
from bigben_protocol import Leaderboard, PlayerId
from bigben_terminal.complaint import Complaint
from bigben_terminal.connecting import add_server, connected
from bigben_terminal.faces import Faces, faces_for, printable
from bigben_terminal.screen import make_console
from bigben_terminal.tables import places


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = "Show who came how far in a daily race."
    add_server(parser)
    parser.add_argument("--date", default="", help="the day, like 2026-11-21; today (UTC) if none")
    parser.add_argument("--rules", default="standard", help="standard (the default), book or open")
    parser.add_argument("--start", type=int, default=0, help="how many rows to pass over")
    parser.add_argument("--count", type=int, default=20, help="how many to show, at most 100")
    parser.add_argument("--ascii", action="store_true", help="letters only")
    parser.add_argument("--plain", action="store_true", help="words, for screen readers")


def run(arguments: Namespace) -> int:
    """Show the page. Returns the exit code. Raises Complaint."""
    if not (0 <= arguments.start <= 10_000_000 and 1 <= arguments.count <= 100):
        raise Complaint("--start is 0 or more, --count 1 to 100")
    try:
        asyncio.run(_show(arguments))
    except ClientError as error:
        raise Complaint(str(error)) from None
    return 0


async def _show(arguments: Namespace) -> None:
    console = make_console()
    async with connected(arguments.server, arguments.name) as client:
        page = await client.leaderboard(
            date=arguments.date,
            rules=arguments.rules,
            start=arguments.start,
            count=arguments.count,
        )
        faces = faces_for(console.file, ascii_wanted=arguments.ascii)
        show_page(console, page, client.player, faces, plain=arguments.plain)


def show_page(
    console: Console, page: Leaderboard, me: PlayerId, faces: Faces, *, plain: bool = False
) -> None:
    """Print the page, and the player's own row where it is not on it."""
    console.print(Text(f"{printable(page.board)}: {page.total} in all"))
    if page.rows:
        console.print(places(page.rows, me, faces, plain=plain))
    else:
        console.print(Text("Nobody here." if page.start else "Nobody has finished yet."))
    if page.mine and all(row.player != me for row in page.rows):
        console.print(places([page.mine], me, faces, plain=plain))

"""``bigben leaderboard``: a page of a board, as a table or in words."""

from argparse import ArgumentParser, Namespace
from typing import get_args

from rich.console import Console
from rich.text import Text

from bigben_client import Client
from bigben_protocol import PERIODS, By, GameInfo, Leaderboard, Period, PlayerId
from bigben_terminal.complaint import Complaint
from bigben_terminal.display import headings
from bigben_terminal.display.faces import Faces, add_faces, faces_for, printable
from bigben_terminal.display.screen import make_console
from bigben_terminal.display.tables import NARROW, places, ranking
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_game,
    add_rules,
    add_server,
    connected,
    games_of,
    group_named,
    run_online,
)

_SPANS = ", ".join(spans.example for spans in PERIODS.values() if spans.example)


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = "Show the results of a daily race, or the leaders of a longer board."
    add_server(parser)
    parser.add_argument("--period", choices=get_args(Period), default="daily")
    parser.add_argument(
        "--by", choices=get_args(By), default="points", help="the order of all but a daily board"
    )
    parser.add_argument(
        "--date",
        default="",
        help=f"a day in it, or the period itself: {_SPANS}; today (UTC) if none",
    )
    add_game(parser)
    add_rules(parser)
    parser.add_argument(
        "--group", default="", help="this group; or bots; or guests, if ranked apart"
    )
    parser.add_argument("--start", type=int, default=0, help="how many rows to skip")
    parser.add_argument("--around", action="store_true", help="the rows around yours")
    parser.add_argument("--count", type=int, default=20, help="how many to show, at most 100")
    add_faces(parser)


def run(arguments: Namespace) -> int:
    """Show the page. Returns the exit code. Raises Complaint."""
    if not (0 <= arguments.start <= 10_000_000 and 1 <= arguments.count <= 100):
        raise Complaint("--start is 0 or more, --count 1 to 100")
    return run_online(_show(arguments))


async def _show(arguments: Namespace) -> None:
    console = make_console()
    async with connected(arguments.server, arguments.name) as client:
        page = await client.leaderboard(
            date=arguments.date,
            game=arguments.game,
            rules=arguments.rules,
            start=arguments.start,
            count=arguments.count,
            period=arguments.period,
            by=arguments.by,
            group=await _group(client, arguments.group),
            around=arguments.around,
        )
        faces = faces_for(console.file, ascii_wanted=arguments.ascii)
        game = (await games_of(client))[arguments.game]
        show_page(console, page, client.player, game, faces, plain=arguments.plain)


async def _group(client: Client, name: str) -> str:
    """The id of one of the player's groups, by its name too; other ids are the server's to know."""
    return await group_named(client, name) or name if name else ""


def show_page(
    console: Console,
    page: Leaderboard,
    me: PlayerId,
    game: GameInfo,
    faces: Faces,
    *,
    plain: bool = False,
) -> None:
    """Print the page of a board of this game, and the player's own row if it is elsewhere."""
    plain = plain or console.width < NARROW
    heading = printable(headings.of_board(page.board, faces.dot))
    console.print(Text(say("board.in_all", board=heading, total=page.total)))
    by: By = "rating" if "rating" in page.board.partition("@")[0].split(".") else "points"
    if page.rows:
        console.print(places(page.rows, me, game, faces, plain=plain))
    if page.ranked:
        console.print(ranking(page.ranked, me, faces, by=by, plain=plain))
    shown = [*(row.player for row in page.rows), *(row.player for row in page.ranked)]
    if not shown:
        console.print(Text(_why_empty(page)))
    if page.mine and me not in shown:
        console.print(places([page.mine], me, game, faces, plain=plain))
    if page.my_rank and me not in shown:
        console.print(ranking([page.my_rank], me, faces, by=by, plain=plain))
    if shown and page.start + len(shown) < page.total:
        console.print(Text(say("board.more", start=page.start + len(shown))))


def _why_empty(page: Leaderboard) -> str:
    if page.total:
        return say("board.no_row", row=page.start + 1, last=page.total)
    return say("board.empty" if page.board.startswith("daily") else "board.empty_yet")

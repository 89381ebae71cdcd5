"""``bigben archive``: the past daily races, and how the player did in each."""

from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from bigben_client import Client
from bigben_terminal.complaint import Complaint
from bigben_terminal.display import headings
from bigben_terminal.display.faces import printable
from bigben_terminal.display.tables import how
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_game,
    add_rules,
    add_server,
    connected,
    games_of,
    options,
    run_online,
)


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """List the daily races of the last days with your results. Those that you
    missed can be played as practice: bigben play --archive DAY."""
    add_server(parser)
    add_game(parser)
    add_rules(parser)
    parser.add_argument("--days", type=int, default=14, help="how many days (14), at most 60")


def run(arguments: Namespace) -> int:
    """Show the list. Returns the exit code. Raises Complaint."""
    if not 1 <= arguments.days <= 60:
        raise Complaint("--days is 1 to 60")
    return run_online(_show(arguments))


async def _show(arguments: Namespace) -> None:
    async with connected(arguments.server, arguments.name) as client:
        rules = headings.of_rules(arguments.game, arguments.rules)
        print(printable(say("archive.heading", rules=rules)))
        async for line in _lines(client, arguments):
            print(printable(line))
        print(say("archive.unranked"))


async def _lines(client: Client, arguments: Namespace) -> AsyncIterator[str]:
    game = (await games_of(client)).get(arguments.game)
    today = datetime.fromtimestamp(client.now_at() / 1000, UTC).date()
    server = options(arguments.server, arguments.name)
    if arguments.game != "bigben":
        server += f" --game {arguments.game}"
    if arguments.rules != "standard":
        server += f" --rules {arguments.rules}"
    missed = ""
    for back in range(1, arguments.days + 1):
        date = (today - timedelta(days=back)).isoformat()
        page = await client.leaderboard(
            date=date, game=arguments.game, rules=arguments.rules, count=1
        )
        day, mine = headings.of_day(date), page.mine
        if mine and game:
            yield say("archive.played", day=day, how=how(mine, game.total), place=mine.place)
        else:
            missed = missed or date
            yield say("archive.missed", day=day)
    if missed:
        # Each on a line of its own: a wrapped command can't be copied.
        yield say("archive.play")
        yield f"bigben play --archive {missed}{server}"

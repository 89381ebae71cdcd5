"""``bigben demo``: shows a race of house players on a server."""

import asyncio
import signal
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import AsyncIterator, Iterator, Set
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from random import Random
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.text import Text

from bigben_client import Client, ClientError
from bigben_house.seen import position_of
from bigben_protocol import GameInfo, PlayerId, Progress, Snapshot, View
from bigben_solver.players import PLAYERS, HousePlayer, Strength
from bigben_terminal.complaint import Complaint
from bigben_terminal.display import headings
from bigben_terminal.display.board import picture
from bigben_terminal.display.faces import Faces, faces_for, printable
from bigben_terminal.display.race_bars import RaceBars
from bigben_terminal.display.screen import make_console
from bigben_terminal.display.tables import places
from bigben_terminal.language import told
from bigben_terminal.servers.connecting import add_game, games_of, today
from bigben_terminal.servers.server_process import own_server
from bigben_terminal.subcommands.leaderboard import show_page

NOBODY: Final = PlayerId("")
_SHOWN: Final[Strength] = "steady"
"""The strength of the player whose board is shown."""


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """Start a server of its own, let house players race today's deal over
    real connections, show one of their boards, their places and the leaderboard, and stop the
    server."""
    parser.add_argument("--server", metavar="URL", help="race on this server, and start none")
    add_game(parser)
    parser.add_argument(
        "--pace", type=_pace, default=0.1, help="seconds from a move to the next (0.1)"
    )
    parser.add_argument("--ascii", action="store_true", help="letters only")


def run(arguments: Namespace) -> int:
    """Show the race. Returns the exit code. Raises Complaint."""
    console = make_console()
    faces = faces_for(console.file, ascii_wanted=arguments.ascii)
    code, complaints = 0, list[str]()
    try:
        asyncio.run(_demo(arguments, console, faces))
    except* (ClientError, Complaint) as group:
        complaints += _sentences(group)
    except* asyncio.CancelledError:
        code = 128 + signal.SIGTERM
    if complaints:
        raise Complaint(complaints[0])
    return code


async def _demo(arguments: Namespace, console: Console, faces: Faces) -> None:
    this = asyncio.current_task()
    assert this is not None, "run by asyncio.run"
    with suppress(NotImplementedError, AttributeError):  # on systems without these signals
        # Stop the server even if the terminal is closed.
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, this.cancel)
    async with _server(arguments.server, console) as url:
        async with Client(url, name="Spectator") as spectator:
            race = (await spectator.watch(today(arguments.game))).race
            game = (await games_of(spectator))[arguments.game]
            heading = headings.of_board(race, faces.dot)
            console.print(Text(f"{len(_racing(game.name))} players race: {heading}."))
            if not arguments.server:
                # Unbroken on its own line, so that it can be copied or clicked.
                address = f"Watch it in a browser too:\n{_page(url)}#watch={race}"
                console.print(Text(address), soft_wrap=True)
            # Show no cards of another server: the spectator may want to race there.
            shown = None if arguments.server else _SHOWN
            pace = arguments.pace
            await _race(spectator, race, game, console, faces, url=url, pace=pace, shown=shown)
            standings = await spectator.standings(race)
            page = await spectator.leaderboard(game=game.name)
        console.print(Text("How it ended:"), places(standings.rows, NOBODY, game, faces))
        console.print(Text("The leaderboard, as the server has stored it:"))
        show_page(console, page, NOBODY, game, faces)


@asynccontextmanager
async def _server(address: str | None, console: Console) -> AsyncIterator[str]:
    """The server at that address, or one of the demo's own."""
    if address is not None:
        yield address
        return
    console.print(Text("Starting a server."))
    async with own_server() as url:
        console.print(Text(f"It listens on {url}."))
        yield url
    console.print(Text("The server is stopped."))


def _racing(game: str) -> list[HousePlayer]:
    """The house players of a game, without the one that thinks too long for a short show."""
    return [player for player in PLAYERS[game] if player.key != "master"]


def _page(url: str) -> str:
    """The address of the server's page for browsers."""
    return f"http{url.removeprefix('ws')}/"


async def _race(
    spectator: Client,
    race: str,
    game: GameInfo,
    console: Console,
    faces: Faces,
    *,
    url: str,
    pace: float,
    shown: Strength | None,
) -> None:
    """Let the house players race, and show what a spectator sees.

    ``shown``: the strength of the house player whose board is also shown.
    """
    async with AsyncExitStack() as stack:
        house = {
            player: await stack.enter_async_context(Client(url, name=player.name))
            for player in _racing(game.name)
        }
        racers = {client.player for client in house.values()}
        watched = next((house[player] for player in house if player.key == shown), None)
        cards = partial(_board, watched, race, game, console, faces) if watched else None
        bars = stack.enter_context(RaceBars(console, game.total, cards))
        async with asyncio.TaskGroup() as tasks:
            following = tasks.create_task(_follow(spectator, race, racers, bars))
            async with asyncio.TaskGroup() as seats:
                for player, client in house.items():
                    seats.create_task(_take_seat(client, player, race, pace))
            following.cancel()
        bars.show((await spectator.standings(race, only=list(racers))).rows)


def _board(
    client: Client, race: str, game: GameInfo, console: Console, faces: Faces
) -> RenderableType:
    """A player's current cards."""
    view = client.views.get(race)
    if view is None:
        return Text("")
    heading = Text(f"The board of {printable(client.name)}, move {view.n}", "bold")
    return Group(heading, picture(game, view, faces, console.width), Text(""))


async def _take_seat(client: Client, player: HousePlayer, race: str, pace: float) -> None:
    """Race from the first sight of the cards to the end."""
    await client.join(race)
    await client.ready(race)
    async for event in client.events():
        if isinstance(event, Snapshot):
            break
    await play_out(client, race, player, Random(player.name), pace=pace)


async def play_out(
    client: Client, race: str, player: HousePlayer, rng: Random, *, pace: float = 0.0
) -> View:
    """Play a game whose cards are out to its end; resigns when the player has no plan left.

    ``pace`` is the least number of seconds between two moves. Returns the last view.
    """
    rules = client.rooms[race].rules
    while (view := client.views[race]).state == "playing":
        # In a thread: while one thinks, the others play.
        position = position_of(view, rules)
        plan = await asyncio.to_thread(player.plan, position, rng)
        for move in plan:
            if client.views[race].state == "playing":
                await client.move(race, position.format(move))
                await asyncio.sleep(pace)
        if not plan:
            await client.move(race, "resign")
    return view


async def _follow(spectator: Client, race: str, racers: Set[PlayerId], bars: RaceBars) -> None:
    """Show every progress until cancelled."""
    async for event in spectator.events():
        if isinstance(event, Progress):
            bars.show(seat for seat in spectator.rooms[race].seats if seat.player in racers)


def _sentences(group: BaseExceptionGroup[ClientError | Complaint]) -> Iterator[str]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _sentences(error)
        else:
            yield told(error) if isinstance(error, ClientError) else str(error)


def _pace(text: str) -> float:
    try:
        pace = float(text)
    except ValueError:
        pace = -1
    if not 0 <= pace <= 60:
        raise ArgumentTypeError("a pace is a number of seconds from 0 to 60")
    return pace

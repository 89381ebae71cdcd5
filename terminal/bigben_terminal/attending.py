"""Connects, enters a race and stays until the player leaves: what `play` and `watch` share."""

from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable

from bigben_client import Client
from bigben_protocol import Room
from bigben_terminal.display.faces import add_faces, faces_for, printable
from bigben_terminal.display.screen import Screen, can_edit, make_console
from bigben_terminal.language import say
from bigben_terminal.local_files.evidence import Evidence
from bigben_terminal.playing import Playing
from bigben_terminal.servers.connecting import connected, games_of, is_second, options

Enter = Callable[[Client, Screen], Awaitable[Room]]
"""Gets the player into a room; it may ask them first."""


def add_looks(parser: ArgumentParser) -> None:
    """Add the options that say how the race is shown."""
    add_faces(parser)
    parser.add_argument("--no-cheers", action="store_true", help="without what players call")


async def attend(arguments: Namespace, enter: Enter, *, link: str = "", rename: str = "") -> None:
    """Stay in the race until the player leaves; ``arguments.race`` if it was typed.

    Raises ClientError and Complaint.
    """
    console = make_console()
    faces = faces_for(console.file, ascii_wanted=arguments.ascii)
    server, name = arguments.server, arguments.name
    second = is_second(server, name) and not (link or rename)
    playing: Playing | None = None
    cheers = not arguments.no_cheers
    connecting = connected(
        server,
        name,
        link=link,
        rename=rename,
        cheers=cheers,
        race=arguments.race,
        challenges=True,
    )
    async with connecting as client:
        if second:
            print(say("says.second", name=printable(client.name)))
        screen = Screen(console, faces, editing=can_edit() and not arguments.plain)
        try:
            async with screen:
                room = await enter(client, screen)
                playing = Playing(
                    client,
                    screen,
                    room,
                    (await games_of(client))[room.rules.game],
                    Evidence(client, server),
                    friends=options(server),
                    back=options(server, rename or name),
                    plain=arguments.plain,
                )
                await playing.run()
        finally:  # Ctrl-C too
            if playing is not None and playing.way_back:
                print(say("says.kept", command=playing.way_back))

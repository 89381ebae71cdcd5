"""`bigben receipt`: writes everything about a closed race to a file that can be verified.

`bigben verify` checks the file without the server; this only compares it with what was kept.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from bigben_client import Client, ClientError, RefusedError, ask_receipt
from bigben_protocol import Reveal, Room
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import printable
from bigben_terminal.language import told
from bigben_terminal.local_files.evidence import Evidence
from bigben_terminal.servers.connecting import add_server, connected


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = "Write the receipt of a closed race, for `bigben verify` to check."
    parser.add_argument("race", metavar="RACE", help="a room's code, or daily.2026-11-21.…")
    add_server(parser)
    parser.add_argument(
        "--output",
        metavar="FILE",
        default="-",
        help="where to, - for standard output (%(default)s)",
    )


def run(arguments: Namespace) -> int:
    try:
        text, verdict = asyncio.run(ask(arguments.server, arguments.name, arguments.race))
    except ClientError as error:
        raise Complaint(told(error)) from None
    if arguments.output == "-":
        sys.stdout.write(text)
    else:
        Path(arguments.output).write_text(text, encoding="ascii")
        print(f"Written. Check it with: bigben verify {arguments.output}")
    # On standard error, because the receipt may be on standard output.
    for line in verdict:
        print(printable(line), file=sys.stderr)
    return 0


async def ask(server: str, name: str, race: str) -> tuple[str, list[str]]:
    """The receipt of a race from its server, and whether it agrees with what was kept.

    Raises ClientError and Complaint.
    """
    async with connected(server, name) as client:
        try:
            room = await client.watch(race)
        except RefusedError as refused:
            if refused.code == "phase":
                raise Complaint(f"only a race has a receipt. {refused.text}") from None
            raise
        if room.phase != "closed":
            raise Complaint(_not_yet(room))
        receipt = await ask_receipt(client, room, await _reveal(client, room))
        if not receipt:
            raise Complaint(f"nobody played in {room.race}, so there is nothing to prove")
        return receipt, await Evidence(client, server).verdict(room.race)


async def _reveal(client: Client, room: Room) -> Reveal:
    """The Reveal, which the server sends to all who follow a closed race."""
    async for event in client.events():
        if isinstance(event, Reveal) and event.race == room.race:
            return event
    raise AssertionError("events() ends by an exception")


def _not_yet(room: Room) -> str:
    """Why there is no receipt, and when there will be one."""
    if room.phase == "cancelled":
        return f"race {room.race} was cancelled before it started, so nobody raced"
    if not room.closes_at:
        return f"race {room.race} has not started; its receipt is available once it is closed"
    at = datetime.fromtimestamp(-(-room.closes_at // 1000), UTC)
    return f"race {room.race} is not closed; it closes at {at:%Y-%m-%d %H:%M:%S} UTC at the latest"

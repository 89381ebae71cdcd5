"""`bigben receipt`: everything about a closed race, asked from its server, as a file to verify.

It checks nothing itself; `bigben verify` does, without the server.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bigben_client import Client, ClientError, RefusedError
from bigben_protocol import Record, Reveal, Room, Standings
from bigben_terminal.complaint import Complaint
from bigben_terminal.connecting import add_server, connected
from bigben_terminal.receipt_form import VERSION, Receipt, Result, Seat, sealed, write


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
        receipt = asyncio.run(_ask(arguments.server, arguments.name, arguments.race))
    except ClientError as error:
        raise Complaint(str(error)) from None
    text = write(receipt)
    if arguments.output == "-":
        sys.stdout.write(text)
    else:
        Path(arguments.output).write_text(text, encoding="ascii")
        print(f"Written. Check it with: bigben verify {arguments.output}")
    return 0


async def _ask(server: str, name: str, race: str) -> Receipt:
    """The receipt of a race by what its server says. Raises ClientError and Complaint."""
    async with connected(server, name) as client:
        try:
            room = await client.watch(race)
        except RefusedError as refused:
            if refused.code == "phase":
                raise Complaint(f"a receipt is of a race. {refused.text}") from None
            raise
        if room.phase != "closed":
            raise Complaint(_not_yet(room))
        reveal = await _reveal(client, room)
        standings = await client.standings(room.race)
        if not standings.rows:
            raise Complaint(f"nobody played in {room.race}, so there is nothing to prove")
        records = [await client.record(room.race, row.player) for row in standings.rows]
        return receipt_of(room, reveal, standings, records)


async def _reveal(client: Client, room: Room) -> Reveal:
    """The deal, which comes by itself to all who follow a closed race."""
    async for event in client.events():
        if isinstance(event, Reveal) and event.race == room.race:
            return event
    raise AssertionError("events() ends by an exception")


def _not_yet(room: Room) -> str:
    """Why there is no receipt, and when there will be one."""
    if room.phase == "cancelled":
        return f"race {room.race} was cancelled before it started, so nobody raced"
    if not room.closes_at:
        return f"race {room.race} has not started; its receipt can be had once it is closed"
    at = datetime.fromtimestamp(-(-room.closes_at // 1000), UTC)
    return f"race {room.race} is not closed; it closes at {at:%Y-%m-%d %H:%M:%S} UTC at the latest"


def receipt_of(
    room: Room, reveal: Reveal, standings: Standings, records: Sequence[Record]
) -> Receipt:
    """The receipt of a closed race that somebody played.

    Who took a seat in a daily and never began is not in it.
    """
    places = {row.player: row.place for row in standings.rows}
    nonces = dict(zip((seat.player for seat in room.seats), reveal.nonces, strict=False))
    by_player = {record.standing.player: record for record in records}
    seats = tuple(
        _seat(by_player[seat.player], nonces.get(seat.player, ""), places[seat.player])
        for seat in room.seats
        if seat.player in places
    )
    return sealed(
        Receipt(
            version=VERSION,
            race=room.race,
            kind=room.kind,
            game=room.rules.game,
            rules=room.rules.rules,
            limit_ms=room.rules.limit_ms,
            undo=room.rules.undo,
            opened_at=room.opened_at,
            starts_at=room.starts_at,
            closes_at=room.closes_at,
            commitment=room.commitment,
            server_seed=reveal.server_seed,
            seed=reveal.seed,
            order=records[0].order,
            seats=seats,
            seal="",
        )
    )


def _seat(record: Record, nonce: str, place: int) -> Seat:
    standing = record.standing
    return Seat(
        player=standing.player,
        name=standing.name,
        nonce=nonce,
        begun_at=record.begun_at,
        moves=record.moves,
        result=Result(
            state=standing.state,
            moves=standing.moves,
            home=standing.home,
            ms=standing.ms,
            home_ms=standing.home_ms,
        ),
        place=place,
    )

"""`bigben analyse`: where a race was won and lost, computed here from its receipt.

What was computed is kept on this machine.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from bigben_client import ClientError
from bigben_rules import Card, game_named
from bigben_solver.analysis import SeatAnalysis, analysed, answered, par_of
from bigben_solver.games import CERTIFIED
from bigben_terminal.complaint import Complaint
from bigben_terminal.display import analysis_page
from bigben_terminal.display.faces import faces_for, printable, safe
from bigben_terminal.language import say, told
from bigben_terminal.local_files import analyses
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Altered, Receipt, Seat, Unreadable, read
from bigben_terminal.servers.connecting import add_server
from bigben_terminal.subcommands import receipt as receipts

FEW: Final = 4
"""The seats that are analysed if none is named, the best first."""
LARGEST: Final = 64 * 2**20
"""The largest receipt in bytes."""

DESCRIPTION: Final = """Analyse a closed race: each player's winning chances and cards home, the
moves that cost most and what was better, and how much was skill and how much was luck. It takes up
to half a minute for each player, once."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.add_argument(
        "race",
        metavar="RECEIPT",
        help="a file with a receipt, - for standard input, or a closed race of the server: "
        "a room's code, or daily.2026-11-21.…",
    )
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME",
        help="analyse this player (again for more; the best four if there is none)",
    )
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    parser.add_argument("--ascii", action="store_true", help="letters only")
    add_server(parser)


def run(arguments: Namespace) -> int:
    receipt = _receipt(arguments)
    seats = _seats(receipt, arguments.player)
    with _bar() as bar:
        par, found = _analyses(receipt, seats, bar)
    if arguments.json:
        sys.stdout.buffer.write(msgspec.json.encode(_as_json(receipt, par, seats, found)) + b"\n")
        return 0
    faces = faces_for(sys.stdout, ascii_wanted=arguments.ascii)
    total = game_named(receipt.game).total
    lines = analysis_page.head(receipt, par, faces)
    for seat, analysis in zip(seats, found, strict=True):
        lines += ["", *analysis_page.seat_lines(seat, analysis, total, faces)]
    for line in lines:
        print(printable(line))
    return 0


def _receipt(arguments: Namespace) -> Receipt:
    """The receipt, which holds, of a race of Big Ben or Grandfather's Clock. Raises Complaint."""
    source = arguments.race
    text: str | bytes
    try:
        if source == "-":
            text = sys.stdin.buffer.read(LARGEST + 1)
        elif (path := Path(source)).exists() or path.suffix == ".json":
            with path.open("rb") as file:
                text = file.read(LARGEST + 1)
        else:
            text, _ = asyncio.run(receipts.ask(arguments.server, arguments.name, source))
    except ClientError as error:
        raise Complaint(told(error)) from None
    except OSError as error:
        raise Complaint(f"{source}: {error.strerror}") from None
    if len(text) > LARGEST:
        raise Complaint(say("analysis.large"))
    try:
        receipt = read(text)
        for _ in check(receipt):
            pass
    except (Unreadable, Altered) as wrong:
        raise Complaint(say("analysis.not_held", why=printable(str(wrong)))) from None
    if receipt.game not in CERTIFIED:
        raise Complaint(say("analysis.game"))
    return receipt


def _seats(receipt: Receipt, names: Sequence[str]) -> list[Seat]:
    """The seats with these names or ids, or the best. Raises Complaint."""
    begun = sorted((seat for seat in receipt.seats if seat.begun_at), key=lambda s: s.place or 1e9)
    if not names:
        return begun[:FEW]
    found: list[Seat] = []
    for name in names:
        fitting = [s for s in begun if name == s.player or name.casefold() == s.name.casefold()]
        if not fitting:
            raise Complaint(say("analysis.nobody", name=safe(name)))
        found += [seat for seat in fitting if seat not in found]
    return found


def _analyses(
    receipt: Receipt, seats: Sequence[Seat], bar: Progress
) -> tuple[int, list[SeatAnalysis]]:
    """Par, and the analysis of each seat."""
    game = game_named(receipt.game)
    line = receipt.certificate or answered(par_of(game, receipt.rules, _order(receipt)))
    return len(line), [*(_analysis(receipt, seat, bar) for seat in seats)]


def _analysis(receipt: Receipt, seat: Seat, bar: Progress) -> SeatAnalysis:
    moves = [move for _, move in seat.moves]
    name = analyses.digest(receipt.game, receipt.rules, receipt.seed, moves)
    if kept := analyses.load(name):
        return kept
    game, seed = game_named(receipt.game), bytes.fromhex(receipt.seed)
    task = bar.add_task(say("analysis.progress", name=safe(seat.name)))
    asking = analysed(game, receipt.rules, _order(receipt), moves, seed=seed)
    try:
        question = next(asking)
        while True:
            bar.update(task, completed=question.done, total=question.of)
            question = asking.send(answered(question))
    except StopIteration as end:
        made: SeatAnalysis = end.value
        bar.update(task, completed=1, total=1)
        with suppress(OSError):  # somebody without a writable folder can still read it
            analyses.save(name, made)
        return made


def _order(receipt: Receipt) -> list[Card]:
    return [Card(name) for name in receipt.order]


def _bar() -> Progress:
    """Shown on standard error while something is computed, if that is a terminal."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _as_json(
    receipt: Receipt, par: int, seats: Sequence[Seat], found: Sequence[SeatAnalysis]
) -> dict[str, Any]:  # Any: JSON
    pairs = zip(seats, found, strict=True)
    return {
        "race": receipt.race,
        "game": receipt.game,
        "rules": receipt.rules,
        "par": par,
        "grade": receipt.grade,
        "seats": [
            {"player": seat.player, "name": seat.name, **asdict(analysis)}
            for seat, analysis in pairs
        ],
    }

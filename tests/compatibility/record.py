"""Records what a version stores and sends: ``python -m tests.compatibility.record FOLDER``.

It plays on the server of the version whose virtual environment runs it. ``FOLDER`` then has:

- ``stored``: the data folder as the server left it after two days of play;
- ``first.jsonl``: all messages of clients and the server in these days;
- ``later.jsonl``: the same for players who return to that data;
- ``receipts``: of the races that were closed.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from tests.compatibility.coming_back import coming_back
from tests.compatibility.command import bigben
from tests.compatibility.conversation import Frame, write
from tests.compatibility.days import two_days
from tests.compatibility.relay import Relay, served


async def record(to: Path) -> None:
    """Record everything in that folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "data"
        first = Relay(data, folder)
        tokens = await two_days(first)
        write(to / "first.jsonl", first.lines)
        shutil.rmtree(to / "stored", ignore_errors=True)
        shutil.copytree(data, to / "stored", ignore=shutil.ignore_patterns("*.l*", "*.sock"))
        shutil.rmtree(to / "receipts", ignore_errors=True)
        (to / "receipts").mkdir()
        await write_receipts(data, folder, closed_races(first), to / "receipts")
        later = Relay(data, folder)
        rooms = last_rooms(first)
        await coming_back(later, tokens, {player: races_of(player, rooms) for player in tokens})
        write(to / "later.jsonl", later.lines)


async def write_receipts(data: Path, folder: Path, races: list[str], to: Path) -> None:
    """The receipts of these races, as `bigben receipt` writes them from the stored data."""
    async with served(data, folder / "clock") as url:
        for race in races:
            code, said = await bigben(
                folder, "receipt", race, *("--server", url, "--name", "Eve"), "--output", to / race
            )
            assert code == 0, said


def last_rooms(relay: Relay) -> list[Frame]:
    """The last Room of every race."""
    frames = [line["frame"] for line in relay.lines if "hear" in line]
    return [*{frame["race"]: frame for frame in frames if frame["type"] == "room"}.values()]


def closed_races(relay: Relay) -> list[str]:
    """The closed races, without practice games."""
    rooms = last_rooms(relay)
    return [r["race"] for r in rooms if r["phase"] == "closed" and r["kind"] != "practice"]


def races_of(player: str, rooms: list[Frame]) -> list[str]:
    """All races, without practice games of others or that are over, which Redis deletes."""
    return [
        room["race"]
        for room in rooms
        if room["kind"] != "practice" or (room["host"] == player and room["phase"] != "closed")
    ]


if __name__ == "__main__":
    asyncio.run(record(Path(sys.argv[1])))

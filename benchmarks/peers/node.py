"""The servers in JavaScript: whether they can run here, and how their players take their seats."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.driver import colyseus
from benchmarks.driver.boardgameio import in_matches
from benchmarks.driver.players import Player

FOLDERS: Final = {
    "boardgameio": Path(__file__).with_name("boardgameio"),
    "colyseus": Path(__file__).with_name("colyseus"),
}

PRODUCTION: Final = {"NODE_ENV": "production"}
"""Without it boardgame.io checks its whole state after every move."""


class NotHere(RuntimeError):
    """A server can't run on this machine; the text says why."""


def command(name: str) -> tuple[str, ...]:
    """Install a server if need be. Return the command that starts it. Raises NotHere."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotHere("there is no Node.js with npm")
    folder = FOLDERS[name]
    if not (folder / "node_modules").is_dir():
        install = (npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent")
        if subprocess.run(install, cwd=folder, check=False).returncode:
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            raise NotHere("npm could not install it")
    return (node, str(folder / "server.mjs"))


class BoardgameIoSeating:
    """Players in matches of four, whose games begin again by themselves."""

    def seat(self, url: str, connections: int, games: int) -> Sequence[Player]:
        players = in_matches(url, connections)
        for player in players:
            player.dealt()
        return players

    def check(self, redis_url: str) -> None:
        """It has no log."""


class ColyseusSeating:
    """Players in rooms of four, whose games begin again by themselves."""

    def seat(self, url: str, connections: int, games: int) -> Sequence[Player]:
        return colyseus.players(colyseus.in_rooms(url, connections))

    def check(self, redis_url: str) -> None:
        """It has no log."""

"""Reads the recorded games of tests/games from their files."""

from pathlib import Path
from typing import NamedTuple

from bigben_rules import Card, Position, game_named

FOLDER = Path(__file__).parents[1] / "games"


class Recorded(NamedTuple):
    """One file: ``key: value`` lines; indented lines continue a value, ``#`` is a comment."""

    game: str
    rules: str
    seed: str
    order: list[Card]
    moves: list[str]
    ends: str
    last: str

    def start(self) -> Position:
        return game_named(self.game).deal(self.order, self.rules)


def recorded(path: Path) -> Recorded:
    """The game in that file."""
    fields: dict[str, list[str]] = {}
    values: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            key, line = line.split(":", 1)
            values = fields[key] = []
        values.append(line.strip())
    text = {key: " ".join(values) for key, values in fields.items()}
    order = [Card(name) for name in text.pop("order").split()]
    moves = text.pop("moves").split(", ")
    return Recorded(order=order, moves=moves, **text)


GAMES = {path.stem: recorded(path) for path in sorted(FOLDER.glob("*.txt"))}
"""Every recorded game by the name of its file."""

BIG_BEN = {name: game for name, game in GAMES.items() if game.game == "bigben"}
"""Those of Big Ben."""

"""Games of the house players, who see what a player sees."""

from collections.abc import Mapping
from random import Random
from typing import Final

from bigben_rules import GAMES, Position
from bigben_solver.certificates import Certificate, start
from bigben_solver.players import PLAYERS, HousePlayer

GAME: Final = "bigben"
RULES: Final = "standard"

MANY: Final = 1_000
FEW: Final = 200
"""How many games the strongest player plays, who thinks longest."""

HOUSE: Final[Mapping[str, HousePlayer]] = {player.key: player for player in PLAYERS[GAME]}
"""By key, the weakest first."""

USUAL: Final[Mapping[str, int]] = {key: FEW if key == list(HOUSE)[-1] else MANY for key in HOUSE}
"""How many games of each player are measured."""


def played(task: tuple[str, int], rules: str = RULES) -> str:
    """The line of a player's game of a deal: the player, the deal, and the cards home."""
    key, number = task
    position = start(Certificate(GAME, rules, str(number), "unknown"))
    chance = Random(number)
    while plan := HOUSE[key].plan(as_seen(position, rules), chance):
        for move in plan:
            position, _ = position.apply(move)
    return f"{key} {number} {position.progress}"


def as_seen(position: Position, rules: str = RULES) -> Position:
    """What the player sees of a position; the stock is unknown."""
    return GAMES[GAME].seen(position.piles(), rules)

"""The house players of each game, which use only what a player sees."""

from collections.abc import Mapping
from typing import Final

from bigben_solver.players import big_ben, clock_family
from bigben_solver.players.player import STRENGTHS, HousePlayer, Plan, Strength

PLAYERS: Final[Mapping[str, tuple[HousePlayer, ...]]] = {
    "bigben": big_ben.PLAYERS,
    **clock_family.PLAYERS,
}
"""By the name of the game: its house players, weakest first."""

__all__ = ["PLAYERS", "STRENGTHS", "HousePlayer", "Plan", "Strength"]

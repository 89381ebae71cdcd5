"""The house players of each game, which use only what a player sees."""

from collections.abc import Mapping
from typing import Final

from bigben_rules import GAMES
from bigben_solver.players import any_game, big_ben, clock_family
from bigben_solver.players.player import STRENGTHS, HousePlayer, Plan, Strength, house_player

_OWN: Final = {"bigben": big_ben.PLAYERS, **clock_family.PLAYERS}
_ANY: Final = (house_player("beginner", any_game.greedy),)

PLAYERS: Final[Mapping[str, tuple[HousePlayer, ...]]] = {
    game: _OWN.get(game, _ANY) for game in GAMES
}
"""By the name of the game: its house players, weakest first. A game without its own has one that
plays any game."""

__all__ = ["PLAYERS", "STRENGTHS", "HousePlayer", "Plan", "Strength"]

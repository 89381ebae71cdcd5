"""What a house player knows: the position behind its view. It judges no move itself."""

from random import Random

from bigben_protocol import STRENGTHS, Rules, View
from bigben_rules import Card, Cards, Pile, Position, game_named
from bigben_solver.players import PLAYERS, HousePlayer


def player_of(strength: str, game: str) -> HousePlayer:
    """The player of this strength, or the next weaker one if the game has none; else its weakest.

    Raises ValueError for a game or strength that is not known here.
    """
    if game not in PLAYERS:
        raise ValueError(f"the game {game!r} is not known here")
    least = STRENGTHS.index(strength)
    weaker = [one for one in PLAYERS[game] if STRENGTHS.index(one.key) <= least]
    return weaker[-1] if weaker else PLAYERS[game][0]


def position_of(view: View, rules: Rules) -> Position:
    """The position behind a view, its face-down cards unknown.

    Raises ValueError for a game or rules that are not known here, and for cards of no game.
    """
    piles = {
        Pile(name): Cards(tuple(map(Card, pile.up)), pile.down) for name, pile in view.piles.items()
    }
    return game_named(rules.game).seen(piles, rules.rules)


def planned(strength: str, view: View, rules: Rules, chance: str) -> tuple[str, ...]:
    """The moves that this house player makes next, as typed; none to resign.

    The same view and chance give the same moves. Raises ValueError as the functions above do.
    """
    position = position_of(view, rules)
    plan = player_of(strength, rules.game).plan(position, Random(chance))
    return tuple(position.format(move) for move in plan)

"""Brings the last cards home when nothing is left to decide: one move after another."""

from bigben_house.seen import position_of
from bigben_protocol import GameInfo, Rules, View
from bigben_rules import IllegalMove
from bigben_terminal.display.piles import home_moves


def next_home(game: GameInfo, rules: Rules, view: View) -> str:
    """The next move home; empty unless all that is left are moves home.

    That is so if every legal move is one, or if such moves alone win the game.
    """
    home = home_moves(game, view.legal)
    if view.state != "playing" or not home:
        return ""
    return home[0] if len(home) == len(view.legal) or _wins(game, rules, view) else ""


def _wins(game: GameInfo, rules: Rules, view: View) -> bool:
    """Whether moves home win the game, in the order in which the terminal plays them."""
    if any(pile.down for pile in view.piles.values()):
        return False
    try:
        position = position_of(view, rules)
        while not position.won:
            legal = [position.format(move) for move in position.legal_moves()]
            if not (home := home_moves(game, legal)):
                break
            position, _ = position.apply(position.parse(home[0]))
    except (ValueError, IllegalMove):  # a game that is not known here
        return False
    return position.won

"""Hints in the terminal: what the player sees for the solver, and what is best in words."""

import bigben_protocol as wire
from bigben_protocol import Rules, View
from bigben_rules import Card, Pile
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import Hint
from bigben_terminal.display.faces import with_spoken
from bigben_terminal.language import in_words, say


def seen_by_player(rules: Rules, view: View) -> Asked:
    """What the player of this view sees."""
    piles = tuple(
        (Pile(name), tuple(Card(card) for card in pile.up), pile.down)
        for name, pile in view.piles.items()
    )
    return Asked(rules.game, rules.rules, piles, view.legal, view.can_undo)


def advice(best: Hint | wire.Hint) -> str:
    """The move to type, and why: the server's hint, or the solver's."""
    text = in_words(best.why) if isinstance(best, Hint) else in_words(best.said, best.why)
    why = with_spoken(text)
    return say("hints.best", move=best.move, why=why) if best.move else why

"""The position and the moves in words, for screen readers.

Pure functions of what the player sees.
"""

from collections.abc import Mapping, Sequence
from textwrap import wrap

from bigben_protocol import Pile, Step, View
from bigben_rules.bigben.layout import FAN_SIZE, FOUNDATION, HOURS, TOTAL
from bigben_rules.cards import ABOVE, Card
from bigben_terminal.display.faces import Faces, spoken


def hints(legal: Sequence[str], faces: Faces, *, width: int = 78, lines: int = 3) -> list[str]:
    """The legal moves as they are typed, with a limit of lines.

    >>> hints(("4 1", "7 f5", "turn"), Faces())
    ['home 7 f5 · build 4 1 · or turn']
    """
    home = [move for move in legal if " f" in move]
    builds = [move for move in legal if " " in move and move not in home]
    deals = [move for move in legal if " " not in move]
    groups = [("home", home), ("build", builds), ("or" if home or builds else "only", deals)]
    said = f" {faces.dot} ".join(f"{word} {', '.join(some)}" for word, some in groups if some)
    shown = wrap(said, width, max_lines=lines, placeholder=" ..." if faces.ascii else " …")
    return shown or ["no moves are left"]


def position(view: View) -> list[str]:
    """The whole position, a sentence or two for each pile."""
    return [
        f"{view.home} of {TOTAL} cards are home after {view.n} move{'' if view.n == 1 else 's'}.",
        *(_foundation(str(hour), view.piles) for hour in HOURS),
        *(_fan(str(hour), view.piles[str(hour)]) for hour in HOURS),
        _waste(view.piles["w"]),
        f"Stock: {_cards(view.piles['s'].down)}.",
        moves(view.legal),
    ]


def moves(legal: Sequence[str]) -> str:
    """The legal moves in a sentence."""
    return f"You can type: {', '.join(legal)}." if legal else "There are no moves left."


def what_happened(move: str, steps: Sequence[Step], view: View) -> str:
    """A move in words: which card went where, and the state after it."""
    match steps:
        case []:
            told = f"Done: {move}."
        case [Step(source, target, card)] if source != "s":
            told = f"{spoken(card).capitalize()} from {_name(source)} to {_name(target)}."
        case _:
            told = " ".join(f"{spoken(s.card).capitalize()} to {_name(s.target)}." for s in steps)
    return f"{told} {view.home} home, stock {view.piles['s'].down}."


def _name(pile: str) -> str:
    match pile:
        case "w":
            return "the waste"
        case "s":
            return "the stock"
        case _ if pile.startswith("f"):
            return f"the foundation at {pile[1:]}"
        case _:
            return f"fan {pile}"


def _foundation(hour: str, piles: Mapping[str, Pile]) -> str:
    cards = piles[f"f{hour}"].up
    complete = next(end for at, end in FOUNDATION.items() if str(at) == hour)
    if len(cards) == len(complete):
        return f"Foundation {hour}: complete with the {spoken(cards[-1])}."
    return (
        f"Foundation {hour}: {spoken(cards[-1])}; next is the {spoken(ABOVE[Card(cards[-1])])}, "
        f"and the last is the {spoken(complete[-1])}."
    )


def _fan(hour: str, pile: Pile) -> str:
    gaps = FAN_SIZE - len(pile.up)
    missing = f" {gaps} gap{'s' if gaps > 1 else ''}." if gaps > 0 else ""
    if not pile.up:
        return f"Fan {hour}: empty.{missing}"
    under = ", ".join(spoken(card) for card in reversed(pile.up[:-1]))
    below = f"; under it {under}" if under else ""
    return f"Fan {hour}: {spoken(pile.up[-1])} on top{below}.{missing}"


def _waste(pile: Pile) -> str:
    if not pile.up:
        return "Waste: empty."
    *under, top = pile.up
    return f"Waste: {spoken(top)} on top{f' of {_cards(len(under))}' if under else ''}."


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"

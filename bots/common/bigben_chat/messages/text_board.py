"""A position without its picture: the alternative text, and a board of text."""

from bigben_chat import layout
from bigben_chat.cards import signed
from bigben_chat.texts import Say
from bigben_protocol import View

LONGEST_ALT = 1024
"""The most characters of an alternative text on Discord."""


def alternative(view: View, say: Say) -> str:
    """The whole position in at most 1024 letters: cards by their short names, fans' tops last."""
    foundations = " ".join(
        f"{hour}:{_top(view, hour)}{'✓' if _complete(view, hour) else ''}" for hour in layout.HOURS
    )
    fans = "; ".join(f"{hour}: {_fan(view, hour)}" for hour in layout.HOURS)
    waste = " ".join(view.piles[layout.WASTE].up) or "–"
    said = say(
        "alt",
        home=view.home,
        total=layout.TOTAL,
        foundations=foundations,
        fans=fans,
        waste=waste,
        stock=view.piles[layout.STOCK].down,
    )
    return said if len(said) <= LONGEST_ALT else said[: LONGEST_ALT - 1] + "…"


def text_board(view: View, say: Say) -> str:
    """A text board, a line for every hour: its fan, bottom card first, and its foundation."""
    lines = []
    for hour in layout.HOURS:
        pile = view.piles[layout.fan(hour)].up
        gaps = " ··" * (layout.FAN_SIZE - len(pile))
        fan = " ".join(signed(card) for card in pile) + gaps
        home = signed(view.piles[layout.foundation(hour)].up[-1])
        end = "✓" if _complete(view, hour) else f"›{signed(layout.FIRST_AND_LAST[hour][1])}"
        lines.append(f"{hour:>2}  {home + end:<8} {fan.strip()}")
    waste = view.piles[layout.WASTE].up
    top = f"{signed(waste[-1])} ({len(waste)})" if waste else "··"
    lines.append(say("text.stock", stock=view.piles[layout.STOCK].down, waste=top))
    return "```\n" + "\n".join([say("text.head"), *lines]) + "\n```"


def _top(view: View, hour: int) -> str:
    return view.piles[layout.foundation(hour)].up[-1]


def _complete(view: View, hour: int) -> bool:
    return len(view.piles[layout.foundation(hour)].up) >= layout.size(hour)


def _fan(view: View, hour: int) -> str:
    """``7H KD 3S``, and a dash for each gap."""
    pile = view.piles[layout.fan(hour)].up
    return " ".join((*pile, *"–" * (layout.FAN_SIZE - len(pile))))

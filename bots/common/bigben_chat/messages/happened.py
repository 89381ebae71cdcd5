"""What a move has done, in a few words: ``7♥ → Fan 3, Q♣ under Pile 12, K♦ turned up``."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bigben_chat.cards import signed
from bigben_chat.messages.moves import pile_name
from bigben_chat.texts import Say
from bigben_protocol import GameInfo, Step

_MANY: Final = 3
"""The most cards that are told one by one if all go the same way."""


def happened(game: GameInfo, steps: Sequence[Step], say: Say) -> str:
    """Every step in its order; more than three alike as one: a stock that is turned over."""
    told: list[str] = []
    for (_, target, how), alike in groupby(steps, _way):
        some = list(alike)
        named = pile_name(game, target, say)
        if len(some) > _MANY:
            told.append(say.label("step.many", count=len(some), pile=named))
        else:
            told += [
                say.label(f"step.{how or 'onto'}", card=signed(s.card), pile=named) for s in some
            ]
    return ", ".join(told)


def _way(step: Step) -> tuple[str, str, str]:
    return step.source, step.target, step.how

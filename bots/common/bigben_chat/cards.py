"""The names of a card: ``10H`` on the wire, ``10♥`` in a list, and in words for speech."""

import re
from typing import Final

from bigben_chat.texts import Say

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_CARD: Final = re.compile(r"\b(?:10|[A2-9JQK])[CDHS]\b")


def signed(card: str) -> str:
    """The rank and the suit symbol.

    >>> signed("10H")
    '10♥'
    """
    return card[:-1] + SIGNS[card[-1]]


def with_signs(sentence: str) -> str:
    """The sentence with suit symbols in place of letters.

    >>> with_signs("Fan 4 wants 5S, not 10H.")
    'Fan 4 wants 5♠, not 10♥.'
    """
    return _CARD.sub(lambda found: signed(found[0]), sentence)


def spoken(card: str, say: Say) -> str:
    """The card in words of a language."""
    rank = card[:-1]
    named = say.label(f"rank.{rank}") if rank in "AJQK" else rank
    return say.label("card", rank=named, suit=say.label(f"suit.{card[-1]}"))

"""How a card is called: ``10H`` on the wire, ``10♥`` in a list, in words for who listens."""

from typing import Final

from bigben_discord.texts import Say

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def signed(card: str) -> str:
    """Rank and sign.

    >>> signed("10H")
    '10♥'
    """
    return card[:-1] + SIGNS[card[-1]]


def spoken(card: str, say: Say) -> str:
    """The card in words of a language."""
    rank = card[:-1]
    named = say(f"rank.{rank}") if rank in "AJQK" else rank
    return say("card", rank=named, suit=say(f"suit.{card[-1]}"))

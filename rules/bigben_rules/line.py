"""Piles in a position's line of text: cards joined by ``,``, ``-`` if empty, ``56?`` if unknown."""

from collections.abc import Sequence

from bigben_rules.cards import UNKNOWN, Card, card


def pile(cards: Sequence[Card]) -> str:
    """The word for a pile whose cards are known."""
    return ",".join(cards) or "-"


def hidden_pile(cards: Sequence[Card]) -> str:
    """The word for a face-down pile; only counted if a card in it is unknown."""
    return f"{len(cards)}?" if UNKNOWN in cards else pile(cards)


def cards(word: str, called: str) -> tuple[Card, ...]:
    """The cards of ``pile``. Raises ValueError with what the pile is ``called``."""
    try:
        return () if word == "-" else tuple(map(card, word.split(",")))
    except ValueError as error:
        raise ValueError(f"in the {called} of a position: {error}") from None


def hidden_cards(word: str, called: str) -> tuple[Card, ...]:
    """The cards of ``hidden_pile``. Raises ValueError with what the pile is ``called``."""
    if word.endswith("?"):
        count = word[:-1]
        if not (count.isascii() and count.isdigit() and len(count) <= 2):
            raise ValueError(f"an unknown {called} is written as its count and ?, like 56?")
        return (UNKNOWN,) * int(count)
    return cards(word, called)

"""Checks that the cards of a deal or of a position are all there, and no others."""

from collections import Counter
from collections.abc import Sequence

from bigben_rules.cards import ABOVE, PACK, UNKNOWN, Card


def check_order(order: Sequence[Card], pack: Sequence[Card], deal: str) -> None:
    """Raises ValueError unless ``order`` is a shuffled ``pack``.

    ``deal`` begins the sentence: ``a deal of Clock has 52 cards``.
    """
    if Counter(order) != Counter(pack):
        raise ValueError(f"{deal}; {_difference(order, pack)}")


def _difference(order: Sequence[Card], pack: Sequence[Card]) -> str:
    """What is wrong with an order, in words."""
    if len(order) != len(pack):
        return f"this order has {len(order)}"
    unknown = [name for name in order if name not in PACK]
    if unknown:
        return f"{str(unknown[0])[:20]!r} is not a card"
    extra = next(iter(Counter(order) - Counter(pack)))
    return f"{extra} is there once too often"


def check_cards(seen: Sequence[Card], hidden: Sequence[Card], *, packs: int = 1, game: str) -> None:
    """Raises ValueError unless these are all cards of a game; the hidden ones may be unknown."""
    total, count = packs * len(PACK), len(seen) + len(hidden)
    if count != total:
        raise ValueError(f"a position of {game} has {total} cards, not {count}")
    known = [name for name in hidden if name != UNKNOWN]
    for name, times in Counter([*seen, *known]).items():
        if name not in ABOVE:
            raise ValueError(f"{str(name)[:20]!r} is not a card")
        if times > packs:
            hold = "one pack holds it once" if packs == 1 else "two packs hold it twice"
            raise ValueError(f"{name} is there {times} times; {hold}")

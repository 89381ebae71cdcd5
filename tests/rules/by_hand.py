"""The deal from a seed, implemented again from docs/deals.md without any code of the rules."""

import hashlib

STARTS = ["6C", "7H", "8S", "9D", "10C", "JH", "QS", "KD", "2C", "3H", "4S", "5D"]
LEFT_OUT = {
    "grandfathersclock": ["9C", "10H", "JS", "QD", "KC", "2H", "3S", "4D", "5C", "6H", "7S", "8D"]
}
"""The cards of one pack that lie on foundations at the start."""


def stream(seed: bytes, count: int) -> list[int]:
    """The first ``count`` 32-bit numbers of the seed."""
    found: list[int] = []
    i = 0
    while len(found) < count:
        digest = hashlib.sha256(b"bigben-shuffle-v1" + seed + i.to_bytes(8, "big")).hexdigest()
        found += [int(digest[at : at + 8], 16) for at in range(0, 64, 8)]
        i += 1
    return found[:count]


def order(seed: bytes) -> list[str]:
    """The 92 cards of Big Ben, first dealt first."""
    cards: list[str] = []
    for pack in ("first", "second"):
        for suit in ("C", "D", "H", "S"):
            for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"):
                if pack == "second" or rank + suit not in STARTS:
                    cards.append(rank + suit)
    return shuffled(cards, seed)


def order_of_one_pack(game: str, seed: bytes) -> list[str]:
    """The cards of another game, first dealt first."""
    cards: list[str] = []
    for suit in ("C", "D", "H", "S"):
        for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"):
            if rank + suit not in LEFT_OUT.get(game, []):
                cards.append(rank + suit)
    return shuffled(cards, seed)


def shuffled(cards: list[str], seed: bytes) -> list[str]:
    """These sorted cards in the order of the seed; changes the list."""
    numbers = iter(stream(seed, 1000))
    last = len(cards) - 1
    while last > 0:
        m = last + 1
        number = next(numbers)
        while number >= 2**32 - (2**32 % m):
            number = next(numbers)
        swap = number % m
        held = cards[last]
        cards[last] = cards[swap]
        cards[swap] = held
        last -= 1
    return cards


def commitment(seed: bytes) -> str:
    """The commitment to a seed."""
    return hashlib.sha256(b"bigben-commit-v1" + seed).hexdigest()

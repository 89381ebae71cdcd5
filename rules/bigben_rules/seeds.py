"""From a seed to the order of the cards, version 1, fixed for ever. Draws no seed itself.

Anyone can write this module again from ``docs/deals.md``; ``tests/rules/deals.json`` pins it.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import Struct

from bigben_rules.cards import Card

SEED_BYTES = 32
_EIGHT_NUMBERS = Struct(">8I")


def numbers(seed: bytes) -> Iterator[int]:
    """The endless stream of unsigned 32-bit numbers that belongs to ``seed`` (32 bytes).

    Digest i is SHA-256(b"bigben-shuffle-v1" + seed + i as 8 bytes big-endian), cut into eight
    big-endian numbers.
    """
    i = 0
    while True:
        digest = sha256(b"bigben-shuffle-v1" + seed + i.to_bytes(8, "big")).digest()
        yield from _EIGHT_NUMBERS.unpack(digest)
        i += 1


def below(m: int, stream: Iterator[int]) -> int:
    """A number 0 … m - 1 from the stream, each as likely as the next one.

    Numbers from the last, incomplete run of m remainders are passed over.
    """
    limit = 2**32 - 2**32 % m
    return next(number for number in stream if number < limit) % m


def shuffle(cards: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """``cards`` in the order that ``seed`` gives them; the first is dealt first (Fisher-Yates)."""
    check_seed(seed)
    order = list(cards)
    stream = numbers(seed)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1, stream)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def commitment(seed: bytes) -> str:
    """What is published before a race, 64 hex digits: it binds to the seed without telling it."""
    check_seed(seed)
    return sha256(b"bigben-commit-v1" + seed).hexdigest()


def check_seed(seed: bytes) -> None:
    """Raises ValueError unless ``seed`` is 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")


def seed_from_hex(text: str) -> bytes:
    """The 32 bytes written as 64 hex digits. Raises ValueError with a sentence otherwise."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(text) != 2 * SEED_BYTES or len(seed) != SEED_BYTES:
        raise ValueError("a seed is written as 64 hex digits, 0-9 and a-f, without spaces")
    return seed

"""Shuffles cards by a seed: version 1, which must never change.

``docs/deals.md`` specifies it, and ``tests/rules/deals.json`` has examples.
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
    """A number 0 … m - 1 from the stream, all equally likely.

    Numbers from the last, incomplete run of m remainders are skipped.
    """
    limit = 2**32 - 2**32 % m
    return next(number for number in stream if number < limit) % m


def shuffle(cards: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """``cards`` shuffled by ``seed`` with Fisher-Yates; the first is dealt first."""
    check_seed(seed)
    order = list(cards)
    stream = numbers(seed)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1, stream)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def counted(seed: bytes, counter: int) -> bytes:
    """The seed of deal number ``counter`` of those that one seed (32 bytes) gives.

    Deal 0 has the seed itself; deal n has SHA-256(b"bigben-deal-v1" + seed + n as 8 bytes
    big-endian). So anybody with the seed can look at all deals before the one that was chosen.
    """
    check_seed(seed)
    if not counter:
        return seed
    return sha256(b"bigben-deal-v1" + seed + counter.to_bytes(8, "big")).digest()


def commitment(seed: bytes) -> str:
    """64 hex digits to publish before a race. They bind to the seed without revealing it."""
    check_seed(seed)
    return sha256(b"bigben-commit-v1" + seed).hexdigest()


def nonce_hash(race: str, player: str, nonce: bytes) -> str:
    """64 hex digits that bind a player of a race to a nonce (32 bytes) without telling it.

    SHA-256 over b"bigben-nonce-v1", the race, the player and the nonce, before each of them its
    length in bytes as 8 bytes big-endian. So nobody can use the hash of another player, or that of
    another race.
    """
    check_seed(nonce)
    parts = (b"bigben-nonce-v1", race.encode(), player.encode(), nonce)
    return sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()


def check_seed(seed: bytes) -> None:
    """Raises ValueError unless ``seed`` is 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")


def seed_from_hex(text: str) -> bytes:
    """The 32 bytes of 64 hex digits. Raises ValueError with a sentence for other text."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(text) != 2 * SEED_BYTES or len(seed) != SEED_BYTES:
        raise ValueError("a seed is written as 64 hex digits, 0-9 and a-f, without spaces")
    return seed

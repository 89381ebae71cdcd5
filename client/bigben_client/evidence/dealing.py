"""Deals cards from a seed as ``docs/deals.md`` says, without any code of the server.

With the server's own code a client would repeat its mistakes and its lies.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from bigben_protocol import Deal
from bigben_protocol.types import Card

_SORTED: Final = tuple(
    rank + suit for suit in "CDHS" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")
)


def commitment(server_seed: bytes) -> str:
    """What a server that uses this seed must publish before the race."""
    return sha256(b"bigben-commit-v1" + server_seed).hexdigest()


def counted(seed: bytes, deal: int) -> bytes:
    """The seed of the deal with this number: of deal 0 it is the seed itself."""
    return sha256(b"bigben-deal-v1" + seed + deal.to_bytes(8, "big")).digest() if deal else seed


def nonce_hash(race: str, player: str, nonce: bytes) -> str:
    """What binds this player of this race to a nonce, before it is sent."""
    parts = (b"bigben-nonce-v1", race.encode(), player.encode(), nonce)
    return sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()


def shuffled(cards: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """The cards as shuffled by the seed; the first is dealt first.

    >>> shuffled(("AC", "2C", "3C", "4C"), bytes(32))
    ('3C', 'AC', '2C', '4C')
    """
    order, stream = list(cards), _numbers(seed)
    for i in range(len(order) - 1, 0, -1):
        whole_runs = 2**32 - 2**32 % (i + 1)
        j = next(number for number in stream if number < whole_runs) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def pack_of(order: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of an order as they were before the shuffle: pack by pack, C D H S, A 2 … K.

    Cards that the layout takes out are missing from the first pack. A text that is not a card comes
    last.

    >>> pack_of(("3C", "2C", "3C"))
    ('3C', '2C', '3C')
    """
    left = Counter(order)
    packs: list[Card] = []
    while any(left[card] for card in _SORTED):
        most = max(left[card] for card in _SORTED)
        pack = [card for card in _SORTED if left[card] == most]
        left.subtract(pack)
        packs += pack
    return (*packs, *left.elements())


def pack(deal: Deal) -> tuple[Card, ...]:
    """The cards that this game shuffles: its packs, the first one without the cards laid out."""
    laid = {card for _, card in deal.laid}
    return tuple(card for card in _SORTED if card not in laid) + _SORTED * (deal.packs - 1)


def _numbers(seed: bytes) -> Iterator[int]:
    """The endless stream of unsigned 32-bit numbers of a seed."""
    i = 0
    while True:
        digest = sha256(b"bigben-shuffle-v1" + seed + i.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        i += 1

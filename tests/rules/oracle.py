"""A second, slow implementation of legal moves and refills, sentence by sentence.

It reads what the player sees and shares no table with the rules, so a wrong table cannot agree with
itself.
"""

from bigben_rules.bigben import Position

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
ENDS = ["AC", "2H", "3S", "4D", "5C", "6H", "7S", "8D", "9C", "10H", "JS", "QD"]
FIELDS = {
    "standard": ("laps", "no_gaps", "playable"),
    "book": ("fans", "stuck", "playable"),
    "open": ("laps", "always", "playable"),
}


def is_next(low: str, high: str) -> bool:
    """Same suit, rank exactly one higher, A following K."""
    if low[-1] != high[-1]:
        return False
    if low[:-1] == "K":
        return high[:-1] == "A"
    return RANKS.index(high[:-1]) == RANKS.index(low[:-1]) + 1


def legal(position: Position) -> set[str]:
    """Every legal move in the notation of the log."""
    refill, turn, waste = FIELDS.get(position.rules) or position.rules.split("-")
    assert refill in ("laps", "fans")
    piles = {str(pile): list(cards.up) for pile, cards in position.piles().items()}
    stock = len(position.stock)
    fans = [str(hour) for hour in range(1, 13)]

    moves = set()
    for source in [*fans, "w"]:
        if not piles[source]:
            continue
        top = piles[source][-1]
        for hour in fans:
            foundation = piles["f" + hour]
            if foundation[-1] != ENDS[int(hour) - 1] and is_next(foundation[-1], top):
                moves.add(f"{source} f{hour}")
            if source == "w" and waste == "foundations":
                continue
            if hour != source and len(piles[hour]) >= 3 and is_next(top, piles[hour][-1]):
                moves.add(f"{source} {hour}")

    gaps = any(len(piles[fan]) < 3 for fan in fans)
    if stock and gaps:
        moves.add("refill")
    if stock and (
        (turn == "always")
        or (turn == "no_gaps" and not gaps)
        or (turn == "stuck" and not gaps and not moves)
    ):
        moves.add("turn")
    return moves


def refill_order(position: Position) -> list[str]:
    """The fans that get the next cards of the stock, in order."""
    refill = (FIELDS.get(position.rules) or position.rules.split("-"))[0]
    sizes = {hour: len(position.fans[hour - 1]) for hour in (12, *range(1, 12))}
    stock = len(position.stock)
    order: list[str] = []
    while len(order) < stock and min(sizes.values()) < 3:
        for hour in sizes:
            while sizes[hour] < 3 and len(order) < stock:
                sizes[hour] += 1
                order.append(str(hour))
                if refill == "laps":
                    break
    return order

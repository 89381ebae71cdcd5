"""Where a card of Big Ben goes that can't move now, from what its player sees."""

from collections.abc import Sequence

from bigben_rules.bigben.layout import FAN_SIZE, PLACES
from bigben_rules.bigben.moves import FAN
from bigben_rules.cards import ABOVE, BELOW, Card
from bigben_rules.position import Reason


def may_go(
    card: Card, foundations: Sequence[int], fans: Sequence[Sequence[Card]], *, builds: bool
) -> Reason:
    """On which cards ``card`` may go: home, and if it ``builds`` also on a fan."""
    below, above = BELOW[card], ABOVE[card]
    hours = [str(hour) for hour, before in PLACES[card] if foundations[hour - 1] < before]
    on = [f"{below} at {' or '.join(hours)}"] if hours else []
    on += [f"{above} in a fan of three or more"] if builds else []
    text = f"{card} goes on {', or on '.join(on)}."
    short = [
        fan
        for fan, cards in zip(FAN.values(), fans, strict=True)
        if builds and cards and cards[-1] == above and len(cards) < FAN_SIZE
    ]
    if short:
        text += f" Fan {short[0]} has {above}, but fewer than three cards."
    return Reason(text, (below,) * bool(hours) + (above,) * builds)

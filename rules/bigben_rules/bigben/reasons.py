"""Where a card of Big Ben goes that can't move now, from what its player sees."""

from collections.abc import Sequence

from bigben_rules.bigben.layout import FAN_SIZE, PLACES
from bigben_rules.bigben.moves import FAN
from bigben_rules.cards import ABOVE, BELOW, Card
from bigben_rules.position import Reason
from bigben_rules.sentence import Sentence, sentence


def may_go(
    card: Card, foundations: Sequence[int], fans: Sequence[Sequence[Card]], *, builds: bool
) -> Reason:
    """On which cards ``card`` may go: home, and if it ``builds`` also on a fan."""
    below, above = BELOW[card], ABOVE[card]
    hours = tuple(str(hour) for hour, before in PLACES[card] if foundations[hour - 1] < before)
    said: list[Sentence] = []
    if hours and builds:
        both = sentence("goes.home_or_fan", card=card, below=below, hours=hours, above=above)
        said.append(both)
    elif hours:
        said.append(sentence("goes.home", card=card, below=below, hours=hours))
    elif builds:
        said.append(sentence("goes.fan", card=card, above=above))
    short = [
        fan
        for fan, cards in zip(FAN.values(), fans, strict=True)
        if builds and cards and cards[-1] == above and len(cards) < FAN_SIZE
    ]
    if short:
        said.append(sentence("goes.short_fan", fan=short[0], above=above))
    return Reason(tuple(said), (below,) * bool(hours) + (above,) * builds)

"""What the rules look up for speed, made once from the layout and the moves. Decides nothing."""

from collections.abc import Mapping, Sequence
from typing import Final

from bigben_rules.bigben.layout import HOURS, PLACES, Hour
from bigben_rules.bigben.moves import BUILD, FAN, HOME, PLAY, SOURCES, TURN
from bigben_rules.cards import Card
from bigben_rules.game import Move, Pile

HOUR_OF_FAN: Final[Mapping[Pile, Hour]] = {pile: hour for hour, pile in FAN.items()}
HOUR_OF_HOME: Final[Mapping[Pile, Hour]] = {pile: hour for hour, pile in HOME.items()}

PLAYS: Final[Sequence[Mapping[Card, Sequence[tuple[Move, int, int]]]]] = [
    {
        card: tuple((PLAY[pile][hour], hour - 1, before) for hour, before in places)
        for card, places in PLACES.items()
    }
    for pile in SOURCES
]
"""By source and by the card on its top: each play, the index of its foundation, and how many cards
must lie there."""

# No fan wants its own top, so what stands for a build on itself is never looked at.
_BUILDS: Final = [tuple(BUILD[pile].get(hour, TURN) for hour in HOURS) for pile in SOURCES]

BUILDS: Final[Mapping[str, Sequence[Sequence[Move]]]] = {
    "playable": _BUILDS,
    "foundations": [*_BUILDS[:-1], ()],
}
"""By the rules' ``waste``, by source and by the index of the fan that is built on; the waste is the
last source, and has no builds if it goes to foundations only."""

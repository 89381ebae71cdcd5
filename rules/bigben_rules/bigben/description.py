"""Big Ben as front ends meet it: its rules by name, its clock, and its moves as typed."""

from typing import Final

from bigben_rules.bigben.layout import CLOCKWISE, FAN_SIZE, FOUNDATION, HOURS, SHUFFLED, TOTAL, Hour
from bigben_rules.bigben.moves import FAN, HOME
from bigben_rules.bigben.text import NAME
from bigben_rules.bigben.variants import CHOICES, PRESETS, rules_name
from bigben_rules.description import Deal, Description, Slot, Typed, choices, foundation
from bigben_rules.position import STOCK, WASTE


def _fan(hour: Hour) -> Slot:
    fan = FAN[hour]
    return Slot(fan, "tableau", "outer", hour, fans="out", label=fan, size=FAN_SIZE)


DESCRIPTION: Final = Description(
    NAME,
    TOTAL,
    decides=True,
    choices=choices(CHOICES),
    presets=tuple(dict.fromkeys(map(rules_name, PRESETS))),
    slots=(
        *(foundation(HOME[hour], "inner", hour, FOUNDATION[hour][-1]) for hour in HOURS),
        *map(_fan, HOURS),
        Slot(WASTE, "waste", "centre", 2, label=WASTE),
        Slot(STOCK, "stock", "centre", 1),
    ),
    moves=(
        Typed("3 fdn", "move.fdn"),
        Typed("3 f9", "move.foundation"),
        Typed("3 5", "move.build"),
        Typed("w fdn", "move.waste"),
        Typed("refill", "move.refill", tap=STOCK),
        Typed("turn", "move.turn", tap=STOCK),
        Typed("deal", "move.deal", tap=STOCK),
    ),
    deal=Deal(
        packs=2,
        laid=tuple((HOME[hour], cards[0]) for hour, cards in FOUNDATION.items()),
        dealt=(
            *(FAN[hour] for _ in range(FAN_SIZE) for hour in CLOCKWISE),
            *[STOCK] * (len(SHUFFLED) - FAN_SIZE * len(HOURS)),
        ),
        down=(STOCK,),
    ),
)

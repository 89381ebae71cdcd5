"""The rules of Big Ben, the two-pack patience laid out as a clock."""

from bigben_rules.bigben.deal import BigBen, deal, read, seen
from bigben_rules.bigben.position import Position
from bigben_rules.bigben.variants import PRESETS, Rules, rules_name

__all__ = ["PRESETS", "BigBen", "Position", "Rules", "deal", "read", "rules_name", "seen"]

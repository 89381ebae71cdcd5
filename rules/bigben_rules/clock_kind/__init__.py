"""The Clock kind: thirteen piles, one for each rank, and one exposed card that goes to its pile."""

from bigben_rules.clock_kind.game import ClockKind, reserve
from bigben_rules.clock_kind.moves import PILES, SIZE
from bigben_rules.clock_kind.position import Position, Setup

__all__ = ["PILES", "SIZE", "ClockKind", "Position", "Setup", "reserve"]

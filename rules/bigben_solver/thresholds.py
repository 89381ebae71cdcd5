"""Where the grades of Big Ben meet, for each variant of its rules.

Changing a number changes which deals have a grade, so also which deal a room or a daily gets.
"""

from collections.abc import Mapping
from typing import Final

THRESHOLDS: Final[Mapping[str, tuple[float, float, float]]] = {
    "standard": (72.52, 76.83, 80.17),
    "laps-no_gaps-foundations": (68.86, 73.83, 77.45),
    "laps-stuck-playable": (55.04, 63.01, 69.38),
    "laps-stuck-foundations": (56.73, 63.68, 69.74),
    "open": (72.52, 76.83, 80.17),
    "laps-always-foundations": (68.86, 73.83, 77.45),
    "fans-no_gaps-playable": (71.66, 75.86, 79.16),
    "fans-no_gaps-foundations": (68.19, 72.92, 76.53),
    "book": (55.15, 62.39, 68.7),
    "fans-stuck-foundations": (55.76, 62.9, 68.8),
    "fans-always-playable": (71.66, 75.86, 79.16),
    "fans-always-foundations": (68.19, 72.92, 76.53),
}
"""By rules: the scores up to which deals are fiendish, hard and medium. They leave 15, 25, 30 and
30 of 100 deals fiendish, hard, medium and easy."""

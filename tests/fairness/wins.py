"""Moves that win a live race."""

from typing import Final

WINS_739: Final = tuple(
    """
1 f9, 2 f6, 3 f8, 3 f2, 4 f6, 6 f8, 8 f11, 8 f9, 9 f3, 10 f10, 10 f6, refill, 4 f5, 6 f3, 8
f12, 6 f12, 6 f8, 8 f9, 9 f8, 11 f9, 11 f7, 11 f11, 4 f11, 12 f5, 12 f4, 4 f4, 12 f1, 8 f1,
refill, 4 f9, 11 f5, 11 f5, 12 f6, 7 f6, 12 f7, 12 f1, refill, 7 f3, refill, turn, w f7, turn,
w f8, turn, turn, turn, turn, w f2, turn, w f10, 9 f10, 10 f10, 10 f5, 8 f5, 10 f4, 5 f4, 4
f4, 5 f1, 9 f4, w f4, refill, 4 f2, 3 f2, 2 f2, 2 f7, 1 f7, 2 f9, 8 f12, 9 f3, 8 f3, 3 f3, 9
f8, 12 f7, 12 f9, 12 f10, w f3, w f5, 11 f5, 11 f11, 6 f11, 6 f8, 6 f12, 10 f8, 10 f7, 7 f7, 7
f11, 7 f6, 10 f1, 1 f1, 1 f6, 4 f6, 4 f2, 5 f2, 5 f4, 5 f2, 11 f3, refill, 2 f12, 1 f12, 3
f10, 3 f10, 4 f1, 8 f12, 9 f1, 12 f11
""".replace("\n", " ")
    .strip()
    .split(", ")
)
"""Moves that win the deal of ``live(ADA, …, seed=739)``, where only Ada has a nonce."""

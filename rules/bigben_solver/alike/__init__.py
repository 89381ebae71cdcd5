"""How alike two attempts at one deal are: a report for people to judge, which proves nothing."""

from bigben_solver.alike.comparing import Attempt, Likeness, Shared, compared, crowd_of
from bigben_solver.alike.pairs import (
    LIMIT,
    ONE_IN,
    Compared,
    Pair,
    compare,
    portions,
    read_log,
    score_of,
    suspicious,
)
from bigben_solver.alike.reading import VERSION, Reading, Step, read

__all__ = [
    "LIMIT",
    "ONE_IN",
    "VERSION",
    "Attempt",
    "Compared",
    "Likeness",
    "Pair",
    "Reading",
    "Shared",
    "Step",
    "compare",
    "compared",
    "crowd_of",
    "portions",
    "read",
    "read_log",
    "score_of",
    "suspicious",
]

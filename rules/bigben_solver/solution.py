"""What a search for a winning line found."""

from typing import Literal, NamedTuple

from bigben_rules import Move

Result = Literal["won", "lost", "unknown"]
"""A winning line is known; there is none; the search ended before it found out."""


class Solution(NamedTuple):
    """The same position, nodes and seed give the same solution on every machine.

    That holds unless ``stop`` ended the search.
    """

    result: Result
    moves: tuple[Move, ...]
    """The winning line from the position; empty unless the result is ``won``."""
    nodes: int
    """The positions that the search looked at."""


def never() -> bool:
    """Never ends a search."""
    return False

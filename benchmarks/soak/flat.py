"""Judges whether a figure of a process grows."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Final, NamedTuple

BLOCKS: Final = 12
"""The number of pieces into which the second half of a run is cut. Their means depend less on each
other than single values do."""
_T: Final = 3.169
"""Student's t of 99 % for ten degrees of freedom: the blocks less two."""
TOLERANCE: Final = 0.01
"""The part of the figure by which it may grow in the second half, even if that is not noise."""


class Trend(NamedTuple):
    """How a figure changes in the second half of a run."""

    begin: float
    """The means of the first and of the last block."""
    end: float
    growth: float
    """From the first to the last block, by the straight line through all of them."""
    noise: float
    """How far the true growth may be from that, in 99 of 100 runs."""

    @property
    def flat(self) -> bool:
        """Whether the figure does not grow, as far as the noise lets one see."""
        return self.growth - self.noise <= TOLERANCE * self.begin


def trend(values: Sequence[float]) -> Trend:
    """The trend of a figure that was read at equal distances; at least ``2 * BLOCKS`` times."""
    late = values[len(values) // 2 :]
    bounds = [i * len(late) // BLOCKS for i in range(BLOCKS + 1)]
    means = [fmean(late[a:b]) for a, b in pairwise(bounds)]
    middle, mean = (BLOCKS - 1) / 2, fmean(means)
    spread = sum((i - middle) ** 2 for i in range(BLOCKS))
    slope = sum((i - middle) * (value - mean) for i, value in enumerate(means)) / spread
    rest = sum((v - mean - slope * (i - middle)) ** 2 for i, v in enumerate(means))
    error = (rest / (BLOCKS - 2) / spread) ** 0.5
    return Trend(means[0], means[-1], slope * (BLOCKS - 1), _T * error * (BLOCKS - 1))

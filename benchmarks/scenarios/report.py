"""The figures as tables."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from benchmarks.driver.loads import Figures
from benchmarks.peers.start import ECHO, FAN_OUT

Rounds = Mapping[str, Sequence[Figures]]
"""The figures of each round by the name of the peer."""

Rows = Mapping[str, Mapping[str, float]]
"""One row for each peer or case: figures by their names."""

_COLUMNS: Final = (
    *("server_us", "redis_us", "driver_us", "moves_per_second", "busy"),
    *("p50_ms", "p99_ms", "sent_bytes", "received_bytes"),
)
_CELL: Final = 12


def medians(rounds: Rounds) -> Rows:
    """The medians of each peer, with the ratios of its CPU a move to the two echoes.

    A ratio is the median of the ratios of each round, because the machine differs between rounds.
    """
    rows = {}
    for name, figures in rounds.items():
        row = {column: median(getattr(one, column) for one in figures) for column in _COLUMNS}
        for label, to in (("to_echo", ECHO), ("to_fan_out", FAN_OUT)):
            if to in rounds:
                row[label] = _ratio(figures, rounds[to])
        rows[name] = row
    return rows


def table(title: str, rows: Rows) -> str:
    """The rows as lines. All rows have the columns of the first."""
    width = max(map(len, rows))
    columns = next(iter(rows.values())).keys()
    heads = ("".join(f"{_head(column)[i]:>{_CELL}}" for column in columns) for i in range(2))
    lines = [title, *(" " * width + head for head in heads)]
    for name, row in rows.items():
        lines.append(f"{name:<{width}}" + "".join(f"{row[c]:>{_CELL},.2f}" for c in columns))
    return "\n".join(lines)


def _head(column: str) -> tuple[str, str]:
    """A column's name on two lines."""
    first, _, last = column.rpartition("_")
    return first.replace("_", " "), last


def _ratio(figures: Sequence[Figures], to: Sequence[Figures]) -> float:
    return median(a.server_us / b.server_us for a, b in zip(figures, to, strict=True))

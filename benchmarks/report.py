"""The figures as a table and as JSON."""

from collections.abc import Sequence
from statistics import median
from typing import Final

from benchmarks.driver.loads import Figures
from benchmarks.peers.start import ECHO, FAN_OUT
from benchmarks.scenarios import Rounds

_COLUMNS: Final = (
    *("server_us", "redis_us", "driver_us", "moves_per_second", "busy"),
    *("p50_ms", "p99_ms", "sent_bytes", "received_bytes"),
)
_HEADS: Final = (
    *("server us", "Redis us", "driver us", "moves/s", "busy", "p50 ms", "p99 ms", "sent", "got"),
)


def middle(rounds: Sequence[Figures]) -> dict[str, float]:
    """The median of each figure."""
    return {name: median(getattr(one, name) for one in rounds) for name in _COLUMNS}


def ratio(rounds: Sequence[Figures], to: Sequence[Figures]) -> float:
    """The median of the ratios of the server's CPU for a move in each round."""
    return median(a.server_us / b.server_us for a, b in zip(rounds, to, strict=True))


def summary(rounds: Rounds) -> dict[str, dict[str, float]]:
    """The medians of each peer, with its ratios to the two echoes if they are there."""
    found = {}
    for name, figures in rounds.items():
        found[name] = middle(figures)
        for label, to in (("to_echo", ECHO), ("to_fan_out", FAN_OUT)):
            if to in rounds:
                found[name][label] = ratio(figures, rounds[to])
    return found


def table(title: str, rounds: Rounds) -> str:
    """The medians as lines."""
    every = summary(rounds)
    width = max(map(len, every))
    ratios = [label for label in ("to_echo", "to_fan_out") if label in next(iter(every.values()))]
    heads = [*_HEADS, *(label.replace("_", " ") for label in ratios)]
    lines = [title, " " * width + "".join(f"{head:>11}" for head in heads)]
    for name, figures in every.items():
        cells = (f"{figures[column]:>11,.2f}" for column in (*_COLUMNS, *ratios))
        lines.append(f"{name:<{width}}" + "".join(cells))
    return "\n".join(lines)

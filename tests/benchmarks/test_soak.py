"""The soak: it plays everything, and tells growth from noise."""

import random
from pathlib import Path

import pytest
from benchmarks.soak.__main__ import SETTINGS, Report, soak
from benchmarks.soak.flat import trend
from tests.processes.playing import serving

VALUES = 600


def noisy(draw: random.Random, *, growth: float = 0.0, step: float = 0.0) -> list[float]:
    """Figures around a thousand that wander a little, as the memory of a busy process does."""
    wandering, values = 0.0, []
    for i in range(VALUES):
        wandering = 0.9 * wandering + draw.gauss(0, 5)
        late = step if i > VALUES * 3 / 4 else 0
        values.append(1_000 + wandering + growth * i / VALUES + late)
    return values


def test_noise_is_flat_and_growth_is_not() -> None:
    draw = random.Random(1)
    assert all(trend(noisy(draw)).flat for _ in range(40))
    assert not any(trend(noisy(draw, growth=200)).flat for _ in range(40))


def test_a_figure_that_grows_only_at_the_beginning_is_flat() -> None:
    values = [min(i, VALUES / 3) for i in range(VALUES)]
    assert trend(values).flat


@pytest.mark.parametrize("left", [{}, {"worker 1, tasks": 3.0}])
def test_a_report_names_what_grows_and_what_nobody_released(left: dict[str, float]) -> None:
    draw = random.Random(1)
    growing = noisy(draw, growth=300)
    series = {"worker 1, tasks": noisy(draw), "worker 1, memory in KiB": growing}
    report = Report({**series, "Redis, memory in KiB": growing}, left, "played")
    named = [f"{name}: +3 after everybody has left" for name in left]
    assert report.faults == ["worker 1, memory in KiB grows", *named]
    assert "kept games" in str(report)


async def test_a_short_soak_does_everything_and_leaves_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--workers", "2", env=SETTINGS) as server:
        report = await soak(server, 5.0, random.Random(1), tables=1)
        assert server.complaints() == []
    assert report.left == {}
    assert {*report.trends} >= {f"worker {i}, tasks" for i in (1, 2)}
    for what in ("players", "games", "broken connections", "HTTP requests"):
        assert what in report.done

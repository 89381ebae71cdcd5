"""A process that serves shows that it lives, however long its figures take to be written."""

import asyncio
import os
import time
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector
from tests.server.guests import running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_server.metrics import shared, writing
from bigben_server.metrics.figures import Figure
from bigben_server.metrics.writing import WRITE_S, Files, rest_after, written
from bigben_server.storage.client import Client


def signs_of_life(folder: Path) -> set[float]:
    """When each process last gave one."""
    return {file.stat().st_mtime for file in folder.glob("alive_*")}


async def test_a_process_whose_figures_can_not_be_written_lives(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause after a failure is longer than the alert waits for a sign of life."""
    tried: list[None] = []

    def fails(*_: object) -> list[Figure]:
        tried.append(None)
        if len(tried) > 1:
            raise OSError("no room")
        return []

    monkeypatch.setattr(writing, "measured", fails)
    async with running(client, Clock(NOON)) as app:
        metrics = written(tmp_path, app.hub.rooms, app.hub.quotas, app.readiness, tmp_path / "none")
        async with metrics, asyncio.timeout(PATIENCE_S):
            seen: set[float] = set()
            while len(seen) < 3:
                await asyncio.sleep(0.1)
                seen |= signs_of_life(tmp_path)
    assert len(tried) == 2, "after the failure it was not tried again"
    assert shared.silent(tmp_path).keys() == {os.getpid()}


def test_figures_can_be_read_while_a_process_makes_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prometheus may ask at any moment, also when a worker has just started again."""
    registry = CollectorRegistry()
    # prometheus_client has no types for it.
    MultiProcessCollector(registry, str(tmp_path))  # type: ignore[no-untyped-call]

    class Interrupted(MmapedDict):
        def __init__(self, name: str) -> None:
            Path(name).touch()
            assert generate_latest(registry) == b""
            super().__init__(name)  # type: ignore[no-untyped-call]
            assert generate_latest(registry) == b""

    monkeypatch.setattr(writing, "MmapedDict", Interrupted)
    files = Files(tmp_path)
    files.write([Figure("counter", "bigben_moves", "Moves.", {(): 3})])
    files.close()
    assert b"bigben_moves_total 3.0\n" in generate_latest(registry)


def test_waiting_for_the_processor_is_no_reason_to_write_less_often() -> None:
    assert rest_after(lambda: time.sleep(0.05)) == WRITE_S


def test_a_process_is_silent_from_its_last_sign_of_life_until_it_is_forgotten(
    tmp_path: Path,
) -> None:
    shared.beat(tmp_path, 1)
    shared.beat(tmp_path, 2)
    long_ago = time.monotonic() - 100
    os.utime(tmp_path / "alive_1", (long_ago, long_ago))
    silent = shared.silent(tmp_path)
    assert silent[1] > 99
    assert silent[1] > silent[2] + 90
    shared.forget(tmp_path, 1)
    assert shared.silent(tmp_path).keys() == {2}

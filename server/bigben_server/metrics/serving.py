"""Serves the figures of all processes of a server at ``/metrics``, on a port of its own."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from prometheus_client import CollectorRegistry, Metric, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from bigben_protocol import Kind, Phase
from bigben_server import logs
from bigben_server.config import BadSetting, Settings
from bigben_server.metrics import shared


@contextmanager
def served(settings: Settings, processes: int) -> Iterator[Path | None]:
    """The folder into which this many processes write, while all of it is served.

    None if the settings want no metrics, or if a parent serves them. Raises BadSetting.
    """
    if settings.metrics_port is None or settings.worker:
        yield settings.metrics_folder
        return
    with TemporaryDirectory(prefix="bigben-metrics-") as name:
        folder, registry = Path(name), CollectorRegistry()
        # prometheus_client has no types for it.
        MultiProcessCollector(registry, name)  # type: ignore[no-untyped-call]
        registry.register(_Together(folder, processes))
        host, port = settings.metrics_host, settings.metrics_port
        try:
            server, thread = start_http_server(port, host, registry)
        except (OSError, OverflowError) as error:
            text = f"The metrics can't be served on {host[:60]!r}, port {port}: {error}."
            raise BadSetting(f"{text} Set BIGBEN_METRICS_HOST and BIGBEN_METRICS_PORT.") from error
        address = f"{settings.metrics_host}:{server.server_port}"
        logs.say(settings, f"Metrics:   http://{address}/metrics")
        try:
            yield folder
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def forget(folder: Path | None, pid: int) -> None:
    """Forget how a worker was that has ended. What it has counted stays in the sums."""
    if folder:
        mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]
        shared.forget(folder, pid)


class _Together(Collector):
    """What is not a sum over all processes."""

    def __init__(self, folder: Path, processes: int) -> None:
        self._folder = folder
        self._processes = processes

    def collect(self) -> Iterator[Metric]:
        """The figures of this moment."""
        whole = shared.united(self._folder)
        yield GaugeMetricFamily("bigben_players", "Connected players.", len(whole.players))
        text = "Races in memory, by kind and phase."
        races = GaugeMetricFamily("bigben_races", text, labels=("kind", "phase"))
        found = Counter(whole.races.values())
        for kind, phase in product(get_args(Kind), get_args(Phase)):
            races.add_metric((kind, phase), found[kind, phase])
        yield races
        text = "For how long the event loop of a process has not run."
        silent = GaugeMetricFamily("bigben_silent_seconds", text, labels=("pid",))
        for pid, seconds in shared.silent(self._folder).items():
            silent.add_metric((str(pid),), seconds)
        yield silent
        text = "How many processes should serve."
        yield GaugeMetricFamily("bigben_processes_wanted", text, self._processes)

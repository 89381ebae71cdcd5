"""Serves the figures of all processes of a server at ``/metrics``, on a port of its own."""

from collections import Counter
from collections.abc import Iterator, Mapping
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
from bigben_server.metrics.figures import Labels


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
            raise BadSetting(
                f"The metrics can't be served on {host[:60]!r}, port {port}: {error}."
                " Set BIGBEN_METRICS_HOST and BIGBEN_METRICS_PORT."
            ) from error
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
        whole, seconds = shared.united(self._folder), shared.silent(self._folder)
        found = Counter(whole.races.values())
        kinds = product(get_args(Kind), get_args(Phase))
        yield _gauge("players", "Connected players.", {(): len(whole.players)})
        text = "Races in memory, by kind and phase."
        yield _gauge("races", text, {one: found[one] for one in kinds}, ("kind", "phase"))
        text = "For how long the event loop of a process has not run."
        yield _gauge("silent_seconds", text, {(f"{p}",): s for p, s in seconds.items()}, ("pid",))
        yield _gauge("processes_wanted", "How many processes should serve.", {(): self._processes})


def _gauge(
    name: str, text: str, values: Mapping[Labels, float], labels: Labels = ()
) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(f"bigben_{name}", text, labels=labels)
    for each, value in values.items():
        gauge.add_metric(each, value)
    return gauge

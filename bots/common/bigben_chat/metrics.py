"""What a bot counts, and where its operator's Prometheus reads it.

Labels come from small sets. No label names a user, a player, a race or a place.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from time import perf_counter
from typing import Final

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from bigben_chat.platform import Answer, Away, Gone, NotAllowed, PlatformError, Sorry
from bigben_chat.settings import Address, BadSetting
from bigben_client import RefusedError

_log = logging.getLogger(__name__)

REGISTRY: Final = CollectorRegistry()
"""Of a bot that is a process of its own."""
REQUESTS: Final = Counter(
    "bigben_bot_requests",
    "What users asked of the bot, by how it ended.",
    ("kind", "outcome"),
    registry=REGISTRY,
)
ANSWER_SECONDS: Final = Histogram(
    "bigben_bot_answer_seconds",
    "Seconds until a request was answered in full.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30),  # Discord waits for 3 seconds
    registry=REGISTRY,
)
MESSAGES: Final = Counter(
    "bigben_bot_messages",
    "Messages of the bot that the platform took; answered: at once, by a message, an edit or"
    " the promise of one.",
    ("how",),
    registry=REGISTRY,
)
REFUSALS: Final = Counter(
    "bigben_bot_platform_refusals",
    "What the bot asked of the platform in vain.",
    ("reason",),
    registry=REGISTRY,
)
CONNECTED: Final = Gauge(
    "bigben_bot_connected",
    "1 while the bot is connected to the platform, and to the race server.",
    ("to",),
    registry=REGISTRY,
)
PLAYERS: Final = Gauge(
    "bigben_bot_players", "Players for whom the bot is connected.", registry=REGISTRY
)
BOARDS: Final = Gauge(
    "bigben_bot_boards", "Boards that the bot keeps up to date.", registry=REGISTRY
)

# What is 0 until it happens: an increase from nothing would go unnoticed.
for _labels in product(("command", "control"), ("done", "refused", "failed")):
    REQUESTS.labels(*_labels)
for _how in ("sent", "edited", "answered"):
    MESSAGES.labels(_how)
for _reason in ("limit", "not_allowed", "gone", "away", "other"):
    REFUSALS.labels(_reason)


@contextmanager
def counted(answer: Answer) -> Iterator[None]:
    """Count this request, and how it ends."""
    begun = perf_counter()
    try:
        yield
    except Exception as error:
        _ended(answer, begun, _outcome(error))
        raise
    _ended(answer, begun, "done")


def refused(error: PlatformError) -> None:
    """Count what the platform did not do."""
    REFUSALS.labels(_reason_of(error)).inc()


@contextmanager
def served(at: Address | None) -> Iterator[None]:
    """Serve the metrics there, or nowhere, until the block is left. Raises BadSetting."""
    if at is None:
        yield
        return
    prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no types
    try:
        server, thread = prometheus_client.start_http_server(at.port, at.host, REGISTRY)
    except (OSError, OverflowError) as error:
        raise BadSetting(
            f"The metrics can't be served on {at.host[:60]!r}, port {at.port}: {error}."
            " Set BIGBEN_METRICS_HOST and BIGBEN_BOT_METRICS_PORT."
        ) from error
    _log.info("Metrics: http://%s:%d/metrics", at.host, server.server_port)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _ended(answer: Answer, begun: float, outcome: str) -> None:
    REQUESTS.labels("command" if answer.pressed is None else "control", outcome).inc()
    ANSWER_SECONDS.observe(perf_counter() - begun)


def _outcome(error: Exception) -> str:
    match error:
        case RefusedError(code="token"):
            return "failed"
        case Sorry() | RefusedError():
            return "refused"
        case _:
            return "failed"


def _reason_of(error: PlatformError) -> str:
    match error:
        case NotAllowed():
            return "not_allowed"
        case Gone():
            return "gone"
        case Away():
            return "away"
        case _:
            return "other"

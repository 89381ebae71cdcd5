"""The dated lines of the log that say when a server starts, and what it is then."""

import logging
import platform

from bigben_server.config import Settings
from bigben_server.race.events import VERSION
from bigben_server.startup.in_force import differing
from bigben_server.storage.admin.vitals import software
from bigben_server.storage.race_log import Store
from bigben_server.transport.status import version

_log = logging.getLogger(__name__)


async def log_start(store: Store, settings: Settings, workers: int = 1) -> None:
    """Log the versions, and the settings that are not the usual ones."""
    versions = [
        f"Big Ben {version().version}",
        f"data {VERSION}",
        f"Python {platform.python_version()}",
        " and ".join(await software(store)) or "Redis of unknown version",
    ]
    changed = [f"{one.name}={one.value}" for one in differing(settings)]
    changed += [f"--workers={workers}"] * (workers > 1)
    said = ", ".join(changed) or "none"
    _log.info("started: %s; settings that are not the usual ones: %s", ", ".join(versions), said)


def span(seconds: float) -> str:
    """How long, in its largest two units.

    >>> span(59.9), span(3_700), span(90_000)
    ('59 s', '1 h 1 min', '1 d 1 h')
    """
    left, parts = int(seconds), list[str]()
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        if left >= size or (unit == "s" and not parts):
            parts.append(f"{left // size} {unit}")
            left %= size
        elif parts:
            break
    return " ".join(parts[:2])

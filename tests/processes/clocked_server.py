"""``bigben serve`` by a clock that a test sets: the file of a ``StoppedClock`` in the environment.

What happens in the time between two looks at the agenda comes soon here, since no time passes.
"""

import os
import sys
import time
from pathlib import Path

from tests.compatibility.stopped_clock import FILE, StoppedClock


def _serve() -> None:
    clock = StoppedClock(Path(os.environ[FILE]))
    time.time_ns = lambda: clock() * 1_000_000
    from bigben_server.cli import serve  # only now, so that no module has the real clock
    from bigben_server.rooms import app
    from bigben_server.rooms.deals import weeks

    app.AGENDA_S = weeks.LOOK_S = 0.1  # type: ignore[misc]
    sys.exit(serve(sys.argv[1:]))


if __name__ == "__main__":
    _serve()

"""Settings for all tests."""

import os
import signal
import sys
import time

from hypothesis import HealthCheck, settings

DAY_S = 86_400
LONGEST_S = 60
"""The longest time for a test; on a busy machine some take more than half of it."""

# The time of an example depends on how busy the machine is, not on the code.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Tests start many processes; each would compile all modules again where this is set, which takes
# longer than the rest of its start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A script that runs the tests with `&` ignores SIGINT, and every child process inherits that;
    # some of these are told to end by a Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup() -> None:
    """Begin no test just before midnight UTC: today's daily race would close while it is played.

    What midnight does is tested with clocks that the tests set themselves.
    """
    left = DAY_S - time.time() % DAY_S
    if left < LONGEST_S:
        time.sleep(left)

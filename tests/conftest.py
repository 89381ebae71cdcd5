"""What holds for all tests, whoever starts them and when."""

import signal
import time

from hypothesis import HealthCheck, settings

DAY_S = 86_400
LONGEST_S = 60
"""No test takes longer; some take more than half of it on a machine that is busy with others."""

# How long an example takes says how busy the machine is, and nothing about what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is where a script runs the tests with `&`, and every process they start inherits it;
    # some of these are told to end by a Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup() -> None:
    """Begin no test just before midnight UTC: today's daily race would close while it is played.

    What midnight does is tested with clocks that the tests set themselves.
    """
    left = DAY_S - time.time() % DAY_S
    if left < LONGEST_S:
        time.sleep(left)

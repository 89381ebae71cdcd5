"""What holds for all tests, whoever starts them."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is where a script runs the tests with `&`, and every process they start inherits it;
    # some of these are told to end by a Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

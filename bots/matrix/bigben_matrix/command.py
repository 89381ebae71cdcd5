"""The ``bigben-matrix`` command: its help, and what to install where the bot can't run."""

import sys


def main() -> int:
    """Run the bot; the exit code."""
    print("bigben-matrix: not there yet", file=sys.stderr)
    return 1

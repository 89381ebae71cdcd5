"""`bigben verify`: checks a receipt line by line, without a server.

It imports only the standard library, the rules, and modules that need nothing else.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from bigben_terminal.complaint import Complaint
from bigben_terminal.kept import kept_races
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.own_memory import compare
from bigben_terminal.receipts.receipt_form import Altered, Unreadable, read

EPILOG = """exit codes: 0 the receipt holds, 1 it does not, 2 it can't be read.
A race that was played on this machine is also compared with what `bigben play` kept of it.
docs/fairness.md says how to write this command again."""

AGREES = """The receipt holds, and agrees with what was seen on this machine. Compare its seal
with the one that other players have."""

HOLDS = """The receipt holds. Compare its commitment with the one that you saw before the race, and
its seal with the one that other players have."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = "Deal and play a race again from its receipt, and say whether all holds."
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a receipt, or - for standard input")


def run(arguments: Namespace) -> int:
    source = arguments.file
    try:
        text = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise Complaint(f"{source}: {error.strerror}") from None
    try:
        receipt = read(text)
        for line in check(receipt):
            _say(line, holds=True)
        own = [*compare(receipt, kept_races.load_all())]
        for line in own:
            _say(line, holds=True)
    except Unreadable as error:
        raise Complaint(f"{source}: {error}") from None
    except Altered as altered:
        sys.stdout.flush()
        _say(str(altered), holds=False)
        return 1
    print(AGREES if own else HOLDS)
    return 0


def _say(line: str, *, holds: bool) -> None:
    """One line with its mark, in characters that the stream's encoding has."""
    stream, signs = (sys.stdout, ("✓", "ok")) if holds else (sys.stderr, ("✗", "NO"))
    encoding = stream.encoding or "ascii"
    sign = next(sign for sign in signs if sign.encode(encoding, "ignore"))
    print(f"{sign} {line}".encode(encoding, "backslashreplace").decode(encoding), file=stream)

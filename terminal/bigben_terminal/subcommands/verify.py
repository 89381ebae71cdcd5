"""`bigben verify`: checks a receipt, or a file of certificates, line by line, without a server.

It imports only the standard library, the rules, and modules that need nothing else.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from bigben_terminal.complaint import Complaint
from bigben_terminal.local_files import seen_races
from bigben_terminal.receipts import certificate_file
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.own_memory import compare
from bigben_terminal.receipts.receipt_form import Altered, Receipt, Unreadable, read

BAR = 30
"""Letters of the bar."""

EPILOG = """exit codes: 0 the file holds, 1 it does not, 2 it can't be read.
A race that was played on this machine is also compared with what `bigben play` kept of it.
docs/fairness.md says how to write this command again, and research/winnability.md what certificates
are."""

AGREES = """The receipt holds, and agrees with what was seen on this machine. Compare its seal
with the one that other players have."""

HOLDS = """The receipt holds. Compare its commitment with the one that you saw before the race, and
its seal with the one that other players have."""

WIN = """Every certificate that says won holds: its moves win its deal."""

NOT_PROVED = """That deals are lost was not proved again; --deep does it. Unknown claims nothing."""

PROVED = """Every certificate that says lost was proved again. Unknown claims nothing."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = (
        "Deal and play a race again from its receipt, and say whether all holds. "
        "Of a file of certificates, play every line again."
    )
    parser.epilog = EPILOG
    parser.add_argument(
        "--deep",
        action="store_true",
        help="also look whether an earlier deal of the seed should have been played (minutes); of "
        "certificates, prove again that deals are lost",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a receipt, or certificates, which xz or gzip may have compressed; - is standard "
        "input",
    )


def run(arguments: Namespace) -> int:
    source = arguments.file
    try:
        text = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise Complaint(f"{source}: {error.strerror}") from None
    try:
        if certificate_file.holds_certificates(text):
            return _check_certificates(text, deep=arguments.deep)
        receipt = read(text)
        for line in check(receipt):
            _say(line, holds=True)
        own = [*compare(receipt, seen_races.load_all())]
        for line in own:
            _say(line, holds=True)
        if arguments.deep:
            _say(_deep(receipt), holds=True)
    except Unreadable as error:
        raise Complaint(f"{source}: {error}") from None
    except Altered as altered:
        sys.stdout.flush()
        _say(str(altered), holds=False)
        return 1
    print(AGREES if own else HOLDS)
    return 0


def _deep(receipt: Receipt) -> str:
    """Raises Altered."""
    from bigben_terminal.receipts.deep import check_choice  # only here: it needs the solver

    try:
        return check_choice(receipt, lambda done, most: _show("deal", done, most))
    finally:
        _show("", 0, 0)


def _check_certificates(text: bytes, *, deep: bool) -> int:
    """Check each certificate. Raises Altered and Unreadable."""

    def show(done: int, most: int) -> None:
        if done % 100 == 0:
            _show("certificate", done, most)

    try:
        tally = certificate_file.check(text, prove=deep, progress=show)
    finally:
        _show("", 0, 0)
    for line in certificate_file.in_words(tally):
        _say(line, holds=True)
    print(WIN, PROVED if deep else NOT_PROVED, sep="\n")
    return 0


def _show(what: str, done: int, most: int) -> None:
    """A bar of what was tried or checked; with 0 of 0 it is wiped out."""
    if sys.stderr.isatty():
        filled = min(BAR * done // max(most, 1), BAR)
        bar = f"{what} {done:,} of at most {most:,} [{'#' * filled}{'.' * (BAR - filled)}]"
        print("\r" + (bar if most else "").ljust(BAR + 50), end="\r", file=sys.stderr, flush=True)


def _say(line: str, *, holds: bool) -> None:
    """One line with its mark, in characters that the stream's encoding has."""
    stream, signs = (sys.stdout, ("✓", "ok")) if holds else (sys.stderr, ("✗", "NO"))
    encoding = stream.encoding or "ascii"
    sign = next(sign for sign in signs if sign.encode(encoding, "ignore"))
    print(f"{sign} {line}".encode(encoding, "backslashreplace").decode(encoding), file=stream)

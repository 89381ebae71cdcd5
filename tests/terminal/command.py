"""Runs the real `bigben` command, in its own process or in this one, which is faster."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from typing import IO, Any
from unittest.mock import patch

from tests.support.paths import ROOT

from bigben_terminal.cli import main

BASE = [str(ROOT / folder) for folder in ("rules", "terminal")]
"""The paths of the packages that a plain install needs for `deal` and `replay`."""

PACKAGES = [*BASE, *(str(ROOT / folder) for folder in ("protocol", "client", "server"))]


def arguments(*argv: str, site: bool = False) -> list[str]:
    """The command line. Without ``site`` no installed package can be imported."""
    return [sys.executable, *([] if site else ["-S"]), "-m", "bigben_terminal", *argv]


def environment(path: Sequence[str] = BASE) -> dict[str, str]:
    """This process's environment, with only ``path`` and the standard library to import from."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**plain, "PYTHONPATH": os.pathsep.join(path)}


def bigben(
    *argv: str, stdin: bytes = b"", path: Sequence[str] = BASE, site: bool = False
) -> CompletedProcess[str]:
    """Run `bigben` to its end, with these bytes on its standard input."""
    done = subprocess.run(
        arguments(*argv, site=site),
        input=stdin,
        capture_output=True,
        env=environment(path),
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    return CompletedProcess(done.args, done.returncode, out, err)


def bigben_here(*argv: str, stdin: bytes = b"") -> CompletedProcess[str]:
    """Run `bigben` in this process. Its standard streams are files, as those of a process are."""
    with TemporaryFile() as given, _text() as out, _text() as err:
        given.write(stdin)
        given.seek(0)
        with (
            open(given.fileno(), encoding="utf-8", closefd=False) as reading,
            patch("sys.stdin", reading),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = main(argv)
        out.seek(0)
        err.seek(0)
        said = out.read(), err.read()
    return CompletedProcess(["bigben", *argv], code, *said)


def _text() -> IO[str]:
    return TemporaryFile("w+", encoding="utf-8", newline="")


def complaint(
    *argv: str, stdin: bytes = b"", run: Callable[..., CompletedProcess[str]] = bigben_here
) -> str:
    """The single sentence on standard error of a command that refuses its input."""
    done = run(*argv, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, ""), done
    [sentence] = done.stderr.splitlines()
    return sentence


def lines(text: str) -> list[dict[str, Any]]:
    """The JSON lines that the command printed; ``Any`` is any JSON."""
    return [json.loads(line) for line in text.splitlines()]

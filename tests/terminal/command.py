"""Runs the real `bigben` command in its own process."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tests.support.paths import ROOT

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
) -> subprocess.CompletedProcess[str]:
    """Run `bigben` to its end, with these bytes on its standard input."""
    done = subprocess.run(
        arguments(*argv, site=site),
        input=stdin,
        capture_output=True,
        env=environment(path),
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def complaint(*argv: str, stdin: bytes = b"") -> str:
    """The single sentence on standard error of a command that refuses its input."""
    done = bigben(*argv, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, ""), done
    [sentence] = done.stderr.splitlines()
    return sentence


def lines(text: str) -> list[dict[str, Any]]:
    """The JSON lines that the command printed; ``Any`` is any JSON."""
    return [json.loads(line) for line in text.splitlines()]

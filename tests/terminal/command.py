"""The real `bigben` command in a process of its own. Tests nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

BASE = [str(ROOT / folder) for folder in ("rules", "terminal")]
"""Where the packages lie that a plain install needs for `deal` and `replay`."""

PACKAGES = [*BASE, *(str(ROOT / folder) for folder in ("protocol", "client", "server"))]


def arguments(*argv: str, site: bool = False) -> list[str]:
    """The command line. Without ``site`` nothing that is installed can be imported."""
    return [sys.executable, *([] if site else ["-S"]), "-m", "bigben_terminal", *argv]


def environment(path: Sequence[str] = BASE) -> dict[str, str]:
    """This process's, with only ``path`` to import from besides the standard library."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**plain, "PYTHONPATH": os.pathsep.join(path)}


def bigben(
    *argv: str, stdin: bytes = b"", path: Sequence[str] = BASE, site: bool = False
) -> subprocess.CompletedProcess[str]:
    """Runs `bigben` to its end, with those bytes on its standard input."""
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
    """The one sentence on standard error of a command that can't use what it was given."""
    done = bigben(*argv, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, ""), done
    [sentence] = done.stderr.splitlines()
    return sentence


def lines(text: str) -> list[dict[str, Any]]:
    """JSON lines. Any: what the command printed."""
    return [json.loads(line) for line in text.splitlines()]

"""Runs the ``bigben`` command with an empty state folder."""

import asyncio
import os
import sys
from pathlib import Path


async def bigben(home: Path, *argv: str | Path) -> tuple[int, str]:
    """Run it to its end, with its files in ``home``. Return the exit code and the output."""
    others = {name: value for name, value in os.environ.items() if "BIGBEN_" not in name}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_terminal", *argv),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**others, "HOME": str(home), "XDG_STATE_HOME": str(home)},
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()

"""The command of a bot as a process: its environment, and what it says."""

import asyncio
import os
import sys
from collections.abc import Mapping


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """That of the tests with these settings and no others."""
    others = {name: value for name, value in os.environ.items() if "BIGBEN_" not in name}
    return {**others, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **settings}


async def said(process: asyncio.subprocess.Process) -> tuple[int, list[str]]:
    """The exit code, and the lines that are not the log's."""
    stdout, stderr = await process.communicate()
    assert process.returncode is not None
    lines = (stdout + stderr).decode().splitlines()
    log = (" WARNING ", " INFO ")
    return process.returncode, [line for line in lines if not any(one in line for one in log)]

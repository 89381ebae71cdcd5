"""An operator who types commands of ``bigben admin`` while a server runs."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.support.forked import ADMIN, ran


def order(data: Path, *words: str, redis: str = "") -> dict[str, Any]:
    """Run a command for the server with this data folder, or on this Redis; it must succeed.

    Returns what it has done.
    """
    env = {name: value for name, value in os.environ.items() if not name.startswith("BIGBEN_")}
    env |= {"BIGBEN_REDIS_URL": redis} if redis else {}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    options = ("--data", str(data), "--json", *words)
    code, out, err = ran(ADMIN, options, env)
    assert code == 0, err
    facts: dict[str, Any] = json.loads(out)
    return facts

"""An operator who types commands of ``bigben admin`` while a server runs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_COMMAND = "import sys; from bigben_server.ops.admin import admin; sys.exit(admin(sys.argv[1:]))"


def order(data: Path, *words: str, redis: str = "") -> dict[str, Any]:
    """Run a command for the server with this data folder, or on this Redis; it must succeed.

    Returns what it has done.
    """
    env = {name: value for name, value in os.environ.items() if not name.startswith("BIGBEN_")}
    env |= {"BIGBEN_REDIS_URL": redis} if redis else {}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    command = (sys.executable, "-c", _COMMAND, "--data", str(data), "--json", *words)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts

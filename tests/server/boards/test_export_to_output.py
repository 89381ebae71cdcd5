"""``bigben admin export -`` writes to standard output, and nothing else does."""

import asyncio
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.boards.made import Season, won
from tests.server.redis_processes import no_redis_left_in

from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

CALL = "import sys; from bigben_server.ops.admin import admin; sys.exit(admin(sys.argv[1:]))"
ADMIN = (sys.executable, "-c", CALL)


async def _play(folder: Path) -> None:
    async with EmbeddedRedis(folder) as url, client_of(url) as client:
        await Season(Store(client)).day("2026-11-21", {"ada": won(61_000), "bob": won(62_000)})


def test_an_export_goes_through_a_pipe_and_not_onto_a_terminal(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("BIGBEN_")}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    with no_redis_left_in(tmp_path / "data") as folder:
        asyncio.run(_play(folder))
        words = (*ADMIN, "--data", str(folder), "export", "-")
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert lines[-1]["lines"] == len(lines) - 1
        assert "secret; keep it private" in done.stderr

        ours, theirs = pty.openpty()
        refused = subprocess.run(words, env=env, stdout=theirs, stderr=subprocess.PIPE, text=True)
        assert refused.returncode == 1
        assert "redirect it, or add --yes" in refused.stderr
        os.close(theirs)
        with pytest.raises(OSError, match="Input/output"):
            os.read(ours, 1)
        os.close(ours)

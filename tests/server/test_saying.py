"""What ``bigben serve`` prints when it serves: where players find it, here and elsewhere."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


def said(data: Path, host: str) -> dict[str, str]:
    """The printed lines by their first word, of a server that then ends in order."""
    command = (sys.executable, "-m", "bigben_server.cli", "--port", "0", "--host", host)
    with subprocess.Popen(
        [*command, "--data", str(data)],
        stdout=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if "BIGBEN_" not in name},
    ) as process:
        assert process.stdout is not None, "asked for"
        lines: dict[str, str] = {}
        for line in process.stdout:
            word, _, rest = line.strip().partition(" ")
            lines[word] = rest.strip()
            if word == "listening":
                process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
    return lines


def test_a_server_for_this_machine_says_how_to_let_others_in(tmp_path: Path) -> None:
    lines = said(tmp_path / "data", "127.0.0.1")
    address = lines["listening"].removeprefix("on ws://")
    assert lines["Terminal:"] == f"bigben play --server ws://{address} --name YOUR-NAME"
    assert lines["Browser:"] == f"http://{address}"
    assert lines["Friends:"].startswith("on this machine only; --host 0.0.0.0")
    assert lines["The"].endswith(str(tmp_path / "data"))


@pytest.mark.parametrize("host", ["0.0.0.0", ""])
def test_a_server_for_everybody_says_where_friends_find_it(tmp_path: Path, host: str) -> None:
    lines = said(tmp_path / "data", host)
    port = lines["listening"].rpartition(":")[2]
    address, _, condition = lines["Friends:"].partition(", ")
    assert address.startswith("http://")
    assert address.endswith(f":{port}")
    assert "127.0.0.1" not in address
    assert condition == "wherever this machine can be reached"

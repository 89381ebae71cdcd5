"""What ``bigben serve`` prints when it serves: where players find it, here and elsewhere."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

CLI = (sys.executable, "-m", "bigben_server.cli")


def said(data: Path, host: str, program: Sequence[str] = CLI, **variables: str) -> dict[str, str]:
    """The printed lines by their first word, of a server that then ends in order."""
    usual = {name: value for name, value in os.environ.items() if "BIGBEN_" not in name}
    with subprocess.Popen(
        [*program, "--port", "0", "--host", host, "--data", str(data)],
        stdout=subprocess.PIPE,
        text=True,
        env={**usual, **variables},
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


def test_what_to_type_for_the_terminal_game_has_its_folder_if_that_is_not_on_the_path(
    tmp_path: Path,
) -> None:
    program = tmp_path / "bigben"
    program.write_text(
        "from bigben_server.cli import serve; import sys; sys.exit(serve(sys.argv[1:]))"
    )
    command = (sys.executable, str(program))
    elsewhere = said(tmp_path / "data", "127.0.0.1", command, PATH="/nowhere")
    assert elsewhere["Terminal:"].startswith(f"{program} play --server ws://127.0.0.1:")
    program.chmod(0o755)
    here = said(tmp_path / "data", "127.0.0.1", command, PATH=str(tmp_path))
    assert here["Terminal:"].startswith("bigben play --server ws://127.0.0.1:")


@pytest.mark.parametrize("host", ["0.0.0.0", ""])
def test_a_server_for_everybody_says_where_friends_find_it(tmp_path: Path, host: str) -> None:
    lines = said(tmp_path / "data", host)
    port = lines["listening"].rpartition(":")[2]
    address, _, condition = lines["Friends:"].partition(", ")
    assert address.startswith("http://")
    assert address.endswith(f":{port}")
    assert "127.0.0.1" not in address
    assert condition == "wherever this machine can be reached"

"""One real server for the tests of the terminal, with a Redis and a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that lives as long as the tests."""
    data = tmp_path_factory.mktemp("server")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("BIGBEN_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "bigben_server", "--port", "0", "--data", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=clean,
    )
    assert process.stdout is not None
    with process, process.stdout:
        said = iter(process.stdout.readline, "")
        address = next(line.split()[-1] for line in said if line.startswith("listening on "))
        try:
            yield address
        finally:
            process.terminate()
            process.stdout.read()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A state folder with no token in it: whoever plays with it is somebody new."""
    return tmp_path / "state"

"""Real servers for the tests of the terminal, each with a Redis and a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def serving(data: Path, port: str = "0") -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server with this folder, and its address."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("BIGBEN_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "bigben_server", "--port", port, "--data", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=clean,
    )
    assert process.stdout is not None
    with process, process.stdout:
        said = iter(process.stdout.readline, "")
        addresses = (line.split()[-1] for line in said if line.startswith("listening on "))
        address = next(addresses, "")
        assert address, "the server did not start"
        yield address, process
        process.terminate()
        process.stdout.read()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that lives as long as the tests."""
    with serving(tmp_path_factory.mktemp("server")) as (address, _):
        yield address


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A state folder with no token in it: whoever plays with it is somebody new."""
    return tmp_path / "state"

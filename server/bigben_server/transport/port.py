"""The port that players connect to."""

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from bigben_server.config import Settings


class CannotListen(Exception):
    """The server can't start. The text tells the operator what to do."""


@contextmanager
def binding(settings: Settings) -> Iterator[None]:
    """Around the code that binds the port. Raises CannotListen."""
    try:
        yield
    except (OSError, UnicodeError) as error:  # UnicodeError: the host can't be a name
        raise CannotListen(_why(error, settings.host, settings.port)) from error


@contextmanager
def reserved(settings: Settings) -> Iterator[int]:
    """The port that all workers share. It stays reserved while a worker is replaced."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        with binding(settings):
            reserved.bind((settings.host, settings.port))
        yield reserved.getsockname()[1]


def _why(error: OSError | UnicodeError, host: str, port: int) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if isinstance(error, (socket.gaierror, UnicodeError)) or code == errno.EADDRNOTAVAIL:
        return (
            f"{host[:60]!r} is no address of this machine; --host (BIGBEN_HOST) is 127.0.0.1 for "
            "players on this machine only, 0.0.0.0 for everybody."
        )
    if code == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by a server that runs already; stop that one, or "
            "choose another port with --port (BIGBEN_PORT; make serve PORT=…)."
        )
    if code == errno.EACCES:
        return (
            f"port {port} is reserved for the system; choose one from 1024 on with --port "
            "(BIGBEN_PORT), and let a proxy forward that one."
        )
    return f"can't listen on {host[:60]!r}, port {port}: {error}."

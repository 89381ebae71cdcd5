"""Why a port can't be listened on, in a sentence for the operator. Opens no socket itself."""

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from bigben_server.config import Settings


class CannotListen(Exception):
    """The server can't begin. Its text is a sentence for the operator, with what to do."""


@contextmanager
def binding(settings: Settings) -> Iterator[None]:
    """Around whatever binds the host and port of the settings. Raises CannotListen."""
    try:
        yield
    # UnicodeError: a host name that no name server could be asked for.
    except (OSError, UnicodeError) as error:
        raise CannotListen(_why(error, settings.host, settings.port)) from error


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
            f"port {port} is not for every user; choose one from 1024 on with --port "
            "(BIGBEN_PORT), and let a proxy pass that one on."
        )
    return f"can't listen on {host[:60]!r}, port {port}: {error}."

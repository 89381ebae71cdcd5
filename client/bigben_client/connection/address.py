"""Parses a server's address as people write it."""

from typing import NamedTuple
from urllib.parse import urlsplit

from bigben_client.errors import BadAddress
from bigben_protocol.sentence import sentence

_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


class Address(NamedTuple):
    """The address of a server."""

    url: str
    """``ws://`` or ``wss://``."""
    loopback: bool
    """Whether it is on this machine; then the client uses no proxy."""


def address(text: str) -> Address:
    """The address that a player typed. Raises BadAddress.

    >>> address("https://race.example:8443").url
    'wss://race.example:8443'
    >>> address("localhost:8765")
    Address(url='ws://localhost:8765', loopback=True)
    """
    typed = text.strip()
    written = typed if "://" in typed else f"ws://{typed}"
    try:
        parts = urlsplit(written)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or parts.scheme not in _SCHEMES or any(map(str.isspace, typed)):
        raise BadAddress(sentence("client.bad_address", address=repr(typed[:80])))
    loopback = host in ("localhost", "::1") or host.startswith("127.")
    return Address(parts._replace(scheme=_SCHEMES[parts.scheme], fragment="").geturl(), loopback)

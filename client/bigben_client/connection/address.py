"""Parses a server's address as people write it, and names a race in it."""

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from bigben_client.errors import BadAddress
from bigben_protocol.sentence import sentence

_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_CODE: Final = re.compile(r"[0-9A-Z]{6}")
"""How the code of a room begins; an invitation may follow it."""


class Address(NamedTuple):
    """The address of a server."""

    url: str
    """``ws://`` or ``wss://``."""
    loopback: bool
    """Whether it is on this machine; then the client uses no proxy."""

    def naming(self, race: str) -> str:
        """The URL for a connection that is made for this race, as it is typed.

        A server of several processes brings the players of a room together by it. The players of a
        daily are spread, so it is not named, and neither is what can be no code.

        >>> address("ws://race.example/big?ben=1").naming("k7q-pxm")
        'ws://race.example/big?ben=1&race=K7QPXM'
        """
        code = _CODE.match(race.upper().replace("-", "").replace(" ", ""))
        if code is None:
            return self.url
        parts = urlsplit(self.url)
        query = "&".join(filter(None, (parts.query, f"race={code[0]}")))
        return parts._replace(path=parts.path or "/", query=query).geturl()


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

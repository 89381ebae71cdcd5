"""A real Synapse as a child process, which can be restarted. Tests nothing itself."""

import hashlib
import hmac
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Final

import aiohttp
from benchmarks.servers import ServerProcess, reserved_port
from tests.matrix import start_synapse
from tests.matrix.start_synapse import SECRET

INSTALLED: Final = find_spec("synapse") is not None
MISSING: Final = "no matrix-synapse: pip install -c constraints.txt -e '.[synapse]'"
_NUMBERS: Final = count(1)


@dataclass(frozen=True)
class Account:
    """Somebody who can log in."""

    user: str
    """Such as @ada1:matrix.example."""
    token: str
    name: str
    """Their display name."""


class Synapse(ServerProcess):
    """One homeserver, which keeps its port and its data when it is started again."""

    listens_on = re.compile(r"Synapse now listening on TCP port (\d+)")

    @property
    def url(self) -> str:
        """Where clients of Matrix connect."""
        return f"http://127.0.0.1:{self.port}"

    async def restart(self, *options: str) -> None:
        """Stop it, and start it with the same data; with these options too, from now on."""
        await self.stop()
        self._options += options
        await self.start()

    async def account(self, name: str) -> Account:
        """A new account with this display name; its id is like no other's."""
        user = f"{''.join(name.lower().split())}{next(_NUMBERS)}"
        url = f"{self.url}/_synapse/admin/v1/register"
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            nonce = (await (await session.get(url)).json())["nonce"]
            fields = (nonce, user, "a password", "notadmin")
            proof = hmac.new(SECRET.encode(), "\0".join(fields).encode(), hashlib.sha1)
            asked = {
                "nonce": nonce,
                "username": user,
                "displayname": name,
                "password": "a password",
                "mac": proof.hexdigest(),
            }
            made = await (await session.post(url, json=asked)).json()
        return Account(made["user_id"], made["access_token"], name)


@contextmanager
def synapse(folder: Path, *, limited: bool = False) -> Iterator[Synapse]:
    """A homeserver with its data in ``folder``; ``limited`` in its rates as in production."""
    command = (sys.executable, "-P", start_synapse.__file__)
    with reserved_port() as port:
        options = ["--limited"] if limited else []
        one = Synapse(folder, *options, port=port, command=command)
        one.launch()
        try:
            yield one
        finally:
            one.end()

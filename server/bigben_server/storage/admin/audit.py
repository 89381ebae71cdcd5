"""The audit log: which commands of ``bigben admin`` have run, and who ran them.

Every method raises StoreLost if Redis fails.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from bigben_protocol import PlayerId
from bigben_server.storage.client import Stored, StoreLost, lost, reading, script
from bigben_server.storage.exchange import NUMBERED_BEFORE, Command

KEPT: Final = 10_000
"""The least number of entries that are kept, the latest."""
_TRIES: Final = 10
_BUSY: Final = "others write the audit log at the same time"
_encode = msgspec.json.Encoder().encode


class AuditEntry(msgspec.Struct, frozen=True):
    at: int
    """ms since 1970."""
    by: str
    """The user and the machine, ``root@race1``."""
    command: str
    arguments: Mapping[str, str]
    outcome: str
    """The sentences that the operator got: what was done, or why it was not."""
    done: bool
    """Whether it succeeded."""


_decoder = msgspec.json.Decoder(AuditEntry)


@dataclass(slots=True, eq=False)
class Audit(Stored):
    async def add(self, entry: AuditEntry) -> None:
        """Write an entry at the end."""
        for _ in range(_TRIES):
            (newest,) = await self.store.ask(("XREVRANGE", self.keys.audit, "+", "-", "COUNT", 1))
            k = 1 + max((number for number, _ in _numbered(newest)), default=0)
            command = ("XADD", self.keys.audit, "MAXLEN", "~", KEPT, f"{k}-0", k, _encode(entry))
            if await self._written(command):
                return
        raise StoreLost(_BUSY)

    async def entries(self) -> list[AuditEntry]:
        """All entries, the oldest first. Raises Damaged."""
        with reading(self.keys.audit):
            return [_decoder.decode(text) for _, text in await self._read()]

    async def rename(self, player: PlayerId, instead: PlayerId) -> None:
        """Put another id in the place of a player's in all entries."""
        for _ in range(_TRIES):
            found = await self._read()
            changed = [(k, text.replace(player.encode(), instead.encode())) for k, text in found]
            if changed == found:
                return
            entries = (_encode((f"{k}-0", f"{k}", text.decode())) for k, text in changed)
            last, _ = found[-1]
            if await self._written(("EVAL", script("rewrite"), 1, self.keys.audit, last, *entries)):
                return
        raise StoreLost(_BUSY)

    async def _read(self) -> list[tuple[int, bytes]]:
        (found,) = await self.store.ask(("XRANGE", self.keys.audit, "-", "+"))
        return _numbered(found)

    async def _written(self, command: Command) -> bool:
        """False if somebody else has written an entry meanwhile."""
        (answer,) = await self.store.ask(command, raise_on_error=False)
        if isinstance(answer, Exception) and NUMBERED_BEFORE not in str(answer):
            raise lost(answer)
        return not (isinstance(answer, Exception) or answer == 0)


def _numbered(found: Sequence[tuple[bytes, Mapping[bytes, bytes]]]) -> list[tuple[int, bytes]]:
    """The number and the text of each entry."""
    return [(int(k), text) for _, fields in found for k, text in fields.items()]

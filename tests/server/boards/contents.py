"""Everything in a Redis, as plain values to compare. Changes nothing."""

from typing import Any

from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store

_READ: dict[str, tuple[str | int, ...]] = {
    "string": ("GET",),
    "hash": ("HGETALL",),
    "list": ("LRANGE", 0, -1),
    "set": ("SMEMBERS",),
    "zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    "stream": ("XRANGE", "-", "+"),
}


async def everything(store: Store) -> dict[str, Any]:
    """All keys with all they hold, but for those that say which processes live, and who settles."""
    passing = {Keys().lease, Keys().living, Keys().readers}
    proofs = Keys().proofs
    found = [key async for key in store.scan("") if not key.startswith(proofs)]
    keys = sorted(key for key in found if key not in passing)
    kinds = await store.ask(*(("TYPE", key) for key in keys))
    commands = [_READ[kind.decode()] for kind in kinds]
    values = await store.ask(*((c[0], key, *c[1:]) for key, c in zip(keys, commands, strict=True)))
    return dict(zip(keys, values, strict=True))


async def made(store: Store) -> dict[str, Any]:
    """What was made of results: boards, ratings, histories."""
    return {
        key: value
        for key, value in (await everything(store)).items()
        if key.startswith(Keys().derived) or key == Keys().settled
    }

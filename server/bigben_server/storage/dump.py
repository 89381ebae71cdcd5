"""What lies under the keys as JSON, part by part, and the commands that write a part again.

A part is an object: a key, and under the kind of its value all of it, or some where it is long.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from bigben_server.storage import keys, maintenance
from bigben_server.storage.client import Command, StoreLost
from bigben_server.storage.leaderboards import chunks
from bigben_server.storage.race_log import Store

_PART: Final = 500
"""The most fields, members or entries in one part."""
_NUMBERED_BEFORE: Final = "The ID specified in XADD"

Part = dict[str, Any]
"""``Any``: each kind of value has a shape of its own, in JSON and as Redis answers."""


async def importing(store: Store) -> str:
    """The digest of the file whose import is under way or was broken off, or nothing.

    Raises StoreLost.
    """
    (digest,) = await store.ask(("GET", keys.IMPORTING))
    return digest.decode() if digest else ""


async def set_importing(store: Store, digest: str) -> None:
    """An import of this file begins; of nothing: it is complete. Raises StoreLost."""
    await store.ask(("SET", keys.IMPORTING, digest) if digest else ("DEL", keys.IMPORTING))


async def parts(store: Store) -> AsyncIterator[Part]:
    """Everything in parts, but for what expires or can be made again. Raises StoreLost."""
    made = (*keys.DERIVED, keys.SETTLED, keys.RANKED, keys.IMPORTING)
    found = sorted([key async for key in store.scan("bb:") if not key.startswith(made)])
    async for key, kind, expires, value in maintenance.values(store, found):
        if kind == "string" and not expires:
            yield {"key": key, kind: _text(value)}
        elif not expires:
            items = _items(kind, value)
            for some in chunks(items, _PART):
                yield {"key": key, kind: some if kind == "stream" else dict(some)}


def commands(part: Part) -> list[Command]:
    """What writes a part; nothing for an empty one.

    Raises ValueError, TypeError or AttributeError for what is no part.
    """
    match part:
        case {"key": str(key), "string": str(value)}:
            return [("SET", key, _bytes(value))]
        case {"key": str(key), "hash": dict(fields)}:
            words = [_bytes(word) for field in fields.items() for word in field]
            return [("HSET", key, *words)] if words else []
        case {"key": str(key), "zset": dict(members)}:
            pairs = [(int(score), _bytes(member)) for member, score in members.items()]
            return [("ZADD", key, *(word for pair in pairs for word in pair))] if pairs else []
        case {"key": str(key), "stream": list(entries)}:
            return [("XADD", key, *map(_bytes, entry)) for entry in entries]
        case _:
            raise ValueError(part)


async def write(store: Store, commands: Sequence[Command]) -> None:
    """Calling it again changes nothing: an entry of a log that is there already is left out.

    Raises StoreLost.
    """
    for answer in await store.ask(*commands, raise_on_error=False):
        if isinstance(answer, Exception) and not str(answer).startswith(_NUMBERED_BEFORE):
            raise StoreLost(str(answer)) from answer


def _items(kind: str, value: Any) -> list[Any]:
    """The fields, members or entries of a value."""
    match kind:
        case "hash":
            return [(_text(field), _text(word)) for field, word in value.items()]
        case "zset":
            # RESP3 pairs members with their scores, and RESP2 does not.
            paired = isinstance(value[0], list | tuple)
            pairs = value if paired else zip(value[::2], value[1::2], strict=True)
            return [(_text(member), int(float(score))) for member, score in pairs]
        case "stream":
            return [
                [_text(number), *(_text(word) for field in fields.items() for word in field)]
                for number, fields in value
            ]
        case _:
            raise AssertionError(f"no key of ours is a {kind}")


def _text(value: bytes) -> str:
    """Bytes as text; those that are no UTF-8, a secret's, survive the way there and back."""
    return value.decode(errors="surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")

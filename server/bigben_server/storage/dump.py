"""What lies under the keys as JSON, part by part, and the commands that write a part again.

A part is an object: a key, and under the kind of its value all of it, or some where it is long.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from bigben_server.storage import board_keys
from bigben_server.storage.leaderboards import chunks
from bigben_server.storage.store import Command, Store, StoreLost

_PART: Final = 500
"""How much of a long value is asked for at once, and is in one part."""
_KEYS_AT_ONCE: Final = 100
_NUMBERED_BEFORE: Final = "The ID specified in XADD"
_IMPORTING: Final = "bb:importing"
"""The digest of the file that is being imported, until all of it is there."""
_START: Final = "0"
"""Where the first part of a value begins; also where the last one ends."""

Part = dict[str, Any]
"""``Any``: each kind of value has a shape of its own, in JSON and as Redis answers."""


async def importing(store: Store) -> str:
    """The digest of the file whose import is under way or was broken off, or nothing.

    Raises StoreLost.
    """
    (digest,) = await store.ask(("GET", _IMPORTING))
    return digest.decode() if digest else ""


async def set_importing(store: Store, digest: str) -> None:
    """An import of this file begins; of nothing: it is complete. Raises StoreLost."""
    await store.ask(("SET", _IMPORTING, digest) if digest else ("DEL", _IMPORTING))


async def parts(store: Store) -> AsyncIterator[Part]:
    """Everything in parts, but for what expires or can be made again. Raises StoreLost."""
    made = (*board_keys.DERIVED, board_keys.SETTLED, board_keys.RANKED, _IMPORTING)
    found = sorted([key async for key in store.keys("bb:") if not key.startswith(made)])
    for some in chunks(found, _KEYS_AT_ONCE):
        about = await store.ask(*((word, key) for key in some for word in ("TYPE", "PTTL")))
        left = [
            (key, kind.decode(), _START)
            for key, kind, expires in zip(some, about[::2], about[1::2], strict=True)
            if expires == -1
        ]
        while left:
            answers = await store.ask(*(_ask(*each) for each in left))
            read = [_read(*each, answer) for each, answer in zip(left, answers, strict=True)]
            for part, _ in read:
                yield part
            left = [
                (key, kind, after)
                for (key, kind, _), (_, after) in zip(left, read, strict=True)
                if after != _START
            ]


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


def _ask(key: str, kind: str, after: str) -> Command:
    """The command that reads the next part of a value."""
    match kind:
        case "string":
            return ("GET", key)
        case "hash":
            return ("HSCAN", key, after, "COUNT", _PART)
        case "zset":
            return ("ZRANGE", key, after, int(after) + _PART - 1, "WITHSCORES")
        case "stream":
            return ("XRANGE", key, f"({after}", "+", "COUNT", _PART)
        case _:
            raise AssertionError(f"{key} is a {kind}, which no key of ours is")


def _read(key: str, kind: str, after: str, answer: Any) -> tuple[Part, str]:
    """A part, and where the next one begins."""
    match kind:
        case "hash":
            cursor, fields = answer
            value = {_text(field): _text(v) for field, v in fields.items()}
            return {"key": key, kind: value}, str(int(cursor))
        case "zset":
            members = {_text(member): int(float(score)) for member, score in _pairs(answer)}
            full = len(members) == _PART
            return {"key": key, kind: members}, str(int(after) + _PART) if full else _START
        case "stream":
            entries = [
                [_text(number), *(_text(w) for field in fields.items() for w in field)]
                for number, fields in answer
            ]
            full = len(entries) == _PART
            return {"key": key, kind: entries}, entries[-1][0] if full else _START
        case _:
            return {"key": key, kind: _text(answer)}, _START


def _text(value: bytes) -> str:
    """Bytes as text; those that are no UTF-8, a secret's, survive the way there and back."""
    return value.decode(errors="surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _pairs(members: Sequence[Any]) -> Sequence[Any]:
    """Members with their scores, as RESP3 pairs them and RESP2 does not."""
    if members and not isinstance(members[0], list | tuple):
        return list(zip(members[::2], members[1::2], strict=True))
    return members

"""Everything in one Redis written to a file, and read into another: any version, embedded or not.

One JSON object a line: a key with its value, or with some of it where it is long. What can be
made again from the rest is left out and made again on reading; what expires is left out for good.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

from bigben_server import redis_board_keys as keys
from bigben_server.rebuilding import rebuild
from bigben_server.redis_boards import chunks
from bigben_server.redis_store import Command, Store, StoreLost

FORMAT: Final = "bigben-export-1"
_ITEMS_A_LINE: Final = 500
_LINES_AT_ONCE: Final = 50
_KEYS_AT_ONCE: Final = 200
_NUMBERED_BEFORE: Final = "The ID specified in XADD"
_IMPORTING: Final = "bb:importing"
"""There until an import is complete, so that one that was broken off can be started again."""
_READ: Final[dict[str, tuple[str | int, ...]]] = {
    "string": ("GET",),
    "hash": ("HGETALL",),
    "zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    "stream": ("XRANGE", "-", "+"),
}


_T = TypeVar("_T")
Json = dict[str, Any]
"""A line. ``Any``: each kind of value has a shape of its own, in JSON and as Redis answers."""


class BadExport(ValueError):
    """The file can't be read, or must not be. Its message is a sentence for the operator."""


async def exported(store: Store) -> AsyncIterator[str]:
    """The lines of an export. Consistent if no server runs meanwhile. Raises StoreLost."""
    yield _json({"format": FORMAT})
    count = 0
    found = [key async for key in store.keys("bb:") if not _is_made(key)]
    for some in chunks(sorted(found), _KEYS_AT_ONCE):
        async for key, kind, value in _values(store, some):
            for line in _lines(key, kind, value):
                count += 1
                yield _json(line)
    yield _json({"lines": count})


async def imported(store: Store, lines: Iterable[str], who: str) -> int:
    """Read an export into an empty Redis, and make the rest again; how many races it has.

    Raises BadExport, and StoreLost.
    """
    numbered = enumerate(lines, start=1)
    _, first = next(numbered, (1, ""))
    if _object(1, first).get("format") != FORMAT:
        raise BadExport(f"This is no export: its first line does not say {FORMAT}.")
    await _check_empty(store)
    await store.ask(("SET", _IMPORTING, 1))
    last: Json = {}
    count = 0
    for some in _groups(numbered, _LINES_AT_ONCE):
        objects = [_object(number, line) for number, line in some]
        if "lines" in objects[-1]:
            last = objects.pop()
        count += len(objects)
        numbers = [number for number, _ in some]
        await _write(store, [c for n, line in zip(numbers, objects, strict=False)
                             for c in _commands(n, line)])  # fmt: skip
    if last.get("lines") != count:
        raise BadExport("The file ends too early. Import it again when it is whole.")
    races = await rebuild(store, who)
    await store.ask(("DEL", _IMPORTING))
    return races


def _is_made(key: str) -> bool:
    """Whether it is made of the rest, or of this import."""
    return key.startswith(keys.DERIVED) or key in (keys.SETTLED, _IMPORTING)


async def _check_empty(store: Store) -> None:
    (again,) = await store.ask(("EXISTS", _IMPORTING))
    if again:
        return
    async for key in store.keys("bb:"):
        text = f"This Redis is in use: it has {key}. An import needs an empty one, and no server "
        raise BadExport(f"{text}that runs on it yet.")


async def _write(store: Store, commands: list[Command]) -> None:
    """Once more is the same as once: an entry of a log that is there already is passed over."""
    for answer in await store.ask(*commands, raise_on_error=False):
        if isinstance(answer, Exception) and not str(answer).startswith(_NUMBERED_BEFORE):
            raise StoreLost(str(answer)) from answer


async def _values(store: Store, found: Sequence[str]) -> AsyncIterator[tuple[str, str, Any]]:
    """Every key with what it is and what it holds; those that expire are left out."""
    asked: list[Command] = [(word, key) for key in found for word in ("TYPE", "PTTL")]
    answers = await store.ask(*asked)
    kinds = [
        (key, kind.decode())
        for key, kind, left in zip(found, answers[::2], answers[1::2], strict=True)
        if left == -1
    ]
    values = await store.ask(*((_READ[kind][0], key, *_READ[kind][1:]) for key, kind in kinds))
    for (key, kind), value in zip(kinds, values, strict=True):
        yield key, kind, value


def _lines(key: str, kind: str, value: Any) -> Iterator[Json]:
    match kind:
        case "string":
            yield {"key": key, "string": _text(value)}
        case "hash":
            for some in chunks(list(value.items()), _ITEMS_A_LINE):
                yield {"key": key, "hash": {_text(field): _text(v) for field, v in some}}
        case "zset":
            for some in chunks(_pairs(value), _ITEMS_A_LINE):
                yield {"key": key, "zset": {_text(m): int(float(score)) for m, score in some}}
        case "stream":
            for some in chunks(value, _ITEMS_A_LINE):
                entries = [
                    [_text(number), *(_text(w) for field in fields.items() for w in field)]
                    for number, fields in some
                ]
                yield {"key": key, "stream": entries}
        case _:
            raise AssertionError(f"{key} is a {kind}, which no key of ours is")


def _commands(number: int, line: Json) -> Iterator[Command]:
    match line:
        case {"key": str(key), "string": str(value)}:
            yield ("SET", key, _bytes(value))
        case {"key": str(key), "hash": dict(fields)}:
            yield ("HSET", key, *(_bytes(word) for item in fields.items() for word in item))
        case {"key": str(key), "zset": dict(members)}:
            pairs = ((int(score), _bytes(member)) for member, score in members.items())
            yield ("ZADD", key, *(word for pair in pairs for word in pair))
        case {"key": str(key), "stream": list(entries)}:
            for entry in entries:
                yield ("XADD", key, *map(_bytes, entry))
        case _:
            raise BadExport(f"Line {number} is not a key and its value; is the file whole?")


def _object(number: int, line: str) -> Json:
    try:
        read = json.loads(line)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise BadExport(f"Line {number} is not a JSON object; is this an export?")
    return read


def _json(line: Json) -> str:
    return json.dumps(line) + "\n"


def _text(value: bytes) -> str:
    """Bytes as text; those that are no UTF-8, a secret's, survive the way there and back."""
    return value.decode(errors="surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _pairs(members: Sequence[Any]) -> list[Any]:
    """Members with their scores, as RESP3 pairs them and RESP2 does not."""
    if members and not isinstance(members[0], list | tuple):
        return list(zip(members[::2], members[1::2], strict=True))
    return list(members)


def _groups(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """The items, ``size`` at a time; not all are held at once."""
    iterator = iter(items)
    while some := list(islice(iterator, size)):
        yield some

"""Everything in one Redis written to a file, and read into another: any version, embedded or not.

One JSON object a line: a key with its value, or with some of it where it is long. What can be
made again from the rest is left out and made again on reading; what expires is left out for good.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any, Final, TypeVar

from bigben_server.ops.progress import Progress, silent
from bigben_server.ops.rebuild import rebuild
from bigben_server.scoring.divisions import Ranked
from bigben_server.storage import board_keys as keys
from bigben_server.storage.leaderboards import chunks
from bigben_server.storage.store import Command, Store, StoreLost

FORMAT: Final = "bigben-export-1"
_PART: Final = 500
"""How much of a long value is asked for at once, and stands on one line."""
_LINES_AT_ONCE: Final = 50
_KEYS_AT_ONCE: Final = 100
_NUMBERED_BEFORE: Final = "The ID specified in XADD"
_IMPORTING: Final = "bb:importing"
"""Which file is being imported, until all of it is there: one broken off is started again."""
_START: Final = "0"
"""Where the first part of a value begins; also where the last one ends."""


_T = TypeVar("_T")
Json = dict[str, Any]
"""A line. ``Any``: each kind of value has a shape of its own, in JSON and as Redis answers."""


class BadExport(ValueError):
    """The file can't be read, or must not be. Its message is a sentence for the operator."""


async def exported(store: Store) -> AsyncIterator[str]:
    """The lines of an export. Consistent if no server runs meanwhile. Raises StoreLost."""
    digest, count = sha256(), 0
    async for read in _all(store):
        line = _json(read)
        digest.update(line.encode())
        count += 1
        yield line
    yield _json({"lines": count, "sha256": digest.hexdigest()})


async def imported(
    store: Store,
    lines: Iterable[str],
    who: str,
    progress: Progress = silent,
    *,
    ranked: Ranked = "all",
) -> int:
    """Read an export into an empty Redis, and make the rest again; how many races it has.

    ``lines`` are gone through twice: nothing is written before all of them are found to be whole.
    Raises BadExport, and StoreLost.
    """
    digest, count = _check(lines)
    await _check_empty(store, digest)
    await store.ask(("SET", _IMPORTING, digest))
    read = (_object(number, line) for number, line in enumerate(lines, start=1))
    for group, some in enumerate(_groups(read, _LINES_AT_ONCE)):
        progress("Import", group * _LINES_AT_ONCE, count)
        commands = [c for line in some if "key" in line for c in _commands(line)]
        await _write(store, commands)
    races = await rebuild(store, who, progress, ranked=ranked)
    await store.ask(("DEL", _IMPORTING))
    return races


async def is_importing(store: Store) -> bool:
    """Whether an import is under way, or was broken off. Raises StoreLost."""
    (there,) = await store.ask(("EXISTS", _IMPORTING))
    return bool(there)


def _is_made(key: str) -> bool:
    """Whether it is made of the rest, or of this import."""
    return key.startswith(keys.DERIVED) or key in (keys.SETTLED, keys.RANKED, _IMPORTING)


def _check(lines: Iterable[str]) -> tuple[str, int]:
    """The digest and the number of all lines but the last. Raises BadExport for what is none."""
    digest, count, end = sha256(), 0, Json()
    for number, line in enumerate(lines, start=1):
        read = _object(number, line)
        if number == 1 and read.get("format") != FORMAT:
            raise BadExport(f"This is no export: its first line does not say {FORMAT}.")
        if end:
            raise BadExport(f"Line {number} comes after the end; is this one export?")
        if "lines" in read:
            end = read
            continue
        if number > 1:
            _check_line(number, read)
        digest.update(line.encode())
        count += 1
    if not count:
        raise BadExport("This is no export: it is empty.")
    if end.get("lines") != count:
        raise BadExport("The file ends too early. Import it again when it is whole.")
    if end.get("sha256") != digest.hexdigest():
        raise BadExport("The file is not what was exported: something in it has changed.")
    return digest.hexdigest(), count


def _check_line(number: int, line: Json) -> None:
    try:
        for _ in _commands(line):
            pass
    except (ValueError, TypeError, AttributeError):
        text = f"Line {number} is not a key and its value; is the file whole?"
        raise BadExport(text) from None


async def _check_empty(store: Store, digest: str) -> None:
    (begun,) = await store.ask(("GET", _IMPORTING))
    if begun is None:
        async for key in store.keys("bb:"):
            text = f"This Redis is in use: it has {key}. An import needs an empty one, and no "
            raise BadExport(f"{text}server that runs on it yet.")
    elif begun.decode() != digest:
        text = "The import of another file was broken off here. Start it again with that file, or "
        raise BadExport(f"{text}empty this Redis.")


async def _write(store: Store, commands: list[Command]) -> None:
    """Once more is the same as once: an entry of a log that is there already is passed over."""
    for answer in await store.ask(*commands, raise_on_error=False):
        if isinstance(answer, Exception) and not str(answer).startswith(_NUMBERED_BEFORE):
            raise StoreLost(str(answer)) from answer


async def _all(store: Store) -> AsyncIterator[Json]:
    """All that is to be exported, line by line. What expires is left out."""
    yield {"format": FORMAT}
    found = [key async for key in store.keys("bb:") if not _is_made(key)]
    for some in chunks(sorted(found), _KEYS_AT_ONCE):
        asked: list[Command] = [(word, key) for key in some for word in ("TYPE", "PTTL")]
        answers = await store.ask(*asked)
        parts = [
            (key, kind.decode(), _START)
            for key, kind, left in zip(some, answers[::2], answers[1::2], strict=True)
            if left == -1
        ]
        while parts:
            answers = await store.ask(*(_ask(*part) for part in parts))
            read = [_read(*part, answer) for part, answer in zip(parts, answers, strict=True)]
            for line, _ in read:
                yield line
            parts = [
                (key, kind, after)
                for (key, kind, _), (_, after) in zip(parts, read, strict=True)
                if after != _START
            ]


def _ask(key: str, kind: str, after: str) -> Command:
    """The question for the next part of a value."""
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


def _read(key: str, kind: str, after: str, answer: Any) -> tuple[Json, str]:
    """A part as a line, and where the next one begins."""
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


def _commands(line: Json) -> Iterator[Command]:
    """What writes a line; nothing for one whose part came out empty. Raises ValueError."""
    match line:
        case {"key": str(key), "string": str(value)}:
            yield ("SET", key, _bytes(value))
        case {"key": str(key), "hash": dict(fields)}:
            if fields:
                yield ("HSET", key, *(_bytes(word) for item in fields.items() for word in item))
        case {"key": str(key), "zset": dict(members)}:
            pairs = ((int(score), _bytes(member)) for member, score in members.items())
            if members:
                yield ("ZADD", key, *(word for pair in pairs for word in pair))
        case {"key": str(key), "stream": list(entries)}:
            for entry in entries:
                yield ("XADD", key, *map(_bytes, entry))
        case _:
            raise ValueError(line)


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

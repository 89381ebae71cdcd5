"""Reads values of any kind as lines of JSON parts, and writes them again from such parts.

A part is an object with a key and, under the kind of its value, the value or a piece of a long one.
Its key has the usual prefix, whatever the store's own is.
Every function that asks the store raises StoreLost.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from bigben_protocol import RaceId
from bigben_server.storage.client import Damaged, chunks, lost, reading
from bigben_server.storage.entries import as_sent
from bigben_server.storage.exchange import NUMBERED_BEFORE, Command, Raw
from bigben_server.storage.keys import Keys, is_log, is_packed, is_unpacking, part_of, race_of
from bigben_server.storage.log_reading import packed_in
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.work import AGE_MS
from bigben_server.storage.race_log import Store
from bigben_server.tasks import ahead

_USUAL: Final = Keys()
_PART: Final = 500
"""The most fields, members or entries in one part."""
_AT_ONCE: Final = 50
"""Keys in one round trip."""
_AHEAD: Final = 2
"""Round trips that are under way while an answer is used."""
_WHOLE: Final[dict[str, tuple[str | int, ...]]] = {
    "stream": ("XRANGE", "-", "+"),
    "string": ("GET",),
    "hash": ("HGETALL",),
    "list": ("LRANGE", 0, -1),
    "set": ("SMEMBERS",),
    "zset": ("ZRANGE", 0, -1, "WITHSCORES"),
}
"""The command that reads a value, by its kind; the key goes after the first word."""

_UNESCAPED: Final = bytes(set(range(32, 127)) - {*b"\\"})
"""What JSON writes as it is; quotes are counted."""
_encode: Final = msgspec.json.Encoder().encode

Part = dict[str, Any]
"""``Any``: each kind of value has its own shape, in JSON and in the answers of Redis."""


Value = tuple[str, str, bool, Any]
"""A key, its kind, whether it expires, and its value in Redis; nothing if it is not there."""


async def values(store: Store, found: Sequence[str]) -> AsyncIterator[Value]:
    """Each of these keys that exists. Instead of a packed race there are its logs.

    A race may be packed or unpacked after its keys were found.
    """
    # Redis answers the next question while this process works on the last answer.
    async for some in ahead((_read(store, some) for some in chunks(found, _AT_ONCE)), _AHEAD):
        for one in some:
            key, *_, value = one
            if is_packed(key):
                async for log in _logs(store, one):
                    yield log
            elif value:
                yield one
            elif is_log(key):
                (packed,) = await _read(store, [store.keys.packed(race_of(key))])
                async for log in _logs(store, packed, anew=False):
                    if log[0] == key:
                        yield log


async def _logs(store: Store, packed: Value, *, anew: bool = True) -> AsyncIterator[Value]:
    """The logs of a packed race, or its value if it is damaged. ``anew``: look for logs instead."""
    key, _, expires, value = packed
    race = race_of(key)
    if not value:
        there = sorted(filter(is_log, await _keys_of(store, race))) if anew else []
        async for one in values(store, there):
            yield one
        return
    try:
        with reading(key):
            logs = packed_in(store.keys, race, value).logs()
    except Damaged:
        yield packed
        return
    for name, log in sorted((store.keys.log(race, player), log) for player, log in logs.items()):
        yield name, "stream", expires, log


async def _read(store: Store, keys: Sequence[str]) -> list[Value]:
    """The same, in one round trip if all keys hold what their names say."""
    kinds = {key: _kind_of(key) for key in keys}
    words = (((("PTTL", key), _whole(key, kind))) for key, kind in kinds.items())
    answers = await store.ask_each(*(command for pair in words for command in pair))
    found: list[Value] = []
    for (key, kind), left, value in zip(kinds.items(), answers[::2], answers[1::2], strict=True):
        if kind not in _WHOLE or isinstance(value, Damaged):
            (told,) = await store.ask(("TYPE", key))
            if (kind := told.decode()) not in _WHOLE:  # it was deleted meanwhile
                continue
            (value,) = await store.ask(_whole(key, kind))
        found.append((key, kind, left != -1, value))
    return found


def _kind_of(key: str) -> str:
    """The kind of value that a key of this name has; empty for those of which there are few."""
    if is_log(key):
        return "stream"
    if is_packed(key):
        return "string"
    if part_of(key) == "results" or ":player:" in key:
        return "hash"
    return "zset" if ":open:" in key else ""


def _whole(key: str, kind: str) -> Command:
    """The command that reads a value of this kind."""
    return Raw((_WHOLE[kind][0], key, *_WHOLE[kind][1:])) if kind else ("EXISTS", key)


async def importing(store: Store) -> str:
    """The digest of the file whose import is under way or was interrupted, or empty."""
    (digest,) = await store.ask(("GET", store.keys.importing))
    return digest.decode() if digest else ""


async def set_importing(store: Store, digest: str) -> None:
    """Note that an import of this file begins; an empty digest ends it."""
    key = store.keys.importing
    await store.ask(("SET", key, digest) if digest else ("DEL", key))


async def keys_there(store: Store) -> AsyncIterator[str]:
    """All keys of this project, without those that only prove that Redis keeps writes."""
    async for key in store.scan(store.keys.all):
        if not key.startswith(store.keys.proofs):
            yield key


async def copy_race(store: Store, race: RaceId, to: RaceId, now: int) -> None:
    """Copy all keys of a race, the log of its room last. Idempotent."""
    await Swaps(store).unpack(to, now + AGE_MS)  # perhaps copied some time ago
    for key in await _keys_of(store, race):
        if is_unpacking(key):
            continue
        async for name, kind, _, value in values(store, [key]):
            new = name.replace(f"{{{race}}}", f"{{{to}}}", 1)
            await write(store, _cut(store.keys.exported(new), kind, value))


async def delete_race(store: Store, race: RaceId) -> None:
    """Delete all keys of a race, the log of its room last."""
    for key in await _keys_of(store, race):
        await store.ask(("UNLINK", key))


async def _keys_of(store: Store, race: RaceId) -> list[str]:
    """All keys of a race, the log of its room last: without it, nobody would look for the rest."""
    found = [key async for key in store.scan(f"{store.keys.races}{race}}}:")]
    return sorted(found, key=lambda key: (key == store.keys.room_log(race), key))


def _cut(name: str, kind: str, value: Any) -> Iterator[Part]:
    for some in chunks(_items(kind, value), _PART):
        yield {"key": name, kind: some if kind == "stream" else dict(some)}


async def keys_to_export(store: Store) -> list[str]:
    """All keys except those of derived data, in order."""
    keys = store.keys
    made = (
        *keys.derived,
        keys.settled,
        keys.ranked,
        keys.importing,
        keys.packed_upto,
        keys.to_pack,
    )
    there = [key async for key in keys_there(store)]
    found = [key for key in there if not (key.startswith(made) or is_unpacking(key))]
    found += await missed(store, found)
    packed = {race_of(key) for key in found if is_packed(key)}
    # Those of a race that was packed meanwhile, which its value has.
    found = [key for key in found if not (is_log(key) and race_of(key) in packed)]
    # The logs of a race are at the same place, packed or not.
    return sorted(
        found, key=lambda key: store.keys.room_log(race_of(key)) if is_packed(key) else key
    )


async def packed_races(store: Store) -> list[RaceId]:
    """All packed races, in order."""
    found = [key async for key in store.scan(store.keys.races)]
    return sorted(race_of(key) for key in found if is_packed(key))


async def sizes(store: Store, found: Sequence[str]) -> list[int]:
    """How many bytes each packed race among these keys has; 0 of all other keys."""
    packed = [key for key in found if is_packed(key)]
    known: dict[str, int] = {}
    for some in chunks(packed, 1_000):
        lengths = await store.ask_each(*(("STRLEN", key) for key in some))
        known |= {k: n for k, n in zip(some, lengths, strict=True) if isinstance(n, int)}
    return [known.get(key, 0) for key in found]


async def missed(store: Store, found: Sequence[str], *, listed: Iterable[RaceId] = ()) -> list[str]:
    """The packed value of each race that was packed or unpacked during a scan that found neither.

    It may be unpacked. ``listed`` are races without results that were to be packed before.
    """
    there = {race_of(key) for key in found if part_of(key) in ("packed", "room")}
    recorded = (race_of(key) for key in found if part_of(key) == "results")
    doubted = [race for race in dict.fromkeys([*recorded, *listed]) if race not in there]
    missed: list[str] = []
    for some in chunks(doubted, 1_000):
        logs = ((store.keys.packed(race), store.keys.room_log(race)) for race in some)
        exist = await store.ask(*(("EXISTS", *pair) for pair in logs))
        missed += (store.keys.packed(race) for race, one in zip(some, exist, strict=True) if one)
    return missed


async def lines(store: Store, found: Sequence[str]) -> AsyncIterator[str]:
    """A line for each part of the values of these keys, except of those that expire."""
    async for key, kind, expires, value in values(store, found):
        name = store.keys.exported(key)
        if expires:
            continue
        if kind == "string":
            yield _line({"key": name, kind: _text(value)})
        elif kind == "stream" and len(value) <= _PART and (plain := _plain(value)):
            yield f'{{"key":{_encode(name).decode()},"stream":{plain}}}\n'
        else:
            for part in _cut(name, kind, value):
                yield _line(part)


def version_in(part: Part) -> int:
    """The version of the data that a part tells; 0 for any other part. Raises ValueError."""
    return int(part["string"]) if part.get("key") == _USUAL.schema else 0


def commands(part: Part, keys: Keys = _USUAL) -> list[Command]:
    """The commands that write a part under ``keys``; none for an empty one.

    Raises ValueError, TypeError or AttributeError if this is not a part.
    """
    match part:
        case {"key": str(key), "string": str(value)}:
            return [("SET", keys.within(key), _bytes(value))]
        case {"key": str(key), "hash": dict(fields)}:
            words = [_bytes(word) for field in fields.items() for word in field]
            return [("HSET", keys.within(key), *words)] if words else []
        case {"key": str(key), "zset": dict(members)}:
            pairs = [(int(score), _bytes(member)) for member, score in members.items()]
            to = keys.within(key)
            return [("ZADD", to, *(word for pair in pairs for word in pair))] if pairs else []
        case {"key": str(key), "stream": list(entries)}:
            return [("XADD", keys.within(key), *map(_bytes, entry)) for entry in entries]
        case _:
            raise ValueError(part)


async def write(store: Store, parts: Iterable[Part]) -> None:
    """Write parts. Idempotent: entries that a log already has are skipped."""
    written = (command for part in parts for command in commands(part, store.keys))
    for answer in await store.ask(*written, raise_on_error=False):
        if isinstance(answer, Exception) and not str(answer).startswith(NUMBERED_BEFORE):
            raise lost(answer) from answer


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
            value = as_sent(value)
            try:
                return [[number.decode(), *map(bytes.decode, fields)] for number, fields in value]
            except UnicodeDecodeError:
                return [[number.decode(), *map(_text, fields)] for number, fields in value]
        case _:
            raise AssertionError(f"no key of ours is a {kind}")


def _plain(entries: Any) -> str:
    """What ``_items`` gives for a stream, in JSON; empty if a word has to be escaped.

    Nearly all that is exported are logs of seats, and no word of theirs has to. So their words are
    joined, and not decoded one by one.
    """
    if isinstance(entries[0][1], dict):
        return ""
    joined = b'"],["'.join([b'","'.join((number, *words)) for number, words in entries])
    quotes = 2 * (sum([len(words) for _, words in entries]) + len(entries) - 1)
    if joined.count(b'"') != quotes or joined.translate(None, _UNESCAPED):
        return ""
    return f'[["{joined.decode()}"]]'


def _line(part: Part) -> str:
    try:
        return _encode(part).decode() + "\n"
    except UnicodeEncodeError:  # bytes that are not UTF-8, such as a secret
        return json.dumps(part) + "\n"


def _text(value: bytes) -> str:
    """Bytes as text. Bytes that are not UTF-8, such as a secret, survive the round trip."""
    return value.decode(errors="surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")

"""Frames of confused or hostile peers, reproducible from a seed.

A frame starts as a valid message with every field. Then some fields get values of other types or
out of range, and then some bytes are damaged.
"""

import json
import random
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, get_args

import msgspec
from msgspec import inspect

from bigben_protocol import ClientMessage, Codec, ServerMessage

Fields = dict[str, Any]
"""A message before it is written; ``Any`` because hostile fields may hold anything."""

CLIENT: Final[tuple[type, ...]] = get_args(ClientMessage)
SERVER: Final[tuple[type, ...]] = get_args(ServerMessage)

ODD_TEXTS: Final = (
    "",
    "\0",
    "a\r\n\t\x1b[31mred",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe",
    "\N{BYTE ORDER MARK}x",
    "\N{LINE SEPARATOR}",
    "Zalgo" + "\N{COMBINING GRAVE ACCENT}" * 40,
    "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 100,
    "\N{FAMILY}" * 50,
    "\ufffe\uffff\U0010ffff\ue000",
    "<script>alert(1)</script>",
    "'; DROP TABLE players; --",
    "{race}}:{",
    "* \r\nFLUSHALL\r\n",
    "../../../etc/passwd",
    "%s%n{0}{self}",
    "daily.9999-99-99.bigben.standard",
    "daily.0001-01-01.bigben.open",
    "daily...",
    "daily.day",
    "guest:00",
    "x" * 10_000,
    "eyJhbGciOiJub25lIn0.eyJpc3MiOiJndWVzdCJ9.",
    f"{'W1tb' * 600}.{'W1tb' * 8}.",
)
ODD_NUMBERS: Final[tuple[int | float, ...]] = (
    -1,
    0,
    1,
    2**31,
    2**31 + 1,
    2**53,
    2**53 + 1,
    2**63,
    2**64 - 1,
    -(2**63),
    0.5,
    1.0,
    float("nan"),
    float("inf"),
    -0.0,
    5e-324,
)


def message(rng: random.Random, kinds: tuple[type, ...], *, oddity: float) -> Fields:
    """A message of one of these kinds; each field is odd with this probability."""
    info = _described(rng.choice(kinds))
    fields: Fields = {"type": info.tag}
    for field in info.fields:
        if rng.random() < oddity:
            if rng.random() < 0.8:
                fields[field.encode_name] = odd(rng)
        elif field.required or rng.random() < 0.5:
            fields[field.encode_name] = sane(rng, field.type)
    if rng.random() < oddity / 4:
        fields[rng.choice(("extra", "", "Type", "\0", "x" * 300))] = odd(rng)
    return fields


@cache
def _described(kind: type) -> inspect.StructType:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info


def sane(rng: random.Random, kind: inspect.Type) -> Any:
    """A value that a field of this type may have."""
    match kind:
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType(ge=ge, le=le):
            most = le if le is not None else 2**40
            return rng.choice((ge or 0, most, min(most, max(ge or 0, rng.randint(1, 30)))))
        case inspect.StrType(pattern=str(pattern)):
            patterned = ("", "0123456789abcdef" * 4, "fri 18:00")
            return rng.choice([text for text in patterned if re.search(pattern, text)])
        case inspect.StrType(max_length=most):
            return rng.choice(("daily", "bigben", "standard", "w 5", "Ada", "K7QPXM"))[:most]
        case inspect.LiteralType(values=values):
            return rng.choice(values)
        case inspect.VarTupleType(item_type=item):
            return [sane(rng, item) for _ in range(rng.randint(0, 3))]
        case inspect.TupleType(item_types=items):
            return [sane(rng, item) for item in items]
        case inspect.DictType(value_type=value):
            return {name: sane(rng, value) for name in ("s", "w", "3")}
        case inspect.UnionType(types=types):
            return sane(rng, rng.choice(types))
        case inspect.StructType(array_like=True, fields=fields):
            return [sane(rng, field.type) for field in fields]
        case inspect.StructType(fields=fields, tag=tag, tag_field=str(tag_field)):
            return {tag_field: tag, **{f.encode_name: sane(rng, f.type) for f in fields}}
        case inspect.StructType(fields=fields):
            return {field.encode_name: sane(rng, field.type) for field in fields}
        case _:
            return None


def odd(rng: random.Random, depth: int = 3) -> Any:
    """Any value that JSON or MessagePack can represent, or almost can."""
    match rng.randrange(8 if depth else 6):
        case 0 | 1:
            return rng.choice(ODD_TEXTS)
        case 2 | 3:
            return rng.choice(ODD_NUMBERS)
        case 4:
            return rng.choice((None, True, False))
        case 5:
            return "".join(chr(rng.randrange(0x300)) for _ in range(rng.randrange(80)))
        case 6:
            return [odd(rng, depth - 1) for _ in range(rng.randrange(4))]
        case _:
            return {str(odd(rng, 0))[:20]: odd(rng, depth - 1) for _ in range(rng.randrange(4))}


def written(codec: Codec, fields: Mapping[str, Any], rng: random.Random) -> bytes:
    """The fields as this codec's bytes; sometimes as JSON that few encoders would write."""
    if not codec.text:
        return msgspec.msgpack.encode(fields)
    return json.dumps(fields, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1))).encode(
        errors="surrogatepass"
    )


def damaged(encoded: bytes, rng: random.Random) -> bytes:
    """The same bytes with one thing wrong."""
    return rng.choice(_DAMAGE)(encoded, rng)


def as_frame(codec: Codec, encoded: bytes) -> bytes | str:
    """The bytes as a frame of this codec; what is not UTF-8 is lone surrogates in text."""
    return encoded.decode(errors="surrogateescape") if codec.text else encoded


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flip(data: bytes, rng: random.Random) -> bytes:
    flipped = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at:]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    """Repeat a part: a field, or a whole message."""
    begin = rng.randrange(len(data))
    end = rng.randint(begin, len(data))
    return data[:end] + data[begin:end] + data[end:]


def _swap(data: bytes, rng: random.Random) -> bytes:
    """Replace a word: by a literal that JSON lacks, an endless number, or an escape."""
    words = (b"NaN", b"-Infinity", b"1e999", b"0x10", b"01", b"'", b"null", b"9" * 400)
    more = (b"\\ud800", b"\\u0000", b"\\x", b"\xff\xfe", b"\xed\xa0\x80", b"\xc1", b"//")
    at = rng.randrange(len(data))
    return data[:at] + rng.choice(words + more) + data[at + rng.randrange(4) :]


def _nest(data: bytes, rng: random.Random) -> bytes:
    """Nest deep lists, or an unknown field, in JSON or MessagePack, closed or not."""
    opening, closing = rng.choice(
        ((b"[", b"]"), (b'{"x":', b"}"), (b"\x91", b""), (b"\x81\xa1x", b""))
    )
    depth = rng.choice((1, 10, 500, 5_000))
    return opening * depth + data + closing * depth


def _promise(data: bytes, rng: random.Random) -> bytes:
    """A MessagePack header that announces gigabytes, or an unknown type."""
    headers = (b"\xdd", b"\xdf", b"\xdb", b"\xc6", b"\xc9")
    at = rng.randrange(len(data))
    return data[:at] + rng.choice(headers) + b"\xff\xff\xff\xff" + data[at:]


def _noise(data: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.randint(0, len(data)))


_DAMAGE: Final[tuple[Callable[[bytes, random.Random], bytes], ...]] = (
    _cut,
    _flip,
    _insert,
    _repeat,
    _swap,
    _nest,
    _promise,
    _noise,
)

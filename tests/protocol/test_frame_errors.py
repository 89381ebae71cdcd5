"""A broken peer gets a reason that names the field and fits a close frame."""

import sys
from collections.abc import Iterator
from contextlib import suppress

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import inspect
from tests.protocol.built import CLIENT_MESSAGES, struct_type, written

from bigben_protocol import CODECS, JSON, MSGPACK, Codec, FrameError

BOTH = pytest.mark.parametrize("codec", [*CODECS.values()], ids=[*CODECS])
TEXT, BINARY = CODECS[JSON], CODECS[MSGPACK]

CLOSE_REASON_BYTES = 123
"""RFC 6455: a close frame carries 125 bytes, two of them the code."""


def problem(codec: Codec, frame: bytes | str) -> str:
    """The reason with which a server closes the connection after this frame."""
    with pytest.raises(FrameError) as caught:
        codec.decode_client(frame)
    text = str(caught.value)
    assert 0 < len(text.encode()) <= CLOSE_REASON_BYTES
    assert text.isprintable()
    return text


def outside(kind: inspect.Type) -> Iterator[object]:
    """Values just beyond what a field of this type allows."""
    match kind:
        case inspect.StrType(pattern=pattern, max_length=longest):
            yield 5
            if longest is not None:
                yield "é" * (longest + 1)
            if pattern is not None:
                yield from ("0" * 63, "0" * 65, "F" * 64, "0" * 64 + "\n", "g" * 64)
        case inspect.IntType(ge=least, le=most):
            yield from (1.5, True, "1", None)
            if least is not None:
                yield least - 1
            if most is not None:
                yield from (most + 1, 2**64 - 1)
        case inspect.BoolType():
            yield from (0, "no", None)
        case inspect.VarTupleType(max_length=longest):
            yield from ("K7QPXM", None)
            if longest is not None:
                yield ["K7QPXM"] * (longest + 1)
        case inspect.LiteralType():
            yield from (0, "no", None)
        case inspect.StructType() | inspect.UnionType():
            yield from (0, "no", None, {})
        case _:
            raise AssertionError(f"no client sends a {kind} so far; say what is not one")


EVERY_FIELD = [
    pytest.param(kind, field, id=f"{kind.tag}.{field.name}")
    for kind in map(struct_type, CLIENT_MESSAGES)
    for field in kind.fields
]


def _any(kind: inspect.Type) -> object:
    """A value that a field of this type allows."""
    match kind:
        case inspect.IntType():
            return 1
        case inspect.BoolType():
            return True
        case inspect.StrType(pattern=pattern) if pattern is not None:
            return "0" * 64
        case inspect.StructType():
            return least(kind)
        case inspect.UnionType(types=(first, *_)):
            return _any(first)
        case _:
            return "K7QPXM"


def least(kind: inspect.StructType) -> dict[str, object]:
    """A message, or a part of one, with only its required fields."""
    fields = {field.name: _any(field.type) for field in kind.fields if field.required}
    return {"type": kind.tag, **fields} if kind.tag else fields


@BOTH
@pytest.mark.parametrize(("kind", "field"), EVERY_FIELD)
def test_a_value_that_a_field_does_not_allow_is_named_by_its_field(
    codec: Codec, kind: inspect.StructType, field: inspect.Field
) -> None:
    codec.decode_client(written(codec, least(kind)))
    for value in outside(field.type):
        text = problem(codec, written(codec, least(kind) | {field.name: value}))
        assert text.endswith(f"`$.{field.name}`"), value


@BOTH
@pytest.mark.parametrize("kind", [*map(struct_type, CLIENT_MESSAGES)], ids=lambda kind: kind.tag)
def test_a_field_that_is_missing_is_named(codec: Codec, kind: inspect.StructType) -> None:
    for field in kind.fields:
        if field.required:
            fields = least(kind)
            del fields[field.name]
            assert f"`{field.name}`" in problem(codec, written(codec, fields))


@BOTH
def test_a_frame_without_a_known_type_is_refused(codec: Codec) -> None:
    assert "`type`" in problem(codec, written(codec, {"name": "Ada"}))
    assert "`$.type`" in problem(codec, written(codec, {"type": "helo"}))
    assert "`$.type`" in problem(codec, written(codec, {"type": 7}))


def test_each_format_has_its_own_kind_of_frame() -> None:
    assert problem(TEXT, b'{"type":"hello"}') == "bigben.v1.json frames are text"
    assert problem(BINARY, '{"type":"hello"}') == "bigben.v1.msgpack frames are binary"


@pytest.mark.parametrize("cut", range(16))
def test_half_a_message_is_refused(cut: int) -> None:
    text, binary = b'{"type":"hello"}', msgspec.msgpack.encode({"type": "hello"})
    problem(TEXT, text[:cut].decode())
    if cut < len(binary):
        problem(BINARY, binary[:cut])


def test_two_messages_in_one_frame_are_refused() -> None:
    problem(TEXT, '{"type":"hello"}{"type":"hello"}')
    problem(BINARY, 2 * msgspec.msgpack.encode({"type": "hello"}))


@pytest.mark.parametrize("depth", [2_000, 16_000])
def test_deep_nesting_is_refused_without_harm(depth: int) -> None:
    """No nesting that fits into the largest frame, 16 KiB, may exhaust the stack."""
    problem(TEXT, "[" * depth)
    problem(BINARY, b"\x91" * depth)
    hello = msgspec.msgpack.encode({"type": "hello", "later": 0})[:-1]
    for codec, frame in (
        (TEXT, '{"type":"hello","later":' + "[" * depth + "]" * depth + "}"),
        (TEXT, '{"type":"hello","later":' + '{"a":' * depth + "1" + "}" * depth + "}"),
        (BINARY, hello + b"\x91" * depth + b"\xc0"),
    ):
        # From Python 3.14 on the bytes of the stack count and not the levels, so that such an
        # unknown field can be skipped like any other.
        with suppress(FrameError) if sys.version_info >= (3, 14) else pytest.raises(FrameError):
            codec.decode_client(frame)


@pytest.mark.parametrize("digits", [19, 20, 40, 400, 5_000])
def test_no_number_is_too_big_to_be_refused(digits: int) -> None:
    assert "`$.sent`" in problem(TEXT, '{"type":"ping","sent":1' + "0" * digits + "}")
    assert "`$.sent`" in problem(TEXT, '{"type":"ping","sent":1e' + str(digits) + "}")


def test_text_that_is_not_utf_8_is_refused() -> None:
    problem(BINARY, b"\x82\xa4type\xa5hello\xa4name\xa2\xc3\x28")
    problem(TEXT, '{"type":"hello","name":"\ud800"}')
    problem(TEXT, '{"type":"hello","name":"\\ud800"}')


@given(name=st.text(min_size=1, max_size=500))
@example("é" * 500)
@example("🏁" * 500)
@example('"\n\x00' * 60)
def test_the_reason_fits_a_close_frame_whatever_the_peer_sent(name: str) -> None:
    for codec in CODECS.values():
        assert problem(codec, written(codec, {"type": f"no {name}"})).endswith("`$.type`")


@given(noise=st.binary(max_size=200))
def test_noise_is_a_message_or_a_frame_error(noise: bytes) -> None:
    for codec, frame in ((BINARY, noise), (TEXT, noise.decode("latin-1"))):
        with suppress(FrameError):
            codec.decode_client(frame)
        with suppress(FrameError):
            codec.decode_server(frame)

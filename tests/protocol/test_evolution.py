"""Old and new clients and servers understand each other: what may change without a new version."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect
from tests.protocol.built import CLIENT_MESSAGES, MESSAGES, as_frame, messages, struct_type, written
from tests.support.torture import examples

from bigben_protocol import CODECS, Codec, Diff, Hello, RaceId, Standing, Step

Kind = type[msgspec.Struct]
BOTH = pytest.mark.parametrize("codec", [*CODECS.values()], ids=[*CODECS])
EVERY_KIND = pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)


def decoded(codec: Codec, kind: Kind, frame: bytes | str) -> Any:
    """The message as its receiver decodes it."""
    decode = codec.decode_client if kind in CLIENT_MESSAGES else codec.decode_server
    return decode(frame)


@EVERY_KIND
@examples(3)
@given(data=st.data())
def test_an_unknown_field_is_ignored(kind: Kind, data: st.DataObject) -> None:
    message = data.draw(messages(kind))
    fields = msgspec.to_builtins(message) | {"since-version-2": [{"deep": [1, None, "é"]}]}
    for codec in CODECS.values():
        assert decoded(codec, kind, written(codec, fields)) == message


@EVERY_KIND
@examples(3)
@given(data=st.data())
def test_a_field_that_an_older_peer_does_not_send_has_its_default(
    kind: Kind, data: st.DataObject
) -> None:
    message = data.draw(messages(kind))
    known = struct_type(kind)
    required = {field.name for field in known.fields if field.required}
    fields = {
        name: value
        for name, value in msgspec.to_builtins(message).items()
        if name in required or name == known.tag_field
    }
    least = kind(**{name: getattr(message, name) for name in required})
    for codec in CODECS.values():
        assert decoded(codec, kind, written(codec, fields)) == least


@BOTH
def test_a_nested_value_may_get_new_fields_too(codec: Codec) -> None:
    standing = {"player": "guest:1", "name": "Ada", "state": "won", "flag": "🏁"}
    fields = {"type": "progress", "race": "K7QPXM", "seats": [standing]}
    progress = decoded(codec, Standing, written(codec, fields))
    assert [seat.name for seat in progress.seats] == ["Ada"]


@BOTH
def test_a_step_may_grow_at_its_end_although_it_is_a_list(codec: Codec) -> None:
    diff = Diff(RaceId("K"), 1, "turn", (Step("s", "w", "7H"),), "playing", 12, 5, (), 0)
    fields = msgspec.to_builtins(diff)
    fields["steps"][0].append("face up")
    assert decoded(codec, Diff, written(codec, fields)) == diff


@BOTH
def test_a_new_last_field_reaches_those_who_know_it(codec: Codec) -> None:
    class Hello2(Hello, frozen=True, tag="hello", omit_defaults=True):
        theme: str = "dark"

    old = decoded(codec, Hello, as_frame(codec, codec.encode(Hello2("Ada", theme="light"))))
    assert old == Hello("Ada")
    decode = msgspec.json.decode if codec.text else msgspec.msgpack.decode
    assert decode(codec.encode(Hello("Ada")), type=Hello2) == Hello2("Ada", theme="dark")


def test_fields_with_defaults_come_after_all_required_fields() -> None:
    """Python checks this within a class; on the wire it matters because a list has no names."""
    kinds = [struct_type(kind) for kind in MESSAGES]
    nested = {inner.cls: inner for kind in kinds for field in kind.fields for inner in _in(field)}
    for kind in (*kinds, *nested.values()):
        required = [field.required for field in kind.fields]
        assert required == sorted(required, reverse=True), kind.cls
        assert not kind.forbid_unknown_fields, kind.cls


def _in(field: inspect.Field) -> list[inspect.StructType]:
    """The structs in the type of a field."""
    found: list[inspect.StructType] = []
    types = [field.type]
    while types:
        match types.pop():
            case inspect.StructType() as struct:
                found.append(struct)
                types += [inner.type for inner in struct.fields]
            case inspect.VarTupleType(item_type=item):
                types.append(item)
            case inspect.TupleType(item_types=items) | inspect.UnionType(types=items):
                types += items
            case inspect.DictType(value_type=value):
                types.append(value)
            case _:
                pass
    return found

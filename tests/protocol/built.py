"""Strategies for messages of every kind, built from the types of their fields."""

import string
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from bigben_protocol import ClientMessage, Codec, ServerMessage

CLIENT_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(ClientMessage)
SERVER_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(ServerMessage)
MESSAGES = (*CLIENT_MESSAGES, *SERVER_MESSAGES)

_TEXT = st.text(max_size=8) | st.text(string.ascii_letters, max_size=32)
_BIGGEST = 2**53
"""The largest whole number that a browser represents exactly; both formats allow larger ones."""


# Any, here and below: the struct types are known at run time only.
def struct_type(message: type[msgspec.Struct]) -> inspect.StructType:
    """The fields of a message."""
    found = inspect.type_info(message)
    assert isinstance(found, inspect.StructType)
    return found


def messages(message: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Any message of this kind."""
    return _struct(struct_type(message))


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Any value that a field of this type may have."""
    match kind:
        case inspect.StructType():
            return _struct(kind)
        case inspect.StrType(pattern=str() as pattern):
            return st.from_regex(pattern)
        case inspect.StrType(max_length=longest):
            return _TEXT.filter(lambda text: longest is None or len(text) <= longest)
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=least, le=most):
            return st.integers(-_BIGGEST if least is None else least, most or _BIGGEST)
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType(values=some):
            return st.sampled_from(some)
        case inspect.VarTupleType(item_type=item):
            return st.lists(values(item), max_size=3).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(values, items))
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(values(key), values(value), max_size=3)
        case inspect.UnionType(types=types):
            return st.one_of(*map(values, types))
        case _:
            raise AssertionError(f"no field has been of type {kind} so far; say how to build one")


def _struct(kind: inspect.StructType) -> st.SearchStrategy[Any]:
    required = {field.name: values(field.type) for field in kind.fields if field.required}
    optional = {field.name: values(field.type) for field in kind.fields if not field.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda fields: kind.cls(**fields))


def frame(codec: Codec, message: Any) -> bytes | str:
    """A message as a frame from a socket."""
    return as_frame(codec, codec.encode(message))


def as_frame(codec: Codec, encoded: bytes) -> bytes | str:
    """Encoded bytes as a text or binary frame of this codec."""
    return encoded.decode() if codec.text else encoded


def written(codec: Codec, fields: Mapping[str, object]) -> bytes | str:
    """A frame with any fields, even invalid ones."""
    encode = msgspec.json.encode if codec.text else msgspec.msgpack.encode
    return as_frame(codec, encode(fields))

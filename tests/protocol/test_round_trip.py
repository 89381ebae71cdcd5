"""Decoding reverses encoding for every kind of message, in both formats."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace
from tests.protocol.built import (
    CLIENT_MESSAGES,
    MESSAGES,
    SERVER_MESSAGES,
    frame,
    messages,
    struct_type,
)
from tests.support.torture import examples

from bigben_protocol import CODECS, JSON, MSGPACK, Diff, Move, RaceId

Kind = type[msgspec.Struct]

FEW = examples(10)
"""Examples of each kind: there are many kinds, and their fields have the same few types."""


@pytest.mark.parametrize("kind", CLIENT_MESSAGES, ids=lambda kind: kind.__name__)
@FEW
@given(data=st.data())
def test_a_server_reads_what_a_client_wrote(kind: Kind, data: st.DataObject) -> None:
    message = data.draw(messages(kind))
    for codec in CODECS.values():
        assert codec.decode_client(frame(codec, message)) == message


@pytest.mark.parametrize("kind", SERVER_MESSAGES, ids=lambda kind: kind.__name__)
@FEW
@given(data=st.data())
def test_a_client_reads_what_a_server_wrote(kind: Kind, data: st.DataObject) -> None:
    message = data.draw(messages(kind))
    for codec in CODECS.values():
        assert codec.decode_server(frame(codec, message)) == message


@FEW
@given(message=st.sampled_from(MESSAGES).flatmap(messages))
def test_both_formats_say_the_same(message: msgspec.Struct) -> None:
    text = frame(CODECS[JSON], message)
    binary = frame(CODECS[MSGPACK], message)
    assert isinstance(binary, bytes)
    assert msgspec.json.decode(text) == msgspec.msgpack.decode(binary)


def test_a_frame_names_its_type_and_leaves_defaults_out() -> None:
    move = Move("K7QPXM", 3, "w 5")
    assert CODECS[JSON].encode(move) == b'{"type":"move","race":"K7QPXM","n":3,"move":"w 5"}'
    assert len(CODECS[MSGPACK].encode(move)) < 40


def test_a_diff_has_its_legal_moves_even_if_there_are_none() -> None:
    """Clients of version 0.1.0 need both fields; only those that keep the rules get neither."""
    whole = Diff(RaceId("K7QPXM"), 3, "resign", (), "resigned", 12, 5, (), 0)
    encode = CODECS[JSON].encode
    known = '{"type":"diff","race":"K7QPXM","n":3,"move":"resign","steps":[],"state":"resigned"'
    assert encode(whole).decode() == f'{known},"home":12,"ms":5,"legal":[],"digest":0}}'
    bare = replace(whole, legal=UNSET, digest=UNSET)
    assert encode(bare).decode() == f'{known},"home":12,"ms":5}}'


def test_every_kind_has_its_own_tag_in_both_directions() -> None:
    tags = [struct_type(kind).tag for kind in MESSAGES]
    assert len(set(tags)) == len(MESSAGES)

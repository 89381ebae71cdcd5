"""The generated files in docs/protocol are current, complete and correct."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.support.torture import often
from tests.wire.hostile import CLIENT, SERVER, message
from tests.wire.schemas import check_schema, fits
from tools.attribute_docs import attribute_docs
from tools.describe_protocol import FOLDER, ROOT, documents, stale

from bigben_protocol import CODECS, JSON, Code, FrameError
from bigben_protocol.conversation import ANSWERS, CLOSES, REFUSALS


def load(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((ROOT / FOLDER / name).read_text())
    return document


def test_the_files_match_the_structs() -> None:
    assert stale(ROOT) == [], "run `make docs` and commit the change"


def test_a_stale_or_missing_file_is_noticed(tmp_path: Path) -> None:
    for name, text in documents().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert stale(tmp_path) == []
    (tmp_path / FOLDER / "asyncapi.json").write_text("{}\n")
    (tmp_path / FOLDER / "client-messages.schema.json").unlink()
    assert stale(tmp_path) == [
        str(FOLDER / n) for n in ("client-messages.schema.json", "asyncapi.json")
    ]


def test_the_check_of_make_passes() -> None:
    command = [sys.executable, "-m", "tools.describe_protocol", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "messages"),
    [("client-messages.schema.json", CLIENT), ("server-messages.schema.json", SERVER)],
)
def test_a_schema_describes_every_message(name: str, messages: tuple[type, ...]) -> None:
    schema = load(name)
    check_schema(schema)
    assert schema["anyOf"] == [{"$ref": f"#/$defs/{message.__name__}"} for message in messages]
    for struct in schema["$defs"].values():
        assert struct["description"]
        assert "``" not in json.dumps(struct), "descriptions are Markdown"


def test_the_strings_below_fields_are_their_descriptions() -> None:
    move = load("client-messages.schema.json")["$defs"]["Move"]["properties"]
    assert move["n"]["description"] == "One more than the `n` of the seat's last move."
    assert "`3 fdn`" in move["move"]["description"], "from the string below Notation"


def test_a_field_is_described_by_its_own_string_before_that_of_its_type(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text(
        'Ref = int\n"""A number."""\n\n'
        'class Ask:\n    a: Ref\n    b: Ref\n    """``b`` has\n    its own."""\n    c: int\n'
    )
    assert attribute_docs([source]) == {"Ask": {"a": "A number.", "b": "`b` has\nits own."}}


def references(value: object) -> list[str]:
    """Every $ref in a document."""
    match value:
        case {"$ref": str(reference)}:
            return [reference]
        case dict():
            return [reference for inner in value.values() for reference in references(inner)]
        case list():
            return [reference for inner in value for reference in references(inner)]
        case _:
            return []


def found(document: object, reference: str) -> object:
    at = document
    for word in reference.removeprefix("#/").split("/"):
        assert isinstance(at, dict), reference
        assert word in at, reference
        at = at[word]
    return at


def test_every_reference_of_the_asyncapi_document_resolves() -> None:
    document = load("asyncapi.json")
    assert document["asyncapi"] == "3.0.0"
    all_references = references(document)
    assert all(found(document, reference) for reference in all_references)
    used = set(all_references)
    for kind in ("schemas", "messages"):
        for name in document["components"][kind]:
            assert f"#/components/{kind}/{name}" in used, f"{name} is described and used nowhere"


def test_the_asyncapi_document_names_both_subprotocols_and_every_code() -> None:
    channel = load("asyncapi.json")["channels"]["connection"]
    headers = channel["bindings"]["ws"]["headers"]["properties"]
    assert headers["Sec-WebSocket-Protocol"]["enum"] == list(CODECS)
    for word in [*CODECS, *map(str, CLOSES), *(f"`{code}`" for code in REFUSALS)]:
        assert word in channel["description"]


def test_every_client_message_is_an_operation_with_its_reply() -> None:
    operations = load("asyncapi.json")["operations"]
    updates = operations.pop("updates")
    assert updates["action"] == "send"
    assert len(operations) == len(CLIENT)
    for operation in operations.values():
        assert operation["action"] == "receive"
        (asked,) = operation["messages"]
        message = next(m for m in CLIENT if asked["$ref"].endswith(f"/{m.__name__}"))
        assert operation["reply"]["messages"][0]["$ref"].endswith(f"/{ANSWERS[message].__name__}")


def test_the_tables_leave_no_message_and_no_code_out() -> None:
    assert set(ANSWERS) == set(CLIENT)
    assert set(REFUSALS) == set(get_args(Code))


@pytest.mark.longer
@pytest.mark.parametrize(
    ("name", "kinds"),
    [("client-messages.schema.json", CLIENT), ("server-messages.schema.json", SERVER)],
)
def test_a_schema_and_a_decoder_accept_the_same_frames(name: str, kinds: tuple[type, ...]) -> None:
    """Except for numbers with a point: JSON Schema accepts 1.0 as an integer."""
    codec, rng, taken = CODECS[JSON], random.Random(name), 0
    decode = codec.decode_client if kinds is CLIENT else codec.decode_server
    for _ in range(often(500, 20_000)):
        fields = message(rng, kinds, oddity=rng.choice((0, 0.1, 0.5)))
        if has_float(fields):
            continue
        try:
            decode(json.dumps(fields))
        except FrameError:
            assert not fits(name)(fields), fields
        else:
            assert fits(name)(fields), fields
            taken += 1
    assert taken > 100


def has_float(value: object) -> bool:
    match value:
        case float():
            return True
        case dict():
            return any(map(has_float, value.values()))
        case list():
            return any(map(has_float, value))
        case _:
            return False

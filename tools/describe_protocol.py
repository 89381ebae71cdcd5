"""Writes what is generated from the structs: docs/protocol, and the types that check the page.

In docs/protocol the messages are JSON Schema and AsyncAPI, in ``web/protocol.d.ts`` TypeScript.

``python -m tools.describe_protocol`` writes the files; with ``--check`` it names stale ones
instead.
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

from tools.attribute_docs import PROTOCOL, Json, markdown, schemas_of

from bigben_protocol import CODECS, ClientMessage, ServerMessage
from bigben_protocol.conversation import ANSWERS, CLOSES, REFUSALS, UPDATES

ROOT = Path(__file__).parent.parent
FOLDER = Path("docs/protocol")
TYPES = Path("web/protocol.d.ts")
VERSION: Final = "1.0.0"
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


def main() -> None:
    """Write the files, or exit with a message if ``--check`` finds a stale one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    check = parser.parse_args().check
    if check and (names := stale(ROOT)):
        sys.exit(f"Stale: {', '.join(names)}; run `make docs` and commit it")
    if not check:
        for name, text in documents().items():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(text)


def stale(root: Path) -> list[str]:
    """The files below ``root`` that no longer match the structs."""
    return [
        str(name)
        for name, text in documents().items()
        if not (root / name).exists() or (root / name).read_text() != text
    ]


def documents() -> Mapping[Path, str]:
    """Every generated file by its path in the project."""
    documents = {
        "client-messages.schema.json": json_schema(ClientMessage, "What a client sends"),
        "server-messages.schema.json": json_schema(ServerMessage, "What the server sends"),
        "asyncapi.json": asyncapi(),
    }
    texts = {FOLDER / name: json.dumps(one, indent=2) + "\n" for name, one in documents.items()}
    return {**texts, TYPES: typescript()}


def typescript() -> str:
    """The messages as TypeScript, and which message answers a request.

    What has a default is optional: both sides leave it out where it is the default.
    """
    schemas = schemas_of([ClientMessage, ServerMessage], PROTOCOL, "{name}")
    structs = [f"type {name} = {_type(schema)};" for name, schema in schemas.items()]
    unions = [
        f"type {name} = {' | '.join(message.__name__ for message in get_args(union))};"
        for name, union in (("ClientMessage", ClientMessage), ("ServerMessage", ServerMessage))
    ]
    answers = [f'"{_tag(schemas, of)}": {to.__name__};' for of, to in ANSWERS.items()]
    lines = [*structs, *unions, "interface Answers {", *(f"  {line}" for line in answers), "}"]
    told = (
        "// The messages of bigben_protocol, by which tsc checks the page. `make docs` writes them."
    )
    inside = "".join(f"  {line}\n" for line in lines)
    return f"{told}\n\ndeclare namespace Protocol {{\n{inside}}}\n"


def _type(schema: Json) -> str:
    """A schema as TypeScript."""
    match schema:
        case {"$ref": str(name)}:
            return name
        case {"enum": list(values)}:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": list(parts)}:
            return " | ".join(map(_type, parts))
        case {"prefixItems": list(items)}:
            least = schema.get("minItems", len(items))
            types = [f"({_type(item)})" + "?" * (i >= least) for i, item in enumerate(items)]
            return f"[{', '.join(types)}]"
        case {"items": dict(item)}:
            return f"({_type(item)})[]"
        case {"additionalProperties": dict(value)}:
            return f"{{ [name: string]: {_type(value)} }}"
        case {"properties": dict(fields)}:
            needed = schema.get("required", ())
            named = [
                f"{name}{'?' * (name not in needed)}: {_type(of)}" for name, of in fields.items()
            ]
            return f"{{ {', '.join(named)} }}"
        case {"type": "integer"}:
            return "number"
        case _:
            return str(schema["type"])


def json_schema(union: object, title: str) -> Json:
    """A JSON Schema for the frames of one direction: each is any message of the union."""
    schemas = schemas_of([union], PROTOCOL, "#/$defs/{name}")
    return {
        "$schema": DRAFT,
        "title": title,
        "description": f"One frame, as `{' or '.join(CODECS)}` carries it.",
        "anyOf": [{"$ref": f"#/$defs/{message.__name__}"} for message in get_args(union)],
        "$defs": schemas,
    }


def asyncapi() -> Json:
    """Both directions as an AsyncAPI 3 document, from the server's side."""
    schemas = schemas_of([ClientMessage, ServerMessage], PROTOCOL, "#/components/schemas/{name}")
    messages = [*get_args(ClientMessage), *get_args(ServerMessage)]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Big Ben race server",
            "version": VERSION,
            "description": "Friends race the same shuffled deal; the server is the referee.",
            "license": {"name": "MIT"},
            "externalDocs": {"url": "../protocol.md", "description": "The life of a connection"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {
                "host": "127.0.0.1:8765",
                "protocol": "ws",
                "description": "`bigben serve` without options.",
            }
        },
        "channels": {"connection": _channel(messages)},
        "operations": {**dict(map(_request, ANSWERS)), "updates": _updates()},
        "components": {
            "schemas": {name: _draft_7(schema) for name, schema in schemas.items()},
            "messages": {message.__name__: _message(message, schemas) for message in messages},
        },
    }


def _channel(messages: list[type]) -> Json:
    closes = "\n".join(f"- {code}: {meaning}" for code, meaning in CLOSES.items())
    codes = "\n".join(f"- `{code}`: {meaning}" for code, meaning in REFUSALS.items())
    return {
        "address": "/",
        "title": "One WebSocket connection",
        "description": (
            "The first message is Hello. Both subprotocols carry the same messages: "
            "`bigben.v1.json` as text frames of JSON, `bigben.v1.msgpack` as binary frames of "
            "MessagePack. A handshake that offers neither, nor names one in the address as "
            "`/?codec=bigben.v1.json`, is refused with status 400.\n\n"
            f"Close codes:\n\n{closes}\n\nCodes of Refused:\n\n{codes}"
        ),
        "messages": {m.__name__: {"$ref": f"#/components/messages/{m.__name__}"} for m in messages},
        "bindings": {
            "ws": {
                "method": "GET",
                "headers": {
                    "type": "object",
                    "properties": {
                        "Sec-WebSocket-Protocol": {"type": "string", "enum": list(CODECS)}
                    },
                    "required": ["Sec-WebSocket-Protocol"],
                },
                "bindingVersion": "0.1.0",
            }
        },
    }


def _request(message: type) -> tuple[str, Json]:
    """The operation in which the server receives this message, with its replies."""
    answers = [ANSWERS[message].__name__]
    if message.__name__ != "Ping":
        answers.append("Refused")
    return message.__name__[0].lower() + message.__name__[1:], {
        "action": "receive",
        "channel": {"$ref": "#/channels/connection"},
        "summary": _first_sentence(message),
        "messages": [_of_channel(message.__name__)],
        "reply": {
            "channel": {"$ref": "#/channels/connection"},
            "messages": [_of_channel(name) for name in answers],
        },
    }


def _updates() -> Json:
    return {
        "action": "send",
        "channel": {"$ref": "#/channels/connection"},
        "summary": "What a connection receives without a request, most of it if it follows a race.",
        "messages": [_of_channel(message.__name__) for message in UPDATES],
    }


def _of_channel(name: str) -> Json:
    return {"$ref": f"#/channels/connection/messages/{name}"}


def _message(message: type, schemas: Json) -> Json:
    return {
        "name": _tag(schemas, message),
        "title": message.__name__,
        "summary": _first_sentence(message),
        "payload": {"$ref": f"#/components/schemas/{message.__name__}"},
    }


def _tag(schemas: Json, message: type) -> str:
    (tag,) = schemas[message.__name__]["properties"]["type"]["enum"]
    return str(tag)


def _first_sentence(message: type) -> str:
    return re.split(r"(?<=\.)\s", markdown(message.__doc__ or ""), maxsplit=1)[0]


def _draft_7(schema: Any) -> Any:
    """The same schema in JSON Schema draft 7, which AsyncAPI 3 uses."""
    match schema:
        case {"prefixItems": list(items), **others}:
            return _draft_7({**others, "items": items})
        case dict():
            return {word: _draft_7(value) for word, value in schema.items()}
        case list():
            return [_draft_7(value) for value in schema]
        case _:
            return schema


if __name__ == "__main__":
    main()

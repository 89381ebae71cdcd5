"""The form of what a frame may say to Discord, by command: Discord's own schemas, and written ones.

``sdk_schema.json`` is a part of what Discord makes its SDK from. The other commands have no schema
there; theirs are written after the types of the SDK.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft7Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]

# Any: JSON.
Json = dict[str, Any]

SUBSCRIBED: Final = {
    "ACTIVITY_LAYOUT_MODE_UPDATE": None,
    "ORIENTATION_UPDATE": None,
    "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE": None,
    "CURRENT_USER_UPDATE": "identify",
}
"""The events that a frame may subscribe to, with the scope that each needs."""
SCOPES: Final = {"USER_SETTINGS_GET_LOCALE": "identify"}
"""The scope that a command needs; the others need none."""

_TEXT: Final = {"type": "string"}
_NONCE: Final = {
    "type": "string",
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
}
_LOCK: Final = {"enum": [1, 2, 3]}
_NO_ARGS: Final = {"type": ["object", "null"], "maxProperties": 0}


def _object(required: Json, optional: Json | None = None) -> Json:
    """An object with these keys and no other."""
    properties = {**required, **(optional or {})}
    closed = {"additionalProperties": False, "required": list(required)}
    return {"type": "object", "properties": properties, **closed}


HANDSHAKE: Final = _object(
    {"v": {"type": "integer"}, "encoding": _TEXT, "client_id": _TEXT, "frame_id": _TEXT},
    {"sdk_version": _TEXT},
)
CLOSE: Final = _object({"code": {"type": "integer"}}, {"message": _TEXT, "nonce": _NONCE})
FRAME: Final = _object({"cmd": _TEXT, "nonce": _NONCE}, {"args": {}, "evt": _TEXT})

_WRITTEN: Final[Mapping[str, Json]] = {
    # With PKCE and a state, without which a login could be forged; Discord itself would do without.
    "AUTHORIZE": _object(
        {
            "client_id": _TEXT,
            "scope": {"type": "array", "items": {"enum": ["identify"]}, "minItems": 1},
            "response_type": {"const": "code"},
            "state": {"type": "string", "minLength": 1},
            "prompt": {"const": "none"},
            "code_challenge": {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"},
            "code_challenge_method": {"const": "S256"},
        }
    ),
    "CAPTURE_LOG": _object(
        {"level": {"enum": ["log", "warn", "debug", "info", "error"]}, "message": _TEXT}
    ),
    "OPEN_EXTERNAL_LINK": _object({"url": {"type": "string", "pattern": "^https?://"}}),
    "SET_ORIENTATION_LOCK_STATE": _object(
        {"lock_state": _LOCK},
        {
            "picture_in_picture_lock_state": {"enum": [1, 2, 3, None]},
            "grid_lock_state": {"enum": [1, 2, 3, None]},
        },
    ),
    "SUBSCRIBE": _NO_ARGS,
    "UNSUBSCRIBE": _NO_ARGS,
    "USER_SETTINGS_GET_LOCALE": _NO_ARGS,
}
_GENERATED: Final = json.loads(Path(__file__).with_name("sdk_schema.json").read_text())
_GENERATED.pop("$comment")
ARGS: Final[Mapping[str, Json]] = {
    **_WRITTEN,
    **{command: of["request"] or _NO_ARGS for command, of in _GENERATED.items()},
}
"""The schema of the arguments, by command."""
_ANSWERS: Final = {command: of["response"] for command, of in _GENERATED.items()}


def wrong(value: Any, schema: Json) -> str:
    """What is wrong with a value (Any: of JSON) that is to fit a schema, or nothing."""
    error = best_match(Draft7Validator(schema).iter_errors(value))
    return f"{error.json_path}: {error.message[:300]}" if error else ""


def checked(command: str, answer: Json | None) -> Json | None:
    """The same answer. Raises AssertionError if Discord would not give it."""
    problem = wrong(answer, _ANSWERS.get(command, {}))
    assert not problem, f"the stand-in's answer to {command}: {problem}"
    return answer

"""Checks JSON against the published schemas. Only this module uses jsonschema, which is untyped."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has none
from tools.describe_protocol import FOLDER, ROOT


def check_schema(schema: dict[str, Any]) -> None:
    """Fails unless it is a JSON Schema."""
    Draft202012Validator.check_schema(schema)


@cache
def fits(name: str) -> Callable[[Any], bool]:
    """Whether a value fits the schema in this file of docs/protocol."""
    validator = Draft202012Validator(json.loads((ROOT / FOLDER / name).read_text()))
    return lambda value: bool(validator.is_valid(value))

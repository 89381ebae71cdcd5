"""Reads JSON that anybody may have written: of any shape, and never an exception."""

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Json: TypeAlias = Mapping[str, Any]
"""An object, or a part of one. Any: nobody knows what is in it."""
MOST_ID: Final = 255
"""The most letters of an id."""


def object_in(data: bytes) -> Json | None:
    """The object that is written there; None if there is none."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def part(value: object, key: str) -> Json:
    """The object under this key; an empty one if there is none."""
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def parts(value: Json, key: str) -> list[Json]:
    """The objects in the list under this key."""
    found = value.get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def texts(value: Json, key: str) -> list[str]:
    """The texts in the list under this key."""
    found = value.get(key)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def text_in(value: Json, key: str, most: int = MOST_ID) -> str:
    """The text under this key, cut; empty if there is none.

    Half a surrogate pair, which JSON can have and UTF-8 can't, becomes a question mark.
    """
    found = value.get(key)
    return found[:most].encode(errors="replace").decode() if isinstance(found, str) else ""


def id_in(value: Json, key: str, sigil: str) -> str:
    """The id under this key; empty if there is none."""
    found = text_in(value, key, MOST_ID + 1)
    return found if found.startswith(sigil) and 1 < len(found) <= MOST_ID else ""

"""Bodies against Discord's own OpenAPI document, where a copy of it lies beside the checkout.

Without the copy nothing here is checked; ``components.py``, ``commands.py`` and ``messages.py``
hold the rules that always are.
"""

import json
from collections import Counter
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from tests.discord.standin.problems import Json, invalid

DOCUMENT: Final = Path(__file__).parents[4] / "shared/discord/openapi.json"
ENOUGH: Final = 25
"""Answers of a route that are checked: the stand-in makes them all alike. Requests always are."""
_URI: Final = "urn:discord"


class Contract:
    """Which body each route takes, and which it answers with."""

    def __init__(self, document: Json | None) -> None:
        self._document = document
        self._validators: dict[str, Any] = {}
        self._answers: Counter[tuple[str, str]] = Counter()

    def check_request(self, method: str, route: str, body: object) -> None:
        """Raises Problem when ``body`` is none that this route takes."""
        where = self._operation(method, route)
        if where is None or method in ("GET", "DELETE"):
            return
        pointer = f"{where}/requestBody/content/application~1json/schema"
        wrong = self._wrong(pointer, _as_documented(body))
        if wrong:
            raise invalid(f"{method} {route}: {wrong}")

    def check_answer(self, method: str, route: str, status: int, body: object) -> None:
        """Raises AssertionError: the stand-in itself answers as Discord would not."""
        where = self._operation(method, route)
        self._answers[method, route] += 1
        if where is None or body is None or self._answers[method, route] > ENOUGH:
            return
        pointer = f"{where}/responses/{status}/content/application~1json/schema"
        wrong = self._wrong(pointer, body)
        assert not wrong, f"the stand-in's answer to {method} {route} is wrong: {wrong}"

    def _operation(self, method: str, route: str) -> str | None:
        if self._document is None:
            return None
        assert method.lower() in self._document["paths"][route], f"no {method} {route} in Discord"
        return f"{_URI}#/paths/{route.replace('/', '~1')}/{method.lower()}"

    def _wrong(self, pointer: str, body: Any) -> str:
        """What is wrong with the body (Any: it came as JSON), or nothing."""
        validator = self._validators.get(pointer)
        if validator is None:
            quoted = pointer.replace("{", "%7B").replace("}", "%7D")
            validator = Draft202012Validator({"$ref": quoted}, registry=self._registry)
            self._validators[pointer] = validator
        error = next(iter(validator.iter_errors(body)), None)
        return "" if error is None else f"{error.json_path}: {error.message[:600]}"

    @cached_property
    def _registry(self) -> Any:
        # Any: the registry's type parameter is the library's own affair.
        resource = Resource.from_contents(self._document, default_specification=DRAFT202012)
        return Registry().with_resource(_URI, resource)


@cache
def contract() -> Contract:
    """The one that this machine has; read once."""
    if not DOCUMENT.exists():
        return Contract(None)
    # Its alternatives exclude each other by their types. To try them until one fits takes a
    # third of the time that it takes to try all of them.
    return Contract(json.loads(DOCUMENT.read_text().replace('"oneOf":', '"anyOf":')))


def _as_documented(body: object) -> object:
    """discord.py numbers its new attachments with integers, which Discord also takes."""
    if isinstance(body, dict):
        return {
            key: [{**entry, "id": str(entry["id"])} for entry in value]
            if key == "attachments" and isinstance(value, list)
            else _as_documented(value)
            for key, value in body.items()
        }
    return [_as_documented(entry) for entry in body] if isinstance(body, list) else body
